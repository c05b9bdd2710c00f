"""Rows of a screen: pieces of text, each with a style. What styles become on a terminal is said here alone,
and no text brings its own: the journal holds what agents sent."""

from __future__ import annotations

from collections.abc import Sequence

import click

from fairlead.doors.cli.output import COLOURS
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import cells, cut
from fairlead.model.decision import Decision
from fairlead.model.value import Value


class Piece(Value):
    text: str
    colour: str = ""
    bold: bool = False


class Row(Value):
    pieces: tuple[Piece, ...] = ()
    chosen: bool = False

    @property
    def text(self) -> str:
        return "".join(printable(piece.text) for piece in self.pieces)


def row(*texts: str | Piece, chosen: bool = False) -> Row:
    return Row(tuple(each if isinstance(each, Piece) else Piece(each) for each in texts), chosen)


def decided(decision: Decision, text: str) -> Piece:
    return Piece(text, COLOURS[decision], bold=True)


def fitting(shown: Row, width: int) -> Row:
    """As much of it as the screen has room for."""
    kept: list[Piece] = []
    left = width
    for piece in shown.pieces:
        text = printable(piece.text)
        if cells(text) > left:
            kept.append(piece.replace(text=cut(text, left) if left > 1 else ""))
            break
        kept.append(piece.replace(text=text))
        left -= cells(text)
    return shown.replace(pieces=tuple(kept))


def painted(shown: Row, width: int, *, colour: bool) -> str:
    """The row as bytes for a terminal; a chosen one is inverted to its end."""
    pieces = fitting(shown, width).pieces
    if not colour:
        return "".join(piece.text for piece in pieces)
    text = "".join(click.style(each.text, fg=each.colour or None, bold=each.bold or None) for each in pieces)
    if not shown.chosen:
        return text
    plain = "".join(piece.text for piece in pieces)
    return click.style(plain + " " * (width - cells(plain)), reverse=True)


def side_by_side(texts: Sequence[str], width: int, gap: str = "  ") -> str:
    """As many whole texts as fit beside each other."""
    line = ""
    for text in texts:
        longer = f"{line}{gap}{text}" if line else text
        if cells(longer) > width:
            break
        line = longer
    return line
