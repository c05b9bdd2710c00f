"""Calls of tools that no agent ships, read by their shape."""
