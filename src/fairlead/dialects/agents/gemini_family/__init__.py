"""Agents that kept the hooks of Gemini CLI."""
