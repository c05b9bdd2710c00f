"""A console for a log that others read: whole lines, no secrets, both streams as one in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.console import Console
from fairlead.model.timeline import Stream

_LONGEST = 1 << 16
"""Of a line that is shown as a whole."""


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
        while len(rest) > _LONGEST:
            ended.append(rest[:_LONGEST])
            rest = rest[_LONGEST:]
        self._open[stream] = rest
        self._show(ended)

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
