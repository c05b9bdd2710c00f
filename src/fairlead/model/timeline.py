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


Chunk = tuple[int, float, bytes]
"""One or more writes in a row on one stream: the stream, the seconds since the start, the bytes."""


class Timeline(Value):
    """Everything that was written on both streams, in one order.

    `exact` says whether that order is known or guessed, `truncated` whether more was written than is kept.
    Chunks are kept and lines made from them on demand: a megabyte of short lines is half a million values.
    """

    chunks: tuple[Chunk, ...] = ()
    exact: bool = True
    truncated: bool = False
    spilled: str = ""
    """The file that has what is not kept here, if someone asked for one."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Whole lines, each at the place of its first byte: a line is never torn by the other stream."""
        lines: list[Line | None] = []
        begun: dict[int, tuple[int, float, list[bytes]]] = {}
        for stream, seconds, data in self.chunks:
            *ended, rest = data.split(b"\n")
            for piece in ended:
                place, since, parts = begun.pop(stream, (len(lines), seconds, []))
                if place == len(lines):
                    lines.append(None)
                lines[place] = Line(Stream(stream), b"".join((*parts, piece)), since)
            if rest:
                if stream not in begun:
                    begun[stream] = (len(lines), seconds, [])
                    lines.append(None)
                begun[stream][2].append(rest)
        for stream, (place, since, parts) in begun.items():
            lines[place] = Line(Stream(stream), b"".join(parts), since, ended=False)
        return tuple(line for line in lines if line is not None)

    def rendered(self) -> list[str]:
        """`1: ` before each line of stdout, `2: ` before each of stderr."""
        return [f"{line.stream.value}: {line.text}" for line in self.lines]

    def text(self, stream: Stream) -> str:
        return self.data(stream).decode("utf-8", "replace")

    def data(self, stream: Stream) -> bytes:
        return b"".join([data for number, _, data in self.chunks if number == stream])


def timeline_of(*writes: tuple[Stream, bytes]) -> Timeline:
    """A timeline of these writes, for those who have output but did not capture it."""
    return Timeline(tuple((int(stream), 0.0, data) for stream, data in writes))
