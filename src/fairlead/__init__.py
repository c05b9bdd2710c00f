"""Fairlead: one hook engine for AI agents and scripts."""

__version__ = "0.1.0"
