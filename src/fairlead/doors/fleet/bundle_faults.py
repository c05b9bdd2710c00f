"""What a bundle may not bring, though the policy in somebody's own home may.

What it runs has to be in it, since that alone was signed. And no pattern in it may keep every call waiting.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from fairlead.model.matching.bounded_pattern import SlowPatternError, finds, is_quick
from fairlead.policy.layering.fleet_layer import FLEET
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import Problem

_LENGTH = 1_000
_MOST_LETTERS = 8
_USUAL = "a0 /-"


def files_from_elsewhere(entries: Iterable[Entry], folder: str) -> Iterator[Problem]:
    """Hooks that would run a file that nobody signed; `folder` is where those that were signed lie."""
    inside = os.path.realpath(folder) + os.sep
    for entry in entries:
        if entry.layer == FLEET and entry.path and not os.path.realpath(entry.path).startswith(inside):
            message = f"{entry.path} is no file of this bundle, so nobody has signed what it does"
            hint = "put it beside the hook.meta.yaml, and name it from there"
            yield entry.problem("path", message, hint=hint)


def slow_patterns(entries: Iterable[Entry]) -> Iterator[Problem]:
    """Regular expressions that take too long on a text that is made to hold them up. Where a call meets one,
    the search is given up and the guard has failed: better to hear of it before anybody signs."""
    for entry in entries:
        if entry.layer == FLEET:
            for key, given in (("matcher", entry.matcher), ("config", entry.config)):
                for pattern in _texts(given):
                    if fault := _slowness(pattern):
                        yield entry.problem(key, fault, hint="repeat no group that itself repeats something")


def _texts(given: object) -> Iterator[str]:
    if isinstance(given, str):
        yield given[1:-1] if given.startswith("/") and given.endswith("/") and len(given) > 2 else given
    elif isinstance(given, Mapping):
        for each in given.values():
            yield from _texts(each)
    elif isinstance(given, list | tuple):
        for each in given:
            yield from _texts(each)


def _slowness(pattern: str) -> str:
    """Also of what is meant as a glob or a name: read as an expression, those are quick."""
    if is_quick(pattern):
        return ""
    letters = list(dict.fromkeys(letter for letter in pattern if letter.isalnum()))[:_MOST_LETTERS]
    try:
        for letter in dict.fromkeys([*letters, *_USUAL]):
            finds(pattern, letter * _LENGTH + "\x00")
    except SlowPatternError as error:
        return error.message
    except RecursionError:
        return f"the regular expression {pattern[:60]!r} is too deeply nested"
    except re.error:
        return ""  # no expression at all; whoever reads it as one says so
    return ""
