"""Numbers that somebody gave, told from what only looks like one."""

from __future__ import annotations


def is_amount(given: object, *, above: float = float("-inf")) -> bool:
    """Whether it is a number beyond `above`. Not a number in floating point is none either."""
    return isinstance(given, int | float) and not isinstance(given, bool) and given > above
