"""Built-in guards. Each pack is a file of rules; the two functions that judge with them are middleware."""
