"""The captured output of one hook: what was written where, in the order of the writes."""

from __future__ import annotations

from enum import IntEnum
from itertools import accumulate

from fairlead.model.value import Value

CONTRACT = b"contract:"
"""What a line of stdout begins with that asks something of the caller. Such a line is never dropped."""


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


_STREAMS = {int(stream): stream for stream in Stream}
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
    dropped: int = 0
    """Bytes between the beginning and the end that are not kept. All contract lines are, but `unheard`."""
    unheard: int = 0
    """Contract lines that were too many to keep."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Whole lines, each at the place of its first byte: a line is never torn by the other stream."""
        lines: list[Line] = []
        for number, seconds, block in self.blocks():
            stream = _STREAMS[number]
            *ended, rest = block.split(b"\n")
            lines += [Line(stream, data, seconds) for data in ended]
            if rest:
                lines.append(Line(stream, rest, seconds, ended=False))
        return tuple(lines)

    def blocks(self) -> list[Chunk]:
        """The same lines, those of one write together: all of them end, but the last of a stream."""
        blocks: list[tuple[int, float, bytes | list[bytes]]] = []
        open_lines: dict[int, list[bytes]] = {}
        for stream, seconds, data in self.chunks:
            begun = open_lines.get(stream)
            if begun is not None:
                end = data.find(b"\n") + 1
                begun.append(data[:end] if end else data)
                if not end:
                    continue
                del open_lines[stream]
                data = data[end:]
            whole = data.rfind(b"\n") + 1
            if whole:
                blocks.append((stream, seconds, data[:whole]))
            if whole < len(data):
                open_lines[stream] = [data[whole:]]
                blocks.append((stream, seconds, open_lines[stream]))
        return [
            (stream, seconds, data if isinstance(data, bytes) else b"".join(data))
            for stream, seconds, data in blocks
        ]

    def ends(self, first: int, last: int) -> tuple[tuple[Line, ...], int, tuple[Line, ...]]:
        """The first lines, the number of those that are left out, and the last ones."""
        blocks = self.blocks()
        sizes = [block.count(b"\n") + (not block.endswith(b"\n")) for _, _, block in blocks]
        total = sum(sizes)
        if total <= first + last:
            return self.lines, 0, ()
        begin = Timeline(tuple(blocks[: _needed(sizes, first)])).lines[:first]
        end = Timeline(tuple(blocks[len(blocks) - _needed(sizes[::-1], last) :])).lines[-last:]
        return begin, total - first - last, end

    def rendered(self) -> list[str]:
        """`1: ` before each line of stdout, `2: ` before each of stderr."""
        return [f"{line.stream.value}: {line.text}" for line in self.lines]

    def text(self, stream: Stream) -> str:
        return self.data(stream).decode("utf-8", "replace")

    def data(self, stream: Stream) -> bytes:
        return b"".join([data for number, _, data in self.chunks if number == stream])


def _needed(sizes: list[int], lines: int) -> int:
    """How many of these have so many lines together."""
    for count, together in enumerate(accumulate(sizes), 1):
        if together >= lines:
            return count
    return len(sizes)


def timeline_of(*writes: tuple[Stream, bytes]) -> Timeline:
    """A timeline of these writes, for those who have output but did not capture it."""
    return Timeline(tuple((int(stream), 0.0, data) for stream, data in writes))
