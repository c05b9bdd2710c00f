"""Agents whose hooks are JavaScript."""
