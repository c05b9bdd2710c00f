"""The captured output of one hook: what was written where, in the order of the writes."""

from __future__ import annotations

from enum import IntEnum

from fairlead.model.value import Value


class Stream(IntEnum):
    STDOUT = 1
    STDERR = 2


class Line(Value):
    """One line without its newline; `ended` is False for a last line that had none."""

    stream: Stream
    data: bytes
    seconds: float = 0.0
    ended: bool = True

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


class Timeline(Value):
    """Every line of both streams in one order. `exact` says whether that order is known or guessed."""

    lines: tuple[Line, ...] = ()
    exact: bool = True
    truncated: bool = False

    def text(self, stream: Stream) -> str:
        return self.data(stream).decode("utf-8", "replace")

    def data(self, stream: Stream) -> bytes:
        parts = [line.data + (b"\n" if line.ended else b"") for line in self.lines if line.stream == stream]
        return b"".join(parts)
