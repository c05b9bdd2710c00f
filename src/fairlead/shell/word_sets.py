"""Small tables written as text."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())
