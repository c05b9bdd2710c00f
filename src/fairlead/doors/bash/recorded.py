"""What the recorder of the bash door has read, whose it is, and the lines that it makes.

Written for Python 3.6, like all of the recorder, so that one that is too old can say what it is.
"""

import os
import struct
import sys

MOST = 64 << 20
HEAD = TAIL = 16 << 20
CONTRACTS = 1 << 20
LENGTH = struct.Struct("<I")
RECORD = struct.Struct("<cI")
CONTRACT = b"contract:"


class Log:
    """What was read, and whose it is. It is not in this process alone, so it outlives it."""

    def __init__(self, data: int, index: int) -> None:
        self.data = data
        self.index = index
        self.size = 0
        self.clear()

    def clear(self) -> None:
        self._empty()
        self.cut = 0
        self.lost = 0

    def _empty(self) -> None:
        for each in (self.data, self.index):
            os.ftruncate(each, 0)
            os.lseek(each, 0, os.SEEK_SET)
        self.size = 0

    def take(self, tag: bytes, pipe: int) -> int:
        """One packet, which is one write. It is in the log as soon as it is out of the pipe."""
        os.write(self.index, tag)
        taken = _move(pipe, self.data)
        os.write(self.index, LENGTH.pack(taken))
        self.size += taken + RECORD.size
        if self.size > MOST:
            self._thin()
        return taken

    def writes(self) -> "list[tuple[bytes, bytes]]":
        data, index = _content(self.data), _content(self.index)
        whole = len(index) // RECORD.size * RECORD.size
        writes = []
        place = 0
        for tag, length in RECORD.iter_unpack(index[:whole]):
            writes.append((tag, data[place : place + length]))
            place += length
        if whole < len(index):  # killed before the length was written
            writes.append((index[whole : whole + 1], data[place:]))
        return writes

    def mend(self) -> None:
        """After a process that was killed, perhaps before it wrote a length; this one may be killed, too."""
        writes = self.writes()
        if os.fstat(self.index).st_size % RECORD.size:
            os.write(self.index, LENGTH.pack(len(writes[-1][1])))
        self.size = sum(len(data) + RECORD.size for _, data in writes)

    def _thin(self) -> None:
        kept, cut, lost = thinned(self.writes())
        self._empty()
        put(self.data, b"".join(data for _, data in kept))
        put(self.index, b"".join(RECORD.pack(tag, len(data)) for tag, data in kept))
        self.size = sum(len(data) + RECORD.size for _, data in kept)
        self.cut += cut
        self.lost += lost


def _move(pipe: int, place: int) -> int:
    try:
        if sys.platform == "linux" and hasattr(os, "splice"):
            return os.splice(pipe, place, 65536, flags=os.SPLICE_F_NONBLOCK)
        data = os.read(pipe, 65536)
        put(place, data)
        return len(data)
    except BlockingIOError:
        return 0


def _content(place: int) -> bytes:
    pieces = []  # type: list[bytes]
    at = 0
    while True:
        piece = os.pread(place, 1 << 24, at)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        at += len(piece)


def put(place: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(place, view) :]


def thinned(writes: "list[tuple[bytes, bytes]]") -> "tuple[list[tuple[bytes, bytes]], int, int]":
    """The head, the tail and the contract lines between them; bytes cut; bytes of contracts lost."""
    first, last = _middle([len(data) + RECORD.size for _, data in writes])
    kept = writes[:first]
    streams = {b"1": Sieve(CONTRACT), b"2": Sieve(b"")}
    for tag, data in kept:
        streams[tag].follow(data)
    for tag, data in writes[first:last]:
        kept.append((tag, streams[tag].sift(data)))
    for tag, data in writes[last:]:
        kept.append((tag, streams[tag].finish_line(data)))
    kept = [(tag, data) for tag, data in kept if data]
    cut = sum(len(data) for _, data in writes) - sum(len(data) for _, data in kept)
    return kept, cut, streams[b"1"].lost


def _middle(costs: "list[int]") -> "tuple[int, int]":
    first = used = 0
    while used + costs[first] <= HEAD:
        used += costs[first]
        first += 1
    last = len(costs)
    used = 0
    while last > first and used + costs[last - 1] <= TAIL:
        last -= 1
        used += costs[last]
    return first, last


class Sieve:
    """Follows the lines of one stream, and lets through those that begin with a prefix."""

    def __init__(self, prefix: bytes) -> None:
        self._prefix = prefix
        self._begun = b""  # of the line that is not at its end
        self._kept = False
        self._room = CONTRACTS
        self.lost = 0

    def follow(self, data: bytes) -> None:
        """What is kept in any case."""
        _, ended, rest = data.rpartition(b"\n")
        self._begun = (rest if ended else self._begun + rest)[: len(CONTRACT)]
        self._kept = bool(self._begun)

    def sift(self, data: bytes) -> bytes:
        *ended, rest = data.split(b"\n")
        return b"".join([self._piece(piece, b"\n") for piece in ended] + [self._piece(rest, b"")])

    def finish_line(self, data: bytes) -> bytes:
        """Of a line that began before, what would be let through; all of the others."""
        if not self._begun:
            return data
        line, ended, rest = data.partition(b"\n")
        return self.sift(line + ended) + rest

    def _piece(self, piece: bytes, end: bytes) -> bytes:
        before = self._begun
        self._begun = (before + piece)[: len(CONTRACT)]
        passed = b""
        if self._prefix and self._begun == self._prefix:
            passed = piece if self._kept else before + piece
            self._room -= len(passed)
            if self._room < 0:
                self.lost += len(passed)
                passed = b""
            self._kept = self._kept or bool(passed)
        if end:
            passed += b"\n" if self._kept else b""
            self._begun = b""
            self._kept = False
        return passed


def lines_of(writes: "list[tuple[bytes, bytes]]") -> "tuple[list[bytes], int]":
    """Whole lines, each at the place of its first byte, and how many NULs were left out: a shell has none."""
    lines = []  # type: list[list[bytes]]
    begun = {}  # type: dict[bytes, list[bytes]]
    nuls = 0
    for tag, data in writes:
        nuls += data.count(b"\0")
        *ended, rest = data.replace(b"\0", b"").split(b"\n")
        for piece in ended:
            line = begun.pop(tag, None)
            if line is None:
                lines.append([tag, b": ", piece])
            else:
                line.append(piece)
        if rest and tag in begun:
            begun[tag].append(rest)
        elif rest:
            begun[tag] = [tag, b": ", rest]
            lines.append(begun[tag])
    return [b"".join(line) for line in lines], nuls
