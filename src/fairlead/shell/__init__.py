"""Reads shell text into what would run. Knows no hooks, runs nothing, and is usable alone."""
