"""Backslash escapes as `$'…'`, `echo -e` and `printf` read them."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_HEX = lazy(r"[0-9A-Fa-f]{1,2}")
_UNICODE = {"u": re.compile(r"[0-9A-Fa-f]{1,4}"), "U": re.compile(r"[0-9A-Fa-f]{1,8}")}
_OCTAL = lazy(r"[0-7]{1,3}")
_OCTAL_ZERO = lazy(r"0?[0-7]{0,3}")
_END = lazy(r"['\\]")


def decode_ansi_c(text: str, pos: int, end: int) -> tuple[str, int, bool]:
    """The text of a `$'` quote from `pos`, where it ends, and whether it was closed."""
    pieces: list[str] = []
    while pos < end:
        match = _END.search(text, pos, end)
        if not match:
            break
        pieces.append(text[pos : match.start()])
        pos = match.start()
        if text[pos] == "'":
            return _without_nul("".join(pieces)), pos + 1, True
        piece, pos = _escape(text, pos + 1, end, octal_zero=False)
        pieces.append(piece)
    pieces.append(text[pos:end])
    return _without_nul("".join(pieces)), end, False


def decode_escapes(text: str) -> tuple[str, bool]:
    """`text` with its escapes decoded, as `echo -e` and `printf %b`; and whether `\\c` ended it."""
    pieces: list[str] = []
    pos, end = 0, len(text)
    while True:
        slash = text.find("\\", pos)
        if slash < 0 or slash + 1 >= end:
            pieces.append(text[pos:])
            return _joined(pieces), False
        pieces.append(text[pos:slash])
        if text[slash + 1] == "c":
            return _joined(pieces), True
        piece, pos = _escape(text, slash + 1, end, octal_zero=True)
        pieces.append(piece)


def _without_nul(text: str) -> str:
    """The shell's strings end at a NUL; bytes that together are UTF-8 become characters."""
    return _joined([text.split("\0", 1)[0]])


def _joined(pieces: list[str]) -> str:
    text = "".join(pieces)
    if text.isascii():
        return text
    return (
        text.encode(
            "utf-8",
            "surrogateescape",
        ).decode("utf-8", "surrogateescape")
        if _encodable(text)
        else text
    )


def _encodable(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in text)


def _byte(value: int) -> str:
    value &= 0xFF
    return chr(value) if value < 0x80 else chr(0xDC00 + value)


def _escape(text: str, pos: int, end: int, *, octal_zero: bool) -> tuple[str, int]:
    """One escape, whose letter is at `pos`; an unknown one keeps its backslash."""
    if pos >= end:
        return "\\", pos
    char = text[pos]
    if char in _SIMPLE:
        return _SIMPLE[char], pos + 1
    if char == "x" and (match := _HEX.match(text, pos + 1, end)):
        return _byte(int(match.group(), 16)), match.end()
    if char in _UNICODE and (match := _UNICODE[char].match(text, pos + 1, end)):
        value = int(match.group(), 16)
        return (chr(value) if value <= 0x10FFFF else ""), match.end()
    octal = _OCTAL_ZERO if octal_zero and char == "0" else _OCTAL
    if char in "01234567" and (match := octal.match(text, pos, end)):
        return _byte(int(match.group() or "0", 8)), match.end()
    if char == "c" and pos + 1 < end:
        return chr(ord(text[pos + 1]) & 0x1F), pos + 2
    return "\\" + char, pos + 1
