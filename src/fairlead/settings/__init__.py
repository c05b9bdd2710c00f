"""Edits agents' settings files without disturbing what is there, and undoes exactly that."""
