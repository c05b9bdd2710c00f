"""Rules that a policy writes down, without code."""
