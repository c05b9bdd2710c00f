"""The part of a command that is meant, underlined in its line as compilers do."""

from __future__ import annotations

from fairlead.doors.cli.presentation.screen import UNBOUNDED
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import cells

_LONGEST = 400
"""Characters of a line that are shown where the screen has no end."""
_BEFORE = 12
"""Characters of a longer line that are shown before the part."""


def underlined(source: str, part: str, *, start: object, end: object, width: int) -> list[str]:
    """The line in which the part stands, and below it the marks; nothing where it cannot be found.

    `start` and `end` count bytes of the source, and are believed where they are numbers.
    """
    before, meant = _split(source, part, start, end)
    line = printable(source[source.rfind("\n", 0, len(before)) + 1 :].split("\n", 1)[0])
    column = len(before) - (before.rfind("\n") + 1)
    meant = printable(meant.split("\n", 1)[0])
    if not meant or line[column : column + len(meant)] != meant:
        return []
    line, column = _window(line, column, _LONGEST if width == UNBOUNDED else width)
    space, marks = cells(line[:column]), cells(line[column : column + len(meant)])
    return [line, " " * space + "^" * max(marks, 1)] if column < len(line) else []


def _split(source: str, part: str, start: object, end: object) -> tuple[str, str]:
    if isinstance(start, int) and isinstance(end, int) and end > start:
        data = source.encode("utf-8", "surrogatepass")
        return data[:start].decode("utf-8", "replace"), data[start:end].decode("utf-8", "replace")
    at = source.find(part)
    return (source[:at], part) if at >= 0 else (source, "")


def _window(line: str, column: int, width: int) -> tuple[str, int]:
    """Of a line that is too long, what stands around the part."""
    if len(line) <= width:
        return line, column
    first = max(min(column - _BEFORE, len(line) - width), 0)
    shown = line[first : first + width]
    if first:
        shown = f"…{shown[1:]}"
    if first + width < len(line):
        shown = f"{shown[:-1]}…"
    return shown, column - first
