"""Regular expressions that somebody else wrote, searched for within a bound.

A policy brings patterns, and a project's policy is hostile until it is trusted: `(a+)+$` takes longer than
anyone waits, and while `re` searches, no other thread runs. Patterns of which that can never be said are
searched with `re`. All others are searched with `regex`, which reads the same language, lets other threads
run meanwhile, and ends at a time limit: then the search has failed, and who asked says so (law 2).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from time import monotonic

from fairlead.errors import FairleadError

SECONDS = 0.2
"""How long all patterns that are asked about one subject may take together: a search takes microseconds."""
LONGEST = 2_000
"""Characters of a pattern. A longer one is no rule but a program."""
_REPEATS = frozenset("*+?{")


class SlowPatternError(FairleadError):
    """A pattern took so long that the search was given up."""

    code = "SLOW_PATTERN"


class Deadline:
    """The time that several patterns have together; it starts with the first search that needs it."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._until = 0.0

    def left(self) -> float:
        now = monotonic()
        if not self._until:
            self._until = now + self._seconds
        return self._until - now


def finds(source: str, subject: str, *, ignore_case: bool = False, deadline: Deadline | None = None) -> bool:
    """Raises SlowPatternError when time is up, re.error for what is no regular expression."""
    return _search(source, ignore_case)(subject, deadline or Deadline())


def is_quick(source: str) -> bool:
    """No repetition, and at most one group: at each place only so many steps as the pattern is long."""
    return _REPEATS.isdisjoint(source) and source.count("(") <= 1


def checked(source: str) -> None:
    """Raises re.error for what is no regular expression to Python, or too long to be one."""
    if len(source) > LONGEST:
        raise re.error(f"it has more than {LONGEST:,} characters")
    re.compile(source)


@lru_cache(maxsize=1024)
def _search(source: str, ignore_case: bool) -> Callable[[str, Deadline], bool]:
    checked(source)
    if is_quick(source):
        quick = re.compile(source, re.IGNORECASE if ignore_case else 0).search
        return lambda subject, _: quick(subject) is not None
    import regex  # 10 ms, and only for a policy that has such patterns

    pattern = regex.compile(source, regex.VERSION0 | (regex.IGNORECASE if ignore_case else 0))

    def search(subject: str, deadline: Deadline) -> bool:
        left = deadline.left()
        try:
            if left > 0:
                return pattern.search(subject, timeout=left, concurrent=True) is not None
        except TimeoutError:
            pass
        raise SlowPatternError(
            f"the regular expression {source[:100]!r} takes too long",
            hint="repeat no group that itself repeats something",
        )

    return search
