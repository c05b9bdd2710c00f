"""Takes key material out of text and data before they are written anywhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from fairlead.secrets.context import find_in_context, secret_name
from fairlead.secrets.detect import LONG, Finding, all_hints, find_candidates, hints_in, lower

__all__ = ["mark", "may_hold_secrets", "redact", "redact_text", "redact_texts", "secret_name", "secrets_in"]

_LEAST = 6  # no shorter text holds a name and a value
_SHORT = 256  # no longer text is worth being made shorter
_BRIEF = 20  # to read such a text takes no longer than to look for it in another
_PASSES = 4
_DEPTH = 64


def mark(kind: str) -> str:
    """What stands where a secret stood."""
    return f"[redacted:{kind}]"


def redact_text(text: str) -> str:
    """The text with a mark in the place of each secret. What is redacted already stays as it is."""
    if len(text) < _LEAST:
        return text
    hints = hints_in(text)
    return _redact_all_of(text, hints) if hints else text


def may_hold_secrets(text: str) -> bool:
    """False where `redact_text` would leave the text, and every line of it, as it is."""
    return bool(hints_in(text))


def secrets_in(text: str) -> list[str]:
    """What stands where `redact_text` puts its marks."""
    if len(text) < _LEAST:
        return []
    return [text[start:end] for _, start, end in _found(text, hints_in(text))]


def redact_texts(texts: Collection[str]) -> dict[str, str]:
    """What `redact_text` makes of each; nothing if it would leave all of them as they are.

    To ask all at once whether any may hold a secret costs a tenth of asking each. An answer quotes its
    reason, and that the command: what stands in the longest text is not read twice.
    """
    together = "\n".join(texts)
    known: tuple[str, ...] = ()
    if len(together) > _SHORT:
        longest = max(texts, key=len)
        others = [text for text in texts if len(text) < _BRIEF or text.rstrip("\n") not in longest]
        if len(longest) > LONG:
            known, others = _hints_in_long([longest, *others])
            together = "\n".join(others)
        else:
            together = "\n".join([longest, *others])
    hints = all_hints().within(lower(together))
    if known:
        hints = tuple(dict.fromkeys((*known, *hints)))
    if not hints:
        return {}
    redacted = {text: _redact_hinted(text, hints) for text in texts}
    return redacted if list(redacted) != list(redacted.values()) else {}


def _hints_in_long(texts: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Each long text is looked through by itself, as it may have been before; and the others."""
    found = [hints_in(text) for text in texts if len(text) > LONG]
    return tuple(chain(*found)), [text for text in texts if len(text) <= LONG]


def _redact_hinted(text: str, hints: tuple[str, ...]) -> str:
    """The same as `redact_text` for a text that holds no other hints."""
    return _redact_all_of(text, hints) if any(map(lower(text).__contains__, hints)) else text


def _redact_all_of(text: str, hints: tuple[str, ...]) -> str:
    """A mark may join what stood apart, or be a hint itself: look again until nothing is found."""
    for _ in range(_PASSES):
        redacted = _redact_once(text, hints)
        if redacted == text:
            break
        text, hints = redacted, all_hints().all
    return text


def compile_hints() -> None:
    """For a process that will write many lines."""
    all_hints().compile()


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


def _redact_once(text: str, hints: tuple[str, ...]) -> str:
    parts: list[str] = []
    at = 0
    for kind, start, end in _found(text, hints):
        parts += [text[at:start], mark(kind)]
        at = end
    return "".join([*parts, text[at:]]) if parts else text


def _found(text: str, hints: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    found = [*find_candidates(text, hints), *find_in_context(text, hints)]
    return _spans(_around_marks(text, found))


def _spans(findings: Iterable[Finding]) -> Iterator[tuple[str, int, int]]:
    """What to take out, in order; findings that overlap are one."""
    kind, start, end = "", 0, 0
    for finding in sorted(findings, key=lambda found: (found.start, -found.end)):
        if kind and finding.start < end:
            end = max(end, finding.end)
            continue
        if kind:
            yield kind, start, end
        kind, start, end = finding.kind, finding.start, finding.end
    if kind:
        yield kind, start, end


def _around_marks(text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Marks are whole: a finding inside one is none, a finding that cuts one takes it all."""
    marks = [match.span() for match in _marks().finditer(text)] if "[redacted:" in text else []
    for finding in findings:
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
