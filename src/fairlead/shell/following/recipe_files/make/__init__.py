"""Makefiles: variables and rules, from a goal to what would run."""
