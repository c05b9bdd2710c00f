"""Numbers over time in one line of text."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[int], width: int = 30) -> str:
    """One bar per value, or per equal stretch of values where there are more than fit."""
    size = -(-len(values) // width)
    sums = [sum(values[start : start + size]) for start in range(0, len(values), size)]
    top = max(sums) or 1
    return "".join(
        _BARS[min(value * len(_BARS) // (top + 1), len(_BARS) - 1)] if value else " " for value in sums
    )
