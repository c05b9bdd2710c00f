"""Real agents: which are driven when, what the last full run proved, and the tables that show it."""
