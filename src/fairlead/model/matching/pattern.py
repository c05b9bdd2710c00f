"""The words that a matcher is made of: names, globs and /regular expressions/.

What can fit no name at all is refused when it is written. A guard whose matcher never fits guards nothing,
and nobody would notice.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from fairlead.errors import RegistrationError
from fairlead.model.matching.bounded_pattern import checked, finds
from fairlead.model.value import Value

_EXPRESSION = re.compile(r"/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])+)/([a-z]*)", re.DOTALL)
_REGEX_SIGNS = re.compile(r"[\^$\\()+]|\.\*\?|\[\^")
"""Signs that no tool's name has, and that no glob needs."""


class Glob(Value):
    """A name, with `*`, `?` and `[...]` for what may vary. Case counts."""

    text: str

    def fits(self, subject: str) -> bool:
        return self.text == subject or fnmatchcase(subject, self.text)


class Expression(Value):
    """A regular expression of Python, searched for anywhere in the name."""

    source: str
    ignore_case: bool = False

    @property
    def text(self) -> str:
        """As it is written."""
        return f"/{self.source}/{'i' if self.ignore_case else ''}"

    def fits(self, subject: str) -> bool:
        return finds(self.source, subject, ignore_case=self.ignore_case)


Pattern = Glob | Expression


def name_patterns(spec: str) -> tuple[Pattern, ...]:
    """`Read|Write`, `Read, Write`, `mcp__*`, `/^mcp__/i`: names of tools, or of what an event is about."""
    return tuple(_name_pattern(word) for word in split_words(spec))


def text_pattern(text: str, *, flags: bool = True) -> Pattern:
    """One pattern for a whole text, which may hold any sign. A path may end in `/i`, so it has no flags."""
    whole = _EXPRESSION.fullmatch(text)
    if whole and (flags or not whole[2]):
        return _expression(text, whole[1], whole[2])
    return Glob(text)


def split_words(spec: str) -> list[str]:
    """At `|` and `,`, but not inside a regular expression."""
    words, at = [], 0
    while at < len(spec):
        begun = re.compile(r"\s*").match(spec, at)
        assert begun is not None
        at = begun.end()
        expression = _EXPRESSION.match(spec, at) if spec.startswith("/", at) else None
        end = expression.end() if expression else at
        rest = re.compile(r"[^|,]*").match(spec, end)
        assert rest is not None
        words.append(spec[at : rest.end()].strip())
        at = rest.end() + 1
    return [word for word in words if word]


def _name_pattern(word: str) -> Pattern:
    whole = _EXPRESSION.fullmatch(word)
    if whole:
        return _expression(word, whole[1], whole[2])
    if word.startswith("/"):
        raise RegistrationError(
            f"{word!r} begins a regular expression and does not end it", hint=f"write {word.rstrip('/')}/"
        )
    if _REGEX_SIGNS.search(word):
        raise RegistrationError(
            f"{word!r} reads as a regular expression, and would be taken for a glob that fits no name",
            hint=f"put it between slashes: /{word}/",
        )
    return Glob(word)


def _expression(written: str, source: str, flags: str) -> Expression:
    if flags not in ("", "i"):
        raise RegistrationError(
            f"{written} has the flags {flags!r}",
            hint="the only flag is i, for small and capital letters alike",
        )
    try:
        checked(source)
    except re.error as error:
        raise RegistrationError(
            f"{written} is not a regular expression: {error}", hint="mend it, or write a glob"
        ) from error
    return Expression(source, flags == "i")
