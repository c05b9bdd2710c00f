"""Parts of a word while it is being read."""

from __future__ import annotations

from fairlead.shell.language.syntax_tree import Literal, Part
from fairlead.shell.lazy_pattern import lazy

_NEEDS_EXPANSION = lazy(r"[*?\[{~(]")


class Parts:
    """Gathers parts; neighbouring literals of one kind become one."""

    __slots__ = ("_parts", "_quoted", "_texts")

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._texts: list[str] = []
        self._quoted = False

    def literal(self, text: str, quoted: bool = False) -> None:
        if self._texts and quoted != self._quoted:
            self._flush()
        self._quoted = quoted
        self._texts.append(text)

    def add(self, part: Part) -> None:
        if self._texts:
            self._flush()
        self._parts.append(part)

    def _flush(self) -> None:
        self._parts.append(Literal("".join(self._texts), self._quoted))
        self._texts = []

    def done(self) -> list[Part]:
        if self._texts:
            self._flush()
        return self._parts


def plain_text(parts: list[Part]) -> str | None:
    """The text of a word in which nothing is left to expand, else None."""
    texts = []
    for part in parts:
        if type(part) is not Literal or (not part.quoted and _NEEDS_EXPANSION.search(part.text)):
            return None
        texts.append(part.text)
    return "".join(texts)
