"""How much work one reading may be: counted in steps, never in time, so that load changes no verdict."""

from __future__ import annotations

MAX_TEXT = 256 * 1024
"""Longer text is opaque and not parsed."""

MAX_STEPS = 10_000
"""Nodes parsed and evaluated together."""

MAX_FILE = 1024 * 1024
"""Length of one file that would run."""

MAX_FILES = 200
"""Files that one reading reads."""

MAX_ASKED = 2_000
"""Files that one reading asks for, whether they are there or not: programs are searched in many folders."""

MAX_FILES_TEXT = 4 * MAX_FILE
"""Length of all files that one reading reads."""

MAX_FILE_STEPS = 30_000
"""For all files of one reading together, besides what it takes to read each of them once."""

MAX_NESTING = 40
"""Constructs inside one another, in one text."""

MAX_DEPTH = 40
"""Texts, functions and wrappers that run one another."""

MAX_LENGTH = MAX_TEXT
"""Length of one expanded word or variable; what grows beyond is unknown."""

MAX_ITEMS = 2_000
"""Words that one brace expansion or array may make."""

MAX_ROUNDS = 100
"""Values of a loop's variable that are tried one by one."""

MAX_CHOICES = 8
"""Values that one variable may have after branches met, tried one by one."""


_ONCE, _SOME = 6, 500
"""Steps to read a tree once, for each of its nodes, and for the least of them."""
_SEVERAL_TIMES, _PLENTY = 10, 4_000
"""The same for all that is read more often."""
_MOST_DIGITS = 18


def whole_number(text: str) -> int | None:
    """The number that these digits are; None for anything else, and for more digits than anyone needs."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


class Exhausted(Exception):  # noqa: N818 - not a mistake of the caller: the reading ends here
    """The steps are used up: what was not read yet is opaque."""


class Budget:
    """Counts steps down, over the parser and the walk, and over all texts of one reading."""

    __slots__ = ("_extra", "_given", "left", "reserve")

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = self._given = steps
        self.reserve = 0
        self._extra = MAX_FILE_STEPS

    @property
    def spent(self) -> int:
        return self._given - self.left

    @property
    def widening(self) -> bool:
        """Only what it takes to read a file once is left: from here on nothing is read a second time."""
        return self.left < self.reserve

    @property
    def standing(self) -> tuple[int, int]:
        return self.left, self.reserve

    def has_plenty(self, nodes: int) -> bool:
        """Whether a file of so many nodes may be read again as if for the first time."""
        return self._extra >= nodes * _ONCE + _SOME

    def begin_file(self, nodes: int, *, plenty: bool) -> None:
        """Steps of its own for a file of so many nodes: to read it once, and more where there are any."""
        once = nodes * _ONCE + _SOME
        more = min(nodes * _SEVERAL_TIMES + _PLENTY, self._extra) if plenty else 0
        self._extra -= more
        self._take(once + more, once if plenty else once + 1)

    def end_file(self, before: tuple[int, int]) -> None:
        """Back to what was left outside of the file."""
        self._take(*before)

    def count(self, steps: int) -> None:
        """Work that was done elsewhere."""
        self._given += steps

    def _take(self, left: int, reserve: int) -> None:
        self._given += left - self.left
        self.left, self.reserve = left, reserve

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise Exhausted
