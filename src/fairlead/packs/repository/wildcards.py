"""Git's wildcards, matched in time that is bounded whatever the pattern: ignore files are anybody's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from fairlead.packs.repository.limits import Budget

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
    "space": r" \t\n\r\f\v", "blank": r" \t", "xdigit": "0-9A-Fa-f", "cntrl": r"\x00-\x1f\x7f",
    "punct": r"!-/:-@\[-`{-~", "print": " -~", "graph": "!-~",
}  # fmt: skip
_SET = re.compile(r"\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]", re.S)
_MEMBER = re.compile(r"\[:(\w+):\]|\\(.)|(.)", re.S)
_NEVER = r"(?!)"

Matcher = Callable[[str], bool]
ANY_DEPTH = None
"""Stands for `**`: any number of folders."""


def name_matcher(pattern: str) -> Matcher | None:
    """Tells whether one name between slashes matches; None for `**`."""
    if pattern == "**":
        return ANY_DEPTH
    if not any(sign in pattern for sign in "*?[\\"):
        return pattern.__eq__
    if pattern[0] == "*" and not any(sign in pattern[1:] for sign in "*?[\\"):
        tail = pattern[1:]
        return lambda name: name.endswith(tail)
    compiled = re.compile(_translated(pattern), re.S)
    return lambda name: compiled.fullmatch(name) is not None


def _translated(pattern: str) -> str:
    """Each star takes the shortest text up to what follows it and never gives it back, so time stays bounded."""
    pieces = [""]
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        if sign == "*":
            if pieces[-1] or len(pieces) == 1:
                pieces.append("")
            at += 1
            continue
        piece, at = _sign(pattern, at)
        pieces[-1] += piece
    first, *rest = pieces
    if not rest:
        return first
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1])
    return f"{first}{middle}.*{rest[-1]}"


def _sign(pattern: str, at: int) -> tuple[str, int]:
    sign = pattern[at]
    if sign == "?":
        return ".", at + 1
    if sign == "\\":
        return (re.escape(pattern[at + 1]), at + 2) if at + 1 < len(pattern) else (_NEVER, at + 1)
    if sign == "[":
        found = _SET.match(pattern, at)
        return (_set(found[1], found[2]), found.end()) if found else (_NEVER, len(pattern))
    return re.escape(sign), at + 1


def _set(negated: str, members: str) -> str:
    found = ""
    parts = _MEMBER.findall(members)
    for number, (kind, escaped, plain) in enumerate(parts):
        if kind:
            if kind not in _CLASSES:
                return _NEVER
            found += _CLASSES[kind]
        elif plain == "-" and 0 < number < len(parts) - 1:
            found += "-"
        else:
            found += re.escape(escaped or plain)
    try:
        re.compile(f"[{found}]")
    except re.error:  # a range that runs backwards matches nothing
        return _NEVER
    return f"[{'^' if negated else ''}{found}]"


def path_matches(matchers: Sequence[Matcher | None], names: Sequence[str], budget: Budget) -> bool:
    """Whether the names of a path match those of a pattern one by one, with `**` for any number of them."""
    at = pattern = 0
    again_at, again_pattern = -1, -1
    while at < len(names):
        budget.step()
        if pattern < len(matchers):
            matcher = matchers[pattern]
            if matcher is ANY_DEPTH:
                again_at, again_pattern, pattern = at, pattern + 1, pattern + 1
                if pattern == len(matchers):
                    return True
                continue
            if matcher(names[at]):
                at, pattern = at + 1, pattern + 1
                continue
        if again_pattern < 0:
            return False
        again_at, at, pattern = again_at + 1, again_at + 1, again_pattern
    return pattern == len(matchers)
