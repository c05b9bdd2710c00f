"""What a hook call costs, side by side with the programs that people know."""
