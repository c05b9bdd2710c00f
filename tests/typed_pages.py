"""Pages of the docs as somebody types them: files by their names, and lines with what they print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.model.value import Value

_BLOCK = re.compile(r"(?:^\*\*`([^`]+)`\*\*\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ANYTHING = "..."


class File(Value):
    name: str
    text: str


class Line(Value):
    """`prints` is what the page shows below it; `...` there stands for anything."""

    typed: str
    prints: tuple[str, ...] = ()


def steps(page: str) -> Iterator[File | Line]:
    """In the order of the page: what is written into a file, and what is typed."""
    for name, language, text in _BLOCK.findall(page):
        if name:
            yield File(name, text)
        elif language == "console":
            yield from _lines(text)


def _lines(text: str) -> Iterator[Line]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        typed, *prints = part.splitlines()
        yield Line(typed, tuple(prints))


def holds(printed: str, wanted: tuple[str, ...] | list[str]) -> re.Match[str] | None:
    """Whether these words are there in this order, however far apart; `...` stands for anything."""
    return re.search(pattern_of(" ".join(wanted)), " ".join(printed.split()), re.DOTALL)


def pattern_of(wanted: str) -> str:
    return ".*?".join(re.escape(" ".join(part.split())) for part in wanted.split(_ANYTHING))
