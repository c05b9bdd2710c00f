"""What was recorded: shown, counted, and judged again."""
