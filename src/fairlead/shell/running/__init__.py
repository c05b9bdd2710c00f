"""The syntax tree into the commands that would run."""
