"""What shows keys, passwords and tokens."""
