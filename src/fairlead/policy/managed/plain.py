"""`managed.yaml` without a reader of YAML: as three programs read it, two of them when nothing else works.

Written three times, here, in `doors/client.py` and in `native/plain.c`, with one table of tests. Few ways to
write a line are plain. A file with any other line, with a key twice, or without what belongs below a key is
not read at all, and forbids everything: what it means might be something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.model.value import Value

_DEED = r"(off|allow|trust|approve|\"(off|allow|trust|approve)\"|'(off|allow|trust|approve)')"
_WORD = r"[A-Za-z_][A-Za-z0-9_./*@+-]*"
_NAME = rf"({_WORD}|\"{_WORD}\"|'{_WORD}')"
_CODE, _ANSWER = "1-[0-9a-f]{16}-[0-9a-f]{64}", "2-[0-9a-f]{16}-[0-9a-f]{64}"
_MINUTES = "([1-9]|[1-9][0-9]|[1-9][0-9][0-9]|1[0-3][0-9][0-9]|14[0-3][0-9]|1440)"
_ITEMS = {"forbid": _DEED, "lock": _NAME, "codes": _CODE, "answers": _ANSWER, "people": _NAME}
_TOP, _BELOW = ("forbid", "lock", "break_glass"), ("codes", "answers", "minutes", "people")
_MARKS = str.maketrans("[],\"'", "     ")
_NOT_TEXT = frozenset(("on", "off", "yes", "no", "true", "false", "null"))
"""What YAML takes for something else than a name; `forbid` has `off` for a word of its own."""


def _list_of(item: str, *, empty: bool) -> str:
    return rf"\[ *({item}( *, *{item})*){'?' if empty else ''} *\]"


_LISTS = {key: _list_of(item, empty=key in ("forbid", "lock")) for key, item in _ITEMS.items()}
_VALUES = {**_LISTS, "minutes": _MINUTES}
_PAIR = "(" + "|".join(f"{key}: +{_VALUES[key]}" for key in _BELOW) + ")"
_GLASS = rf"\{{ *{_PAIR}( *, *{_PAIR})* *\}}"


class _At(Value):
    """Where the reader is: in which keys, and how far their lists are indented; -1 for not yet."""

    key: str = ""
    below: str = ""
    indent: int = -1
    items: int = -1
    filled: bool = True
    seen: frozenset[str] = frozenset()


def is_plain(content: bytes) -> bool:
    return not plainly_forbids(content, "")


def plainly_forbids(content: bytes, deed: str) -> bool:
    """Whether it is forbidden; everything is where the text is not plain."""
    at, named = _At(), False
    for line in _lines(content):
        if line is None:
            return True
        if not line or (line == "---" and not at.seen):
            continue
        after = _read(at, line)
        if after is None:
            return True
        named = named or (after.key == "forbid" and deed in _words(line.removeprefix("forbid:")))
        at = after
    return named or not at.filled or not at.seen or ("break_glass" in at.seen and at.seen.isdisjoint(_CODES))


_CODES = frozenset(("codes", "answers"))


def _lines(content: bytes) -> Iterator[str | None]:
    """With what is in brackets in one line, and without comments; None where it cannot be plain."""
    whole = ""
    for raw in content.split(b"\n"):
        line = _without_comment(raw.removesuffix(b"\r"))
        if line is None or (whole and line and not line.startswith(" ")):
            yield None
            return
        whole = f"{whole} {line.strip(' ')}" if whole else line
        if not _is_open(whole):
            yield whole
            whole = ""
    if whole:
        yield None


def _is_open(line: str) -> bool:
    return sum(map(line.count, "[{")) > sum(map(line.count, "]}"))


def _without_comment(raw: bytes) -> str | None:
    before, mark, comment = raw.partition(b"#")
    if mark and before and not before.endswith(b" "):
        return None
    if any(not 0x20 <= byte < 0x7F for byte in before) or any(each in comment for each in _BREAKS):
        return None
    return before.decode("ascii").rstrip(" ")


_BREAKS = (b"\r", b"\0", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")
"""Where a line of YAML ends besides: what stands behind one could be anything."""


def _read(at: _At, line: str) -> _At | None:
    indent = len(line) - len(line.lstrip(" "))
    text = line[indent:]
    if text.startswith("- "):
        return _item(at, indent, text[2:].lstrip(" "))
    key, colon, value = text.partition(":")
    if not colon or (not at.filled and not (at.key == "break_glass" and not at.below)):
        return None
    if indent == 0:
        return _top(at, key, value)
    inside = at.key == "break_glass" and at.indent in (-1, indent)
    return _below(at, indent, key, value) if inside and key in _BELOW and key not in at.seen else None


def _top(at: _At, key: str, value: str) -> _At | None:
    if key not in _TOP or key in at.seen or not at.filled:
        return None
    seen = at.seen | {key}
    if not value:
        return _At(key, filled=False, seen=seen)
    if not re.fullmatch(rf" +({_GLASS if key == 'break_glass' else _LISTS[key]})", value):
        return None
    if key == "break_glass":
        names = re.findall(r"([a-z]+):", value)
        return _At(key, indent=0, seen=seen | set(names)) if len(names) == len(set(names)) else None
    return _At(key, items=0, seen=seen) if key == "forbid" or _are_names(value) else None


def _below(at: _At, indent: int, key: str, value: str) -> _At | None:
    at = at.replace(below=key, indent=indent, items=-1, filled=bool(value), seen=at.seen | {key})
    if not value:
        return at if key != "minutes" else None
    plain = re.fullmatch(rf" +({_VALUES[key]})", value) and (key != "people" or _are_names(value))
    return at.replace(items=indent) if plain else None


def _item(at: _At, indent: int, text: str) -> _At | None:
    key = at.below or at.key
    deeper = indent >= max(at.indent, 0) and at.items in (-1, indent)
    started = at.items == indent or not at.filled
    if key not in _ITEMS or not deeper or not started or not re.fullmatch(_ITEMS[key], text):
        return None
    plain = key not in ("lock", "people") or _are_names(text)
    return at.replace(items=indent, filled=True) if plain else None


def _words(text: str) -> list[str]:
    return text.translate(_MARKS).split()


def _are_names(text: str) -> bool:
    return _NOT_TEXT.isdisjoint(_words(text.lower()))
