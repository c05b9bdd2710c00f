"""Hooks: what git runs by itself at its commands, and the runners that keep such hooks."""
