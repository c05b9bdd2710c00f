"""Lines that fit: broken between words, never within one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import click

from fairlead.doors.cli.presentation.screen import UNBOUNDED, screen_width

LEAST = 16
"""Columns below which text is no longer broken into lines: more would be white than black."""


def wrapped(text: str, width: int, *, first: str = "", rest: str | None = None) -> list[str]:
    """The text behind `first`, its further lines behind `rest`, which is as wide as `first` if not given.

    A line of the text that is itself indented stays as it is.
    """
    indent = " " * cells(first) if rest is None else rest
    head, *more = text.split("\n")
    lines = _broken(head, width, first, indent)
    for line in more:
        inner = " " * (len(line) - len(line.lstrip(" "))) or indent
        lines += _broken(line.lstrip(" "), width, inner, inner)
    return lines


def _broken(line: str, width: int, first: str, rest: str) -> list[str]:
    if width == UNBOUNDED or cells(first) + cells(line) <= width:
        return [f"{first}{line}".rstrip()]
    room = max(width - max(cells(first), cells(rest)), LEAST)
    found = [""]
    for word, blanks in _WORD.findall(line):
        if found[-1] and cells(found[-1]) + cells(word) > room:
            found[-1] = found[-1].rstrip(" ")
            found.append("")
        found[-1] += word + blanks
    return [f"{first}{found[0]}".rstrip(), *(f"{rest}{part}" for part in found[1:])]


_WORD = re.compile(r"(`[^`\n]{1,32}`[^\s`]*|[^ ]+)( *)")
"""A short command counts as a word: it stays on one line, to be copied."""


def paragraph(text: str, *, first: str = "", rest: str | None = None) -> list[str]:
    """`wrapped` for the screen that there is."""
    return wrapped(text, screen_width(), first=first, rest=rest)


def fields(rows: Sequence[tuple[str, str]], *, indent: int = 2, width: int | None = None) -> Iterator[str]:
    """Names in a column, and beside each what it stands for; an empty name goes on with the one before.

    Where a name would take half of the line, its text stands below it.
    """
    room = screen_width() if width is None else width
    names = max((cells(name) for name, _ in rows), default=0)
    for name, text in rows:
        head = " " * indent + padded(name, names) + "  "
        if room != UNBOUNDED and cells(head) > room // 2:
            yield from _below(name, text, indent, room)
        else:
            yield from wrapped(text, room, first=head)


def _below(name: str, text: str, indent: int, width: int) -> Iterator[str]:
    if name:
        yield " " * indent + name
    yield from wrapped(text, width, first=" " * (indent + 2))


def cells(text: str) -> int:
    """The columns that a terminal needs for a text: some letters take two, marks above letters none."""
    plain = click.unstyle(text)
    if plain.isascii():
        return len(plain)
    return sum(map(_cells_of, plain))


def _cells_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - cells(text))
    return space + text if right else text + space


def cut(text: str, width: int) -> str:
    """The beginning of a text with a mark for the rest, ended at a word where there is one near."""
    if width == UNBOUNDED or cells(text) <= width:
        return text
    kept = ""
    taken = 0
    for character in text:
        taken += _cells_of(character)
        if taken > width - 1:
            break
        kept += character
    at = kept.rfind(" ")
    return f"{kept[:at] if at > len(kept) // 2 else kept}…"
