"""Agents that hear an exit code alone."""
