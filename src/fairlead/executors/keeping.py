"""Keeps what a process writes, within bounds: the beginning, the end, and every contract line between them.

What comes first is kept until the room for it is full. From then on the latest output is kept in a window
for each stream; what falls out of it is dropped line by line, except contract lines, which are kept whole.
No line that was cut is joined to another, or begins where a contract would.
"""

from __future__ import annotations

import os
import re
from collections import deque

from fairlead.model.timeline import CONTRACT, Stream, Timeline

MOST_CONTRACT_BYTES = 1 << 20
"""Of contract lines that neither the beginning nor the end has."""

_MOST_CHUNKS = 100_000
_MOST_LATEST_CHUNKS = 25_000
_LATEST = 1 << 20
_SAME_MOMENT = 0.001
_STREAMS = (Stream.STDOUT, Stream.STDERR)
_CONTRACT_LINES = re.compile(rb"^" + CONTRACT + rb".*\n", re.MULTILINE)

Piece = tuple[int, float, bytearray]


class Keeping:
    """What was written so far, within `limit` bytes for each stream; the rest goes to a file in `spill`."""

    def __init__(self, limit: int, spill: str = "") -> None:
        self._limit = limit
        self._spill = spill
        self._first: list[Piece] = []
        self._room = dict.fromkeys(_STREAMS, limit - min(limit // 4, _LATEST))
        self._latest: dict[Stream, _Window] = {}
        self._last: Stream | None = None

    def add(self, stream: Stream, moment: float, data: bytes) -> None:
        if not self._latest:
            room = self._room[stream] if len(self._first) < _MOST_CHUNKS else 0
            if len(data) <= room:
                self._room[stream] = room - len(data)
                _append(self._first, stream, moment, data)
                return
            if room:
                self._room[stream] = 0
                _append(self._first, stream, moment, data[:room])
                data = data[room:]
            self._open_windows()
        self._latest[stream].add(moment, data, joins=self._last is stream)
        self._last = stream

    def _open_windows(self) -> None:
        spilled = _Spilled(self._spill)
        for stream in _STREAMS:
            written = sum(len(data) for number, _, data in self._first if number == stream)
            window = _Window(stream, self._limit - written, spilled)
            window.go_on_from(self._first)
            self._latest[stream] = window

    def timeline(self, exact: bool) -> Timeline:
        """All of it; nothing is added afterwards."""
        windows = self._latest.values()
        pieces = [*self._first, *sorted((each for window in windows for each in window.end()), key=_moment)]
        spilled = next((window.spilled.close() for window in windows), "")
        dropped = sum(window.dropped for window in windows)
        return Timeline(
            tuple((stream, moment, bytes(data)) for stream, moment, data in pieces),
            exact,
            truncated=dropped > 0,
            spilled=spilled,
            dropped=dropped,
            unheard=sum(window.unheard for window in windows),
        )


def _moment(piece: Piece) -> float:
    return piece[1]


def _append(pieces: list[Piece], stream: Stream, moment: float, data: bytes) -> None:
    last = pieces[-1] if pieces else None
    if last is not None and last[0] == stream and moment - last[1] < _SAME_MOMENT:
        last[2].extend(data)
    else:
        pieces.append((int(stream), moment, bytearray(data)))


class _Spilled:
    """The file for what is not kept, in the order in which it was dropped; made when there is something."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._file: int | None = None
        self._path = ""

    def write(self, data: bytes | bytearray) -> None:
        if not self._folder:
            return
        try:
            if self._file is None:
                from tempfile import mkstemp

                self._file, self._path = mkstemp(prefix="output-", dir=self._folder)
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:  # no room or no right: it is dropped like the rest, which the timeline says
            self.close()
            self._folder = self._path = ""

    def close(self) -> str:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        return self._path


class _Window:
    """The latest output of one stream, and the contract lines that fell out of it."""

    def __init__(self, stream: Stream, room: int, spilled: _Spilled) -> None:
        self.spilled = spilled
        self.dropped = 0
        self.unheard = 0
        self._stream = stream
        self._room = room
        self._latest: deque[Piece] = deque()
        self._size = 0
        self._kept: list[Piece] = []
        self._kept_bytes = 0
        self._line: bytearray | None = bytearray()
        """The line that is falling out, while it may be a contract; None while it is none."""
        self._cuts_first = False
        """Whether the beginning stops within a line, which has to be ended before something is left out."""

    def go_on_from(self, first: list[Piece]) -> None:
        """Where the beginning stops within a line, that is cut there; a contract is taken out as a whole."""
        own = [data for number, _, data in first if number == self._stream]
        parts = []
        for data in reversed(own):
            parts.append(data[data.rfind(b"\n") + 1 :])
            if len(parts[-1]) < len(data):
                break
        open_line = bytearray(b"".join(reversed(parts)))
        if self._may_be_contract(open_line):
            self._line = open_line
            self.dropped += len(open_line)
            _cut(own, len(open_line))
        elif open_line:
            self._line = None
            self._cuts_first = True

    def add(self, moment: float, data: bytes, *, joins: bool) -> None:
        """`joins`: nothing else was written since the last time."""
        if joins and self._latest and moment - self._latest[-1][1] < _SAME_MOMENT:
            self._latest[-1][2].extend(data)
        else:
            self._latest.append((int(self._stream), moment, bytearray(data)))
        self._size += len(data)
        while self._size > self._room or len(self._latest) > _MOST_LATEST_CHUNKS:
            self._drop_oldest(self._size - self._room)

    def _drop_oldest(self, excess: int) -> None:
        _, moment, data = self._latest[0]
        if len(data) <= excess or excess <= 0:
            fallen = self._latest.popleft()[2]
        else:
            fallen = data[:excess]
            del data[:excess]
        self._size -= len(fallen)
        self.dropped += len(fallen)
        self.spilled.write(fallen)
        self._fall(moment, fallen)

    def _fall(self, moment: float, fallen: bytearray) -> None:
        begun, newline, rest = fallen.partition(b"\n")
        self._part_of_line(moment, begun)
        if not newline:
            return
        if self._line is not None and self._line.startswith(CONTRACT):
            self._keep(moment, self._line + newline)
        self._line = bytearray()
        whole = rest.rfind(b"\n") + 1
        if self._stream is Stream.STDOUT:
            for found in _CONTRACT_LINES.finditer(rest, 0, whole):
                self._keep(moment, bytearray(found[0]))
        self._part_of_line(moment, rest[whole:])

    def _part_of_line(self, moment: float, part: bytearray) -> None:
        if self._cuts_first:
            self._cuts_first = False
            self._kept.append((int(self._stream), moment, bytearray(b"\n")))
        if self._line is None or not part:
            return
        self._line += part
        if not self._may_be_contract(self._line):
            self._line = None
        elif len(self._line) > MOST_CONTRACT_BYTES:
            self._line = None
            self.unheard += 1

    def _keep(self, moment: float, line: bytearray) -> bool:
        if self._kept_bytes + len(line) > MOST_CONTRACT_BYTES:
            self.unheard += 1
            return False
        self._kept_bytes += len(line)
        self.dropped -= len(line)
        self._kept.append((int(self._stream), moment, line))
        return True

    def _may_be_contract(self, line: bytes | bytearray) -> bool:
        if self._stream is not Stream.STDOUT:
            return not line
        return line.startswith(CONTRACT) if len(line) >= len(CONTRACT) else CONTRACT.startswith(line)

    def end(self) -> list[Piece]:
        """What was kept, in order. A fragment is not left where it would be read as a contract."""
        if self._line:
            moment = self._latest[0][1] if self._latest else 0.0
            if not self._keep(moment, self._line):
                self._drop_fragment()
        elif self._line is None and not self._cuts_first and self._begins_as_contract():
            self._drop_fragment()
        return [*self._kept, *self._latest]

    def _begins_as_contract(self) -> bool:
        begin = bytearray()
        for _, _, data in self._latest:
            begin += data[: len(CONTRACT)]
            if len(begin) >= len(CONTRACT):
                break
        return begin.startswith(CONTRACT)

    def _drop_fragment(self) -> None:
        """The end of a line whose beginning is gone."""
        for _, _, data in self._latest:
            end = data.find(b"\n")
            fallen = len(data) if end < 0 else end + 1
            del data[:fallen]
            self.dropped += fallen
            if end >= 0:
                return


def _cut(pieces: list[bytearray], size: int) -> None:
    """Takes this many bytes from the end."""
    for data in reversed(pieces):
        taken = min(size, len(data))
        del data[len(data) - taken :]
        size -= taken
        if not size:
            return
