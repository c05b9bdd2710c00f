"""Patterns of a policy that can never match, so that nobody trusts in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fairlead.model.matching.bounded_pattern import checked
from fairlead.shell.lazy_pattern import lazy

_BLANKS = lazy(r"(?<!\\)(?:  |\\t|\\n|\\r|\t|\n)(?![*?{])")
_EDGE = lazy(r"\\b(?:[<>|]|\\[<>|])|[<>|]\\b")
_ANCHORED_BLANK = lazy(r"^\^(?:\s|\\s(?![*?{]))|(?:\s|\\s)\$$")


def never_matching(config: Mapping[str, object]) -> list[str]:
    """A sentence for each pattern that no call can match, with what to write instead."""
    return [*_dangerous(config.get("dangerous_patterns")), *_protected(config.get("protected_patterns"))]


def _dangerous(patterns: object) -> Iterator[str]:
    for pattern in patterns if isinstance(patterns, (list, tuple)) else ():
        if isinstance(pattern, str):
            problem = _command_problem(pattern)
            if problem:
                yield f"dangerous_patterns: {pattern!r} can never match: {problem}"


def _command_problem(pattern: str) -> str:
    if not pattern:
        return "it is empty"
    try:
        checked(pattern)
    except re.error as error:
        return f"it is no regular expression ({error})"
    if _EDGE.search(pattern):
        return "in normal form there is a space on both sides of <, > and |, so no \\b stands beside them"
    if _BLANKS.search(pattern):
        return "in normal form words have exactly one space between them; write \\s+ or one space"
    if _ANCHORED_BLANK.search(pattern):
        return "in normal form a command begins and ends without a space"
    return ""


def _protected(patterns: object) -> Iterator[str]:
    for pattern in patterns if isinstance(patterns, (list, tuple)) else ():
        if not isinstance(pattern, str):
            continue
        problem = _path_problem(pattern)
        if problem:
            yield f"protected_patterns: {pattern!r} can never match: {problem}"


def _path_problem(pattern: str) -> str:
    if not pattern:
        return "it is empty"
    if pattern.endswith("/") and pattern != "/":
        return "paths have no slash at the end; write the name alone, or 'name/*' for what is in it"
    if "//" in pattern or "/./" in pattern or "/../" in pattern or pattern.startswith(("./", "../")):
        return "paths are made normal before they are compared; write it from the project root"
    return ""
