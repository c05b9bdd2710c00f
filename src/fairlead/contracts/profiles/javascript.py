"""The few habits of JavaScript that the originals depend on: trimming, texts, regular expressions."""

from __future__ import annotations

import json
import re
from functools import lru_cache

SPACE = " \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What `trim` takes away: the byte order mark is among it, U+0085 is not."""

_SPACE_CLASS = "\\t\\n\\v\\f\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_GROUPS = ("?:", "?=", "?!", "?<=", "?<!")
_CONTROL = {"n": "\\n", "r": "\\r", "t": "\\t", "v": "\\v", "f": "\\f"}
_QUANTIFIER = re.compile(r"\{\d+(,\d*)?\}")


def trimmed(text: str) -> str:
    return text.strip(SPACE)


def parsed(text: str) -> object:
    """Raises ValueError for what `JSON.parse` would not take, NaN among it."""

    def refuse(constant: str) -> object:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


def text_of(value: object) -> str:
    """What `String(value)` gives."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join("" if item is None else text_of(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def spread(value: object) -> dict[str, object]:
    """What `{...value}` gives."""
    if isinstance(value, dict):
        return value
    if isinstance(value, (list, str)):
        return {str(place): item for place, item in enumerate(value)}
    return {}


def units(text: str) -> str:
    """The text as UTF-16 code units: an emoji is two of them."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(int.from_bytes(data[n : n + 2], "little")) for n in range(0, len(data), 2))


@lru_cache(maxsize=256)
def regular_expression(source: str) -> re.Pattern[str] | None:
    """The pattern as Python would write it; None for what JavaScript calls invalid."""
    try:
        return re.compile(_Rewriter(units(source)).rewrite(), re.ASCII)
    except (re.error, _InvalidError, OverflowError):
        return None


def searches(source: str, subject: str) -> bool | None:
    pattern = regular_expression(source)
    return None if pattern is None else pattern.search(units(subject)) is not None


class _InvalidError(Exception):
    """JavaScript would throw a SyntaxError."""


class _Rewriter:
    """One pass over the source; what both languages read alike is copied."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._place = 0
        self._names = set(re.findall(r"\(\?<([A-Za-z_$][\w$]*)>", source))

    def rewrite(self) -> str:
        out: list[str] = []
        repeatable = False
        while self._place < len(self._source):
            piece, repeatable = self._next(repeatable)
            out.append(piece)
        return "".join(out)

    def _next(self, repeatable: bool) -> tuple[str, bool]:
        character = self._source[self._place]
        self._place += 1
        if character == "\\":
            return self._escape(inside=False)
        if character == "[":
            return self._class(), True
        if character == "(":
            return self._group(), False
        if character in "*+?" or (character == "{" and self._counts()):
            return self._quantifier(character, repeatable), False
        if character == ".":
            return "[^\\n\\r\u2028\u2029]", True
        if character == "$":
            return "\\Z", False
        if character in "^|":
            return character, False
        return (character if character == ")" else re.escape(character)), True

    def _counts(self) -> bool:
        return _QUANTIFIER.match(self._source, self._place - 1) is not None

    def _quantifier(self, character: str, repeatable: bool) -> str:
        if not repeatable:
            raise _InvalidError("nothing to repeat")
        text = character
        if character == "{":
            match = _QUANTIFIER.match(self._source, self._place - 1)
            assert match is not None
            text = match.group()
            self._place = match.end()
        if self._source.startswith("?", self._place):
            self._place += 1
            text += "?"
        return text

    def _group(self) -> str:
        if not self._source.startswith("?", self._place):
            return "("
        rest = self._source[self._place :]
        for prefix in sorted(_GROUPS, key=len, reverse=True):
            if rest.startswith(prefix):
                self._place += len(prefix)
                return "(" + prefix
        named = re.match(r"\?<([A-Za-z_$][\w$]*)>", rest)
        if named is None:
            raise _InvalidError("invalid group")
        self._place += named.end()
        return f"(?P<{named.group(1)}>"

    def _escape(self, *, inside: bool) -> tuple[str, bool]:
        if self._place >= len(self._source):
            raise _InvalidError("a backslash at the end")
        character = self._source[self._place]
        self._place += 1
        if character in "dDwW":
            return f"\\{character}", True
        if character in "sS":
            return self._space(character, inside=inside), True
        if character in "bB" and not inside:
            return f"\\{character}", False
        if character == "b":
            return "\\x08", True
        if character in _CONTROL:
            return _CONTROL[character], True
        if character in "xuck0123456789":
            return self._numbered(character, inside=inside), True
        return re.escape(character), True

    def _space(self, character: str, *, inside: bool) -> str:
        if character == "s":
            return _SPACE_CLASS if inside else f"[{_SPACE_CLASS}]"
        return "\\S" if inside else f"[^{_SPACE_CLASS}]"

    def _numbered(self, character: str, *, inside: bool) -> str:
        digits = {"x": 2, "u": 4}.get(character, 0)
        code = self._source[self._place : self._place + digits]
        if digits and re.fullmatch(r"[0-9A-Fa-f]+", code) and len(code) == digits:
            self._place += digits
            return re.escape(chr(int(code, 16)))
        if character == "c" and re.match(r"[A-Za-z]", self._source[self._place :]):
            self._place += 1
            return re.escape(chr(ord(self._source[self._place - 1]) % 32))
        if character == "k" and self._names:
            named = re.match(r"<([A-Za-z_$][\w$]*)>", self._source[self._place :])
            if named is None or named.group(1) not in self._names:
                raise _InvalidError("invalid named reference")
            self._place += named.end()
            return f"(?P={named.group(1)})"
        if character == "0":
            return "\\x00"
        if (
            character.isdigit()
            and not inside
            and int(character) <= len(re.findall(r"\((?!\?)", self._source))
        ):
            return f"(?:\\{character})"
        return "\\x0" + character if character in "1234567" else character

    def _class(self) -> str:
        negated = self._source.startswith("^", self._place)
        self._place += negated
        out: list[str] = []
        while True:
            if self._place >= len(self._source):
                raise _InvalidError("an open class")
            character = self._source[self._place]
            self._place += 1
            if character == "]":
                break
            out.append(self._member(character, out))
        if not out:
            return "[\\s\\S]" if negated else "(?!)"
        return f"[{'^' if negated else ''}{''.join(out)}]"

    def _member(self, character: str, out: list[str]) -> str:
        if character == "\\":
            return self._escape(inside=True)[0]
        if character == "-" and (not out or self._beside_a_set(out)):
            return "\\-"
        return character if character == "-" else re.escape(character)

    def _beside_a_set(self, out: list[str]) -> bool:
        """`[\\w-x]`: a set cannot begin or end a range, so the dash is one."""
        following = self._source[self._place : self._place + 2]
        sets = ("\\d", "\\D", "\\w", "\\W", "\\s", "\\S")
        return out[-1] in (*sets, _SPACE_CLASS) or following in sets or following.startswith("]")
