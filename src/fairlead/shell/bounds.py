"""How much work one reading may be: counted in steps, never in time, so that load changes no verdict."""

from __future__ import annotations

MAX_TEXT = 256 * 1024
"""Longer text is opaque and not parsed."""

MAX_STEPS = 10_000
"""Nodes parsed and evaluated together."""

MAX_FILE = 1024 * 1024
"""Length of one file that would run."""

MAX_FILES = 200
"""Files that one reading asks for, whether they are there or not."""

MAX_FILES_TEXT = 4 * MAX_FILE
"""Length of all files that one reading reads."""

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


class Exhausted(Exception):  # noqa: N818 - not a mistake of the caller: the reading ends here
    """The steps are used up: what was not read yet is opaque."""


class Budget:
    """Counts steps down, over the parser and the walk, and over all texts of one reading."""

    def __init__(self) -> None:
        self.given = self.left = MAX_STEPS

    @property
    def spent(self) -> int:
        return self.given - self.left

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise Exhausted
