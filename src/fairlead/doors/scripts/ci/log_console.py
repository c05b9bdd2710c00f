"""A console for a log that others read: whole lines, no secrets, both streams as one in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.console import Console
from fairlead.model.timeline import Stream

_LONGEST = 1 << 16
"""Of a line that is shown as a whole."""
_AROUND = 1 << 12
"""Bytes on either side of a cut in which a secret may stand."""
_STEP = 1 << 8


class LogConsole(Console):
    """Everything goes to stdout: two streams would reach the log in an order that nobody decides."""

    def __init__(self, masks: Masks) -> None:
        super().__init__()
        self._masks = masks
        self._open: dict[Stream, bytes] = {}

    def know(self, variables: Mapping[str, str]) -> None:
        self._masks.variables(variables)

    def hide(self, lines: bytes) -> None:
        self._masks.lines(lines.decode("utf-8", "surrogateescape").splitlines())

    def write(self, stream: Stream, data: bytes) -> None:
        *ended, rest = (self._open.get(stream, b"") + data).split(b"\n")
        while len(rest) > _LONGEST + _AROUND:
            place = self._place_to_cut(rest)
            ended.append(rest[:place])
            rest = rest[place:]
        self._open[stream] = rest
        self._show(ended)

    def _place_to_cut(self, line: bytes) -> int:
        """Not within a secret, of which neither half would be known as one."""
        for place in range(_LONGEST, _LONGEST - _AROUND, -_STEP):
            left, right = (
                part.decode("utf-8", "surrogateescape")
                for part in (line[place - _AROUND : place], line[place : place + _AROUND])
            )
            if self._masks.hidden(left) + self._masks.hidden(right) == self._masks.hidden(left + right):
                return place
        return _LONGEST

    def finish_lines(self) -> None:
        """Shows what was left without a newline, and ends it: whatever comes next begins a line."""
        self._show([each for each in self._open.values() if each])
        self._open.clear()
        self._masks.end()

    def say(self, text: str) -> None:
        super().write(Stream.STDOUT, text.encode("utf-8", "backslashreplace") + b"\n")

    def _show(self, lines: Sequence[bytes]) -> None:
        if not lines:
            return
        texts = b"\n".join(lines).decode("utf-8", "surrogateescape").split("\n")
        shown = self.harmless("\n".join(self._masks.lines(texts)))
        super().write(Stream.STDOUT, shown.encode("utf-8", "surrogateescape") + b"\n")

    def harmless(self, text: str) -> str:
        """The text without what the log's reader would take for a command."""
        return text
