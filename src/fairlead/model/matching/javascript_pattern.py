"""Regular expressions of JavaScript, in which several agents write their matchers."""

from __future__ import annotations

import re
from functools import lru_cache

from fairlead.model.matching.bounded_pattern import checked, finds

SPACE = " \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What `trim` takes away: the byte order mark is among it, U+0085 is not."""

_SPACE_CLASS = "\\t\\n\\v\\f\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NO_SPACE_CLASS = (
    "\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    "\u3001-\ufefe\uff00-\uffff"
)
_GROUPS = ("?<=", "?<!", "?:", "?=", "?!")
_OTHERWISE: dict[str | int, str] = {"?<=": ")|(?<=", "?<!": ")(?<!"}
"""A look backwards at one of several texts: Python wants a look for each of them."""
_NAME = re.compile(r"<([A-Za-z_$][\w$]*)>")
_PLAIN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
"""Where a parenthesis is a character like any other."""
_CAPTURE = re.compile(r"\((?:\?<([A-Za-z_$][\w$]*)>|(?!\?))")
_CONTROL = {"n": "\\n", "r": "\\r", "t": "\\t", "v": "\\v", "f": "\\f"}
_QUANTIFIER = re.compile(r"\{\d+(,\d*)?\}")


def trimmed(text: str) -> str:
    return text.strip(SPACE)


def units(text: str) -> str:
    """The text as UTF-16 code units: an emoji is two of them."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(int.from_bytes(data[n : n + 2], "little")) for n in range(0, len(data), 2))


@lru_cache(maxsize=256)
def regular_expression(source: str) -> str | None:
    """The pattern as Python writes it; None for what JavaScript calls invalid.

    Raises UnsupportedPatternError for what only JavaScript can do.
    """
    try:
        pattern = f"(?a){_Rewriter(units(source)).rewrite()}"
        checked(pattern)
        return pattern
    except re.error as error:
        if "fixed-width" in error.msg:
            raise UnsupportedPatternError(f"{source!r} looks backwards at texts of varying length") from error
        return None
    except (_InvalidError, OverflowError):
        return None


def searches(source: str, subject: str) -> bool | None:
    pattern = regular_expression(source)
    return None if pattern is None else finds(pattern, units(subject))


class UnsupportedPatternError(ValueError):
    """JavaScript could match this, and we cannot."""


class _InvalidError(Exception):
    """JavaScript would throw a SyntaxError."""


class _Rewriter:
    """One pass over the source; what both languages read alike is copied."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._place = 0
        self._groups = [match.group(1) for match in _CAPTURE.finditer(_PLAIN.sub("", source))]
        self._names = [name for name in self._groups if name]
        self._opened = 0
        self._open: list[str | int] = []
        self._closed: set[int] = set()
        if len(set(self._names)) < len(self._names):
            raise _InvalidError("two groups of one name")

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
        if character == "^":
            return character, False
        if character == "|":
            return _OTHERWISE.get(self._open[-1] if self._open else "", "|"), False
        if character == ")":
            behind = bool(self._open) and self._open[-1] in _OTHERWISE
            return "))" if behind else ")", self._close()
        return re.escape(character), True

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
        """Named groups become numbered ones, since Python takes fewer names."""
        rest = self._source[self._place :]
        prefix = next((prefix for prefix in _GROUPS if rest.startswith(prefix)), None)
        if prefix is not None:
            self._place += len(prefix)
            self._open.append(prefix)
            return f"(?:({prefix}" if prefix in _OTHERWISE else f"({prefix}"
        named = _NAME.match(rest, 1) if rest.startswith("?") else None
        if rest.startswith("?") and named is None:
            raise _InvalidError("invalid group")
        self._place += named.end() if named else 0
        self._opened += 1
        self._open.append(self._opened)
        return "("

    def _close(self) -> bool:
        """Whether the group that ends here may be repeated: a look backwards may not."""
        opened = self._open.pop() if self._open else ""
        if isinstance(opened, int):
            self._closed.add(opened)
        return opened not in _OTHERWISE

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
            return "\\b" if character == "b" else "(?!\\b)", False
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
        return _NO_SPACE_CLASS if inside else f"[^{_SPACE_CLASS}]"

    def _numbered(self, character: str, *, inside: bool) -> str:
        rest = self._source[self._place :]
        digits = {"x": 2, "u": 4}.get(character, 0)
        if digits:
            code = re.match(rf"[0-9A-Fa-f]{{{digits}}}", rest)
            self._place += digits if code else 0
            return re.escape(chr(int(code.group(), 16))) if code else character
        if character == "c":
            return self._control(rest)
        if character == "k":
            return self._named(rest) if self._names else character
        return self._digits(inside=inside)

    def _control(self, rest: str) -> str:
        if re.match(r"[A-Za-z]", rest):
            self._place += 1
            return re.escape(chr(ord(rest[0]) % 32))
        self._place -= 1
        return "\\\\"

    def _named(self, rest: str) -> str:
        named = _NAME.match(rest)
        if named is None or named.group(1) not in self._names:
            raise _InvalidError("invalid named reference")
        self._place += named.end()
        return self._same_as(self._groups.index(named.group(1)) + 1)

    def _digits(self, *, inside: bool) -> str:
        """A reference to a group that there is, or else a character by its octal number."""
        start = self._place - 1
        number = re.match(r"[1-9]\d*", self._source[start:])
        if number and not inside and int(number.group()) <= len(self._groups):
            self._place = start + number.end()
            return self._same_as(int(number.group()))
        octal = re.match(r"[0-3][0-7]{0,2}|[4-7][0-7]?", self._source[start:])
        if octal is None:
            return self._source[start]
        self._place = start + octal.end()
        return re.escape(chr(int(octal.group(), 8)))

    def _same_as(self, group: int) -> str:
        """A group that has matched nothing yet is matched by nothing."""
        return f"(?:(?({group})\\{group}|))" if group in self._closed else "(?:)"

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
        ended = following in sets or following.startswith("]")
        return ended or out[-1] in (*sets, _SPACE_CLASS, _NO_SPACE_CLASS)
