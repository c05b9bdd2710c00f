"""Whose policy counts for what: layers, trust in a project, and what is guarded less then."""
