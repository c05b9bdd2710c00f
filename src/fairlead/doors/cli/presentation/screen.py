"""How wide the output may be, and whether it may have colours."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

NARROWEST = 40
"""Columns that every command fits into; a narrower terminal gets lines of this width."""
UNBOUNDED = 0


_fixed: ContextVar[int | None] = ContextVar("_fixed", default=None)


@contextmanager
def as_wide_as(columns: int) -> Iterator[None]:
    """What is printed within it has this width: a part of a screen, or one that has just changed."""
    before = _fixed.set(columns)
    try:
        yield
    finally:
        _fixed.reset(before)


def screen_width(environment: Mapping[str, str] | None = None) -> int:
    """The columns of the terminal, or what COLUMNS says; a pipe gets whole lines."""
    fixed = _fixed.get()
    if fixed is not None:
        return fixed
    given = (os.environ if environment is None else environment).get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return max(int(given), NARROWEST)
    if not _is_terminal():
        return UNBOUNDED
    return max(shutil.get_terminal_size((80, 24)).columns, NARROWEST)


def screen_height() -> int:
    return shutil.get_terminal_size().lines


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def wants_colour(environment: Mapping[str, str]) -> bool | None:
    """What the person says by variables; None leaves it to whether there is a terminal.

    NO_COLOR and FORCE_COLOR count whatever they hold, unless that is nothing; the former is stronger.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR") or environment.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return environment.get("FORCE_COLOR") != "0"
    if environment.get("CLICOLOR") == "0" or environment.get("TERM") == "dumb":
        return False
    return None
