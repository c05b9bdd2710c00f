"""Tables that fit: where a line is too short, columns are left out, broken into lines, or stacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import click

from fairlead.doors.cli.presentation.screen import UNBOUNDED, screen_width
from fairlead.doors.cli.presentation.wrapping import cells, fields, padded, wrapped
from fairlead.model.value import Value

_GAP = "  "
_READABLE = 24
"""Columns that a text of several words should have at the least."""


class Column(Value):
    title: str
    right: bool = False
    spare: int = 0
    """Columns with a higher figure are left out first; those with 0 never are."""
    prose: bool = False
    """Whether it may be broken into several lines."""


Row = Sequence[str]


def table(columns: Sequence[Column], rows: Sequence[Row], *, width: int | None = None) -> list[str]:
    """The lines of a table with its heading. A column in which nothing stands is left out."""
    room = screen_width() if width is None else width
    kept = [n for n, _ in enumerate(columns) if any(row[n] for row in rows)] or list(range(len(columns)))
    while True:
        chosen, cut = [columns[n] for n in kept], [[row[n] for n in kept] for row in rows]
        widths = _widths(chosen, cut, room)
        if widths:
            return list(_lines(chosen, cut, widths))
        spare = max((columns[n].spare for n in kept), default=0)
        if not spare:
            return list(_stacked(chosen, cut, room))
        kept.remove(next(n for n in reversed(kept) if columns[n].spare == spare))


def _widths(columns: Sequence[Column], rows: Sequence[Row], room: int) -> list[int]:
    """The width of each column, or none if they do not fit."""
    natural = [
        max(cells(column.title), *(cells(row[n]) for row in rows), 0) for n, column in enumerate(columns)
    ]
    free = room - len(_GAP) * (len(columns) - 1)
    if room == UNBOUNDED or sum(natural) <= free:
        return natural
    least = [_least(column, [row[n] for row in rows], natural[n]) for n, column in enumerate(columns)]
    if sum(least) > free:
        return []
    return _shared(natural, least, free)


def _shared(natural: list[int], least: list[int], free: int) -> list[int]:
    """What is left over the least widths goes to the columns in the measure of what they lack."""
    left, lacking = free - sum(least), sum(natural) - sum(least)
    return [low + (high - low) * left // lacking for high, low in zip(natural, least, strict=True)]


def _least(column: Column, texts: Sequence[str], natural: int) -> int:
    if not column.prose:
        return natural
    longest = max((cells(word) for text in texts for word in text.split()), default=0)
    return min(natural, max(longest, _READABLE, cells(column.title)))


def _lines(columns: Sequence[Column], rows: Sequence[Row], widths: Sequence[int]) -> Iterator[str]:
    yield click.style(_line(columns, [column.title for column in columns], widths), bold=True)
    for row in rows:
        parts = [
            wrapped(text, width) if column.prose else [text]
            for column, text, width in zip(columns, row, widths, strict=True)
        ]
        for line in zip_longest(*parts, fillvalue=""):
            yield _line(columns, line, widths)


def _line(columns: Sequence[Column], texts: Sequence[str], widths: Sequence[int]) -> str:
    shown = zip(columns, texts, widths, strict=True)
    return _GAP.join(padded(text, width, right=column.right) for column, text, width in shown).rstrip()


def _stacked(columns: Sequence[Column], rows: Sequence[Row], room: int) -> Iterator[str]:
    """One block for each row: its first column, and below it what the others say of it."""
    for number, row in enumerate(rows):
        if number:
            yield ""
        yield from wrapped(row[0], room)
        told = [(c.title.lower(), text) for c, text in zip(columns[1:], row[1:], strict=True) if text]
        yield from fields(told, width=room)
