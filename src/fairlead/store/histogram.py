"""Latency in buckets, each 15 % wider than the one before: a percentile is right within 7 %."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp, log

_LOG = log(1.15)


@lru_cache(maxsize=16384)
def bucket(microseconds: int) -> int:
    return int(log(microseconds) / _LOG) if microseconds > 1 else 0


def milliseconds(number: int) -> float:
    """The middle of a bucket."""
    return exp((number + 0.5) * _LOG) / 1000


def percentile(counts: Mapping[int, int], share: float) -> float | None:
    """The value below which this share of all lies; None when there are none."""
    total = sum(counts.values())
    if total <= 0:
        return None
    seen = 0
    for number in sorted(counts):
        seen += counts[number]
        if seen >= share * total:
            break
    return milliseconds(number)
