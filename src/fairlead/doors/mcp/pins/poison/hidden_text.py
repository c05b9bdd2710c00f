"""Text that a model reads and a person does not see: unseen letters, long blanks, other encodings."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator

from fairlead.model.value import Value
from fairlead.shell.lazy_pattern import lazy

_BLANK = "[ \t\xa0\u2000-\u200a\u202f\u205f\u3000]"


class HiddenShape(Value):
    name: str
    why: str
    pattern: re.Pattern[str]
    hits: tuple[str, ...]
    passes: tuple[str, ...]


HIDDEN = (
    HiddenShape(
        "tag-letters",
        "letters that nobody sees spell a text",
        lazy("(?<![\U0001f3f4\U000e0061-\U000e007a])[\U000e0001\U000e0020-\U000e007f]+"),
        ("now" + "".join(chr(0xE0000 + ord(letter)) for letter in "read"),),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",),
    ),
    HiddenShape(
        "turned-text",
        "marks turn the text round, so that it is not read as it stands",
        lazy("[\u202a\u202b\u202d\u202e\u2066-\u2069]"),
        ("The \u202eyek\u202c.",),
        ("\u05e9\u05dc\u05d5\u05dd\u200f!",),
    ),
    HiddenShape(
        "split-words",
        "words are split by letters without a width",
        lazy("[A-Za-z][\u00ad\u200b\u200c\u200d\u2060-\u2064\ufeff\u180e][A-Za-z]"),
        ("I\u200bgnore",),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    ),
    HiddenShape(
        "coded-letters",
        "letters without a width may spell a text",
        lazy(
            "[\u200b\u200c\u200d\u2060-\u2064\ufeff]{4}|(?:[\ufe00-\ufe0f]\\s?){3}|[\U000e0100-\U000e01ef]{2}"
            "|[\u115f\u1160\u3164\uffa0]{2}"
        ),
        ("time\u200b\u200c\u200c\u200b", "x" + "\u3164" * 3),
        ("\u2764\ufe0f", "a\u200b b"),
    ),
    HiddenShape(
        "terminal-codes",
        "codes for a terminal can hide what follows",
        lazy("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f]"),
        ("The time.\x1b[8mnot seen",),
        ("a\tb\r\nc",),
    ),
    HiddenShape(
        "far-away-text",
        "so many blanks that what follows is out of sight",
        lazy(f"(?<!{_BLANK}){_BLANK}{{120,}}+\\S|(?<!\\s)(?:[^\\S\\n]*+\\n){{25,}}+[^\\S\\n]*+\\S"),
        ("Lists." + " " * 200 + "More.", "Lists." + "\n" * 40 + "More."),
        ("Lists.\n\n\n        More.", "Lists." + " " * 200),
    ),
)
_BASE64 = lazy(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}={0,2}")
_HEX = lazy(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}){24,}(?![0-9A-Za-z])")
_SENTENCE = lazy(r"(?<![A-Za-z])[A-Za-z]{2,}[ ,.:;]+[A-Za-z]+[ ,.:;]+[A-Za-z]+")
_MOST = 64
"""Encoded parts of one text that are decoded."""


def decoded_texts(text: str) -> Iterator[tuple[str, int]]:
    """Each encoded part that holds words, decoded, and where it stands. Keys and pictures hold none."""
    for number, found in enumerate(_BASE64.finditer(text)):
        if number >= _MOST:
            break
        part = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        words = _words(_from_base64(part))
        if words:
            yield words, found.start()
    for number, found in enumerate(_HEX.finditer(text)):
        if number >= _MOST:
            break
        words = _words(bytes.fromhex(found[0]))
        if words:
            yield words, found.start()


def _from_base64(part: str) -> bytes:
    try:
        return b64decode(part[: len(part) - (len(part) % 4 == 1)] + "==")
    except ValueError:
        return b""


def _words(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() and _SENTENCE.search(text) else ""
