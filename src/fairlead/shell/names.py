"""Lists of names, written as one writes them: separated by spaces."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())
