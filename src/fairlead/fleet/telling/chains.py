"""Which lines of one writer are there: its numbers, the gaps between them, and numbers that came twice."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise

from fairlead.model.value import Value

Gap = tuple[int, int]
"""The first and the last number that is missing."""


class Chain(Value):
    """Numbers from `first` to `last` are there but for the gaps. Without `first` it begins wherever its first
    line is, with `first` alone just there."""

    first: int = 0
    last: int = 0
    gaps: tuple[Gap, ...] = ()

    def missing(self) -> int:
        return sum(last - first + 1 for first, last in self.gaps)


class Extended(Value):
    """`taken` are numbers that were there before, which only a fork gives to another line."""

    chain: Chain
    opened: tuple[Gap, ...] = ()
    closed: tuple[Gap, ...] = ()
    taken: tuple[int, ...] = ()


def extend(chain: Chain, numbers: Iterable[int]) -> Extended:
    """The chain with these numbers, in whatever order they come."""
    given = sorted(numbers)
    taken = [one for one, following in pairwise(given) if one == following]
    first, last, gaps = chain.first, chain.last, list(chain.gaps)
    for number in dict.fromkeys(given):
        if not first:
            first = last = number
        elif number > last:
            gaps += [(last + 1, number - 1)] if number > last + 1 else []
            last = number
        elif number < first:
            gaps[:0] = [(number + 1, first - 1)] if number < first - 1 else []
            first = number
        elif not _fill(gaps, number):
            taken.append(number)
    before, after = set(chain.gaps), set(gaps)
    return Extended(
        Chain(first, last, tuple(gaps)),
        tuple(sorted(after - before)),
        tuple(sorted(before - after)),
        tuple(sorted(set(taken))),
    )


def _fill(gaps: list[Gap], number: int) -> bool:
    """Takes the number out of the gap that it is in; False if it is in none."""
    place = bisect_left(gaps, number, key=lambda gap: gap[1])
    if place == len(gaps) or gaps[place][0] > number:
        return False
    first, last = gaps[place]
    gaps[place : place + 1] = [gap for gap in ((first, number - 1), (number + 1, last)) if gap[0] <= gap[1]]
    return True
