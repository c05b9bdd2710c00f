"""Letters that every secret of some form has: where none of them occurs, no pattern needs to be tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby

_RARE = "zxq=_w.y-g:kbpcs"
"""What a text has few of, the fewest first: a search that begins with one of these skips most of the text."""


class Hints:
    """Looks for any of many short texts in another. All are in small letters, and so must be the other.

    Each comes with what a text must have beside it to mean anything; for most that is nothing.
    """

    def __init__(self, hints: Iterable[tuple[str, str]]) -> None:
        needs = _leanest(hints)
        self.all = tuple(needs)
        self._free = [hint for hint, need in needs.items() if not need]
        self._bound = [
            (need, [hint for hint in needs if needs[hint] == need])
            for need in sorted(set(needs.values()) - {""})
        ]
        self._any_free: Callable[[str], object] = bool

    def compile(self) -> None:
        """One pattern for all takes a millisecond to make, and saves most of the time of each search."""
        self._any_free = re.compile(_either([(_from_rarest(hint), hint) for hint in self._free])).search

    def within(self, lowered: str) -> tuple[str, ...]:
        """Those that occur, and mean something."""
        found = [hint for hint in self._free if hint in lowered] if self._any_free(lowered) else []
        for need, hints in self._bound:
            if need in lowered:
                found += [hint for hint in hints if hint in lowered]
        return tuple(found)


def _leanest(hints: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The same without any that holds another: a text with the longer one has the shorter one, too."""
    needs: dict[str, str] = {}
    for hint, need in hints:
        needs[hint] = need if needs.get(hint, need) == need else ""
    return {
        hint: need
        for hint, need in sorted(needs.items())
        if not any(other in hint and needs[other] in ("", need) for other in needs if other != hint)
    }


def _from_rarest(hint: str) -> str:
    """The end of a hint that begins with the rarest of its letters."""
    return next((hint[hint.index(letter) :] for letter in _RARE if letter in hint), hint)


def _either(ends: list[tuple[str, str]]) -> str:
    """A pattern for any of these ends, each behind the rest of its hint; what they share is read once."""
    branches = [f"(?<={re.escape(hint)})" for end, hint in ends if not end]
    longer = sorted((end, hint) for end, hint in ends if end)
    for first, group in groupby(longer, key=lambda pair: pair[0][0]):
        branches.append(re.escape(first) + _either([(end[1:], hint) for end, hint in group]))
    return f"(?:{'|'.join(branches)})"
