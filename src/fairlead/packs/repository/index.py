"""The index of a repository: which files git tracks, with which content, and what they looked like on the disk."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.regular_files import open_regular, read_all

_LARGEST = 128 * 1024 * 1024
_MOST_OF_NAMES = 128 * 1024 * 1024
_STAT, _EXTENDED = 40, 0x4000
_STAGE, _LENGTH = 0x3000, 0xFFF
_INTENT_TO_ADD = 0x2000
_MODE = slice(24, 28)


class Entry(NamedTuple):
    """One tracked path. `pending`: it is in conflict, or its content was never added."""

    stat: bytes
    object: bytes
    pending: bool

    @property
    def mark(self) -> str:
        """When the file had last been changed, as `sessions.note` writes it. Git sometimes forgets the size."""
        seconds, nanoseconds = (int.from_bytes(self.stat[at : at + 4], "big") for at in (8, 12))
        return str(seconds * 1_000_000_000 + nanoseconds)

    @property
    def mode(self) -> int:
        return int.from_bytes(self.stat[_MODE], "big")


class Index:
    """Names in order, and where the entry of each begins: an entry is made when it is asked for.

    `tree` is the tree that the whole index was last written as; `written` is when the file was, in nanoseconds.
    """

    def __init__(self, data: bytes, written: int, *, hash_size: int, budget: Budget) -> None:
        self.written = written
        self._data = data
        self._hash_size = hash_size
        self._names, self._places = [], []  # type: list[bytes], list[int]
        self._is_sparse = False
        self.tree = b""
        if data:
            self._read(budget)

    def _read(self, budget: Budget) -> None:
        version = int.from_bytes(self._data[4:8], "big")
        if self._data[:4] != b"DIRC" or version not in (2, 3, 4):
            raise CannotTell("the index has an unknown format")
        try:
            end = self._read_names(version, budget)
            self._read_extensions(end)
        except IndexError as error:
            raise CannotTell("the index ends too early") from error

    def _read_names(self, version: int, budget: Budget) -> int:
        """Where the last entry ends."""
        data, offset, name, size = self._data, 12, b"", 0
        fixed = _STAT + self._hash_size + 2
        for number in range(int.from_bytes(data[8:12], "big")):
            start = offset + fixed
            flags = data[start - 2] << 8 | data[start - 1]
            if flags & _EXTENDED:
                start += 2
            self._places.append(offset)
            if version == 4:
                name, offset = self._compressed(name, start)
            else:
                length = flags & _LENGTH
                end = start + length if length < _LENGTH else self._end(start)
                name, offset = data[start:end], offset + (end - offset + 8) // 8 * 8
            self._names.append(name)
            size += len(name)
            if not number % 1024:
                budget.check_time()
            if size > _MOST_OF_NAMES:
                raise CannotTell("the names in the index are too long")
        if offset > len(data) - self._hash_size:
            raise CannotTell("the index ends too early")
        return offset

    def _end(self, start: int) -> int:
        end = self._data.find(b"\0", start)
        if end < 0:
            raise CannotTell("the index ends too early")
        return end

    def _compressed(self, before: bytes, start: int) -> tuple[bytes, int]:
        """In version 4 a name says how much of the name before it to drop, and what to add."""
        byte = self._data[start]
        dropped, start = byte & 127, start + 1
        while byte & 128 and dropped <= len(before):
            byte = self._data[start]
            dropped, start = (dropped + 1 << 7) + (byte & 127), start + 1
        if dropped > len(before):
            raise CannotTell("the index is damaged")
        end = self._end(start)
        return before[: len(before) - dropped] + self._data[start:end], end + 1

    def _read_extensions(self, offset: int) -> None:
        """Those with small letters change what the entries mean: of them only folders as a whole are known."""
        data, last = self._data, len(self._data) - self._hash_size
        while offset + 8 <= last:
            name, size = data[offset : offset + 4], int.from_bytes(data[offset + 4 : offset + 8], "big")
            offset += 8
            if name == b"TREE":
                self.tree = self._whole_tree(data[offset : offset + size])
            elif name == b"sdir":
                self._is_sparse = True
            elif not 65 <= name[0] <= 90:
                raise CannotTell("the index needs what is not in it")
            offset += size

    def _whole_tree(self, extension: bytes) -> bytes:
        """The first record is the top's: an empty name, the number of entries, -1 where no tree was written."""
        counts, _, rest = extension.partition(b"\n")
        name, _, numbers = counts.partition(b"\0")
        return rest[: self._hash_size] if not name and not numbers.startswith(b"-") else b""

    def get(self, path: bytes) -> Entry | None:
        """The entry of a file or a module."""
        self._refuse_unlisted(path)
        at = bisect_left(self._names, path)
        return self._entry(self._places[at]) if self._names[at : at + 1] == [path] else None

    def entries(self) -> Iterator[tuple[bytes, Entry]]:
        """Every tracked path, in order. A sparse index does not list them all."""
        if self._is_sparse:
            raise CannotTell("the index holds folders as a whole")
        for name, place in zip(self._names, self._places, strict=True):
            yield name, self._entry(place)

    def has_below(self, folder: bytes) -> bool:
        """Whether anything in a folder is tracked."""
        if not folder:
            return bool(self._names)
        self._refuse_unlisted(folder + b"/")
        at = bisect_left(self._names, folder + b"/")
        return at < len(self._names) and self._names[at].startswith(folder + b"/")

    def _refuse_unlisted(self, path: bytes) -> None:
        """A sparse index has folders as a whole, whose files it does not list."""
        end = path.find(b"/") + 1 if self._is_sparse else 0
        while end:
            at = bisect_left(self._names, path[:end])
            if self._names[at : at + 1] == [path[:end]]:
                raise CannotTell("the index holds the folder as a whole")
            end = path.find(b"/", end) + 1

    def _entry(self, offset: int) -> Entry:
        after = offset + _STAT
        end = after + self._hash_size
        flags = int.from_bytes(self._data[end : end + 2], "big")
        extended = int.from_bytes(self._data[end + 2 : end + 4], "big") if flags & _EXTENDED else 0
        pending = bool(flags & _STAGE or extended & _INTENT_TO_ADD)
        return Entry(self._data[offset:after], self._data[after:end], pending)


def read_index(repository: Repository, budget: Budget) -> Index:
    """An empty one where git has written none yet."""
    descriptor = open_regular(os.path.join(repository.folder, "index"), follow=True)
    if descriptor is None:
        return Index(b"", 0, hash_size=repository.hash_size, budget=budget)
    try:
        written = os.fstat(descriptor).st_mtime_ns
        data = read_all(descriptor, budget, limit=_LARGEST)
    except OSError as error:
        raise CannotTell("the index cannot be read") from error
    finally:
        os.close(descriptor)
    return Index(data, written, hash_size=repository.hash_size, budget=budget)
