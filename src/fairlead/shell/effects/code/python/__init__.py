"""Python code, read as a tree."""
