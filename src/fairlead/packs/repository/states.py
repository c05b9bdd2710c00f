"""What git could say of a path."""

from __future__ import annotations

MISSING = "missing"
CLEAN = "clean"
IGNORED = "ignored"
UNTRACKED = "untracked"
MODIFIED = "modified"
OUTSIDE = "outside"
"""The project is in no repository."""
UNKNOWN = "unknown"
"""There is a repository, and it cannot be told."""

LOST = frozenset((UNTRACKED, MODIFIED))
