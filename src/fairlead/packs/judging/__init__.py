"""From a tool call to what the rules say about it."""
