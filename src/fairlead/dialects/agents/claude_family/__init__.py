"""Agents that took over the hooks of Claude Code."""
