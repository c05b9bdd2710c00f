"""Takes key material out of text and data before they are written anywhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from fairlead.secrets.context import context_hints, find_in_context, lower, secret_name
from fairlead.secrets.detect import Finding, find_candidates, form_hints, leanest

__all__ = ["hints_in", "mark", "redact", "redact_text", "secret_name"]

_LEAST = 6  # no shorter text holds a name and a value
_PASSES = 4
_DEPTH = 64


def mark(kind: str) -> str:
    """What stands where a secret stood."""
    return f"[redacted:{kind}]"


def redact_text(text: str, hints: Sequence[str] | None = None) -> str:
    """The text with a mark in the place of each secret. What is redacted already stays as it is.

    `hints` are those of `hints_in` that it may hold, where a caller knows.
    """
    if len(text) < _LEAST or not _is_suspicious(text, _hints() if hints is None else hints):
        return text
    for _ in range(_PASSES):  # a mark may join what stood apart: look again until nothing is found
        redacted = _redact_once(text)
        if redacted == text:
            break
        text = redacted
    return text


def hints_in(text: str) -> list[str]:
    """What may mean a secret: where there is no hint, `redact_text` finds nothing."""
    lowered = lower(text)
    return [hint for hint in _hints() if hint in lowered]


def _is_suspicious(text: str, hints: Sequence[str]) -> bool:
    lowered = lower(text)
    for hint in hints:  # noqa: SIM110 - this loop runs for every text that is written, and `any` is slower
        if hint in lowered:
            return True
    return False


def redact(value: object, depth: int = 0) -> object:
    """The same for JSON-like data, where the name of a field can make its value a secret."""
    if isinstance(value, str):
        return redact_text(value)
    if depth > _DEPTH:
        return "[capped: nested too deeply]"
    if isinstance(value, Mapping):
        fields = ((redact_text(str(key)), item) for key, item in value.items())
        return {name: withheld(name, item) or redact(item, depth + 1) for name, item in fields}
    if isinstance(value, list | tuple):
        return [redact(item, depth + 1) for item in value]
    return value


def withheld(name: str, value: object) -> str:
    """The mark for a field that its name, redacted itself, makes a secret; or nothing."""
    kind = _kind_named(name)
    if not kind or isinstance(value, bool) or not isinstance(value, str | int | float | bytes) or value == "":
        return ""
    if kind == "token" and not isinstance(value, str | bytes):
        return ""  # a number of tokens
    return value if isinstance(value, str) and _is_mark(value) else mark(kind)


def names_secret(name: str) -> bool:
    """Whether `withheld` withholds any value of a field of this name."""
    return _kind_named(name) != ""


def _kind_named(name: str) -> str:
    return secret_name(_marks().sub(" ", name) if "[" in name else name)


def _redact_once(text: str) -> str:
    parts: list[str] = []
    at = 0
    for kind, start, end in _spans(text):
        parts += [text[at:start], mark(kind)]
        at = end
    return "".join([*parts, text[at:]]) if parts else text


def _spans(text: str) -> Iterator[tuple[str, int, int]]:
    """What to take out, in order; findings that overlap are one."""
    kind, start, end = "", 0, 0
    for finding in sorted(_findings(text), key=lambda found: (found.start, -found.end)):
        if kind and finding.start < end:
            end = max(end, finding.end)
            continue
        if kind:
            yield kind, start, end
        kind, start, end = finding.kind, finding.start, finding.end
    if kind:
        yield kind, start, end


def _findings(text: str) -> Iterator[Finding]:
    """Marks are whole: a finding inside one is none, a finding that cuts one takes it all."""
    marks = [match.span() for match in _marks().finditer(text)] if "[redacted:" in text else []
    for finding in (*find_candidates(text), *find_in_context(text)):
        start, end = _grown(finding.start, finding.end, marks)
        if not _is_mark(text[start:end]):
            yield Finding(finding.kind, start, end)


def _grown(start: int, end: int, marks: list[tuple[int, int]]) -> tuple[int, int]:
    """The span, grown to hold every mark that it touches."""
    at = bisect_right(marks, (start, 0))
    if at and marks[at - 1][1] > start:
        start, end = marks[at - 1][0], max(end, marks[at - 1][1])
    at = bisect_right(marks, (end, 0)) - 1
    if at >= 0 and marks[at][1] > end:
        end = marks[at][1]
    return start, end


def _is_mark(text: str) -> bool:
    return _marks().fullmatch(text) is not None


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(r"\[redacted:[a-z-]{1,40}\]")


@cache
def _hints() -> tuple[str, ...]:
    return leanest({*context_hints(), *(hint.lower() for hint in form_hints())})
