"""How far somebody has read the journal, kept in a file, so that who stops goes on where he stopped."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from fairlead.journal.files import private_directory
from fairlead.journal.line import Record
from fairlead.journal.reader import Line, open_segment, read_segment, segment_paths

_KEPT = 4096
"""Segments whose place is remembered, those that are gone included."""
_MARK = 256


class Cursor:
    """Read, do something with what was read, then `commit`: what was not committed is read again.

    With an `owner`, only files of that user are opened: for who reads a journal that somebody else keeps.
    """

    def __init__(self, path: str, directory: str, *, owner: int | None = None) -> None:
        self._path = path
        self._directory = directory
        self._owner = owner
        self._read = self._load()
        self._next = dict(self._read)

    @property
    def is_new(self) -> bool:
        return not os.path.exists(self._path)

    def read(self, limit: int, *, most_bytes: int = sys.maxsize) -> list[Record]:
        """The next records, at most so many, up to the one that goes over so many bytes. Lines that cannot be
        read are passed over."""
        self._next = dict(self._read)
        records: list[Record] = []
        left = most_bytes
        for path in segment_paths(self._directory):
            key = _key(path, self._owner) if left > 0 else ""
            if key:
                found, size = self._read_segment(path, key, limit - len(records), left)
                records += found
                left -= size
        return records

    def _read_segment(self, path: str, key: str, limit: int, most: int) -> tuple[list[Record], int]:
        lines: list[Line] = []
        size = 0
        for line in islice(read_segment(path, self._read.get(key, 0), owner=self._owner), limit):
            lines.append(line)
            size += len(line.data)
            if size >= most:
                break
        if (
            not lines or _key(path, self._owner) != key
        ):  # it was renamed meanwhile: the next time, under its new name
            return [], 0
        self._next.pop(key, None)  # so that the segments stand in the order in which they were last read
        self._next[key] = lines[-1].end
        return [line.record for line in lines if line.record is not None], size

    @property
    def moved(self) -> bool:
        """Whether what was read last went on from there, be it over lines that cannot be read."""
        return self._next != self._read

    @property
    def behind(self) -> int:
        """Bytes of the journal that nobody has committed yet."""
        return sum(max(size - self._read.get(key, 0), 0) for key, size in self._sizes())

    def _sizes(self) -> Iterator[tuple[str, int]]:
        for path in segment_paths(self._directory):
            with suppress(FileNotFoundError):
                size, key = os.stat(path).st_size, _key(path, self._owner)
                if key:
                    yield key, size

    def rewind(self) -> None:
        """To the oldest line that is still there."""
        self._read, self._next = {}, {}

    def skip_all(self) -> None:
        """To the end, without reading."""
        self._next |= dict(self._sizes())
        self.commit()

    def commit(self) -> None:
        private_directory(os.path.dirname(self._path))
        draft = f"{self._path}.new"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        with open(os.open(draft, flags, 0o600), "wb") as file:
            kept = dict(list(self._next.items())[-_KEPT:])
            file.write(json.dumps(kept).encode("ascii"))
        os.replace(draft, self._path)
        self._read = dict(self._next)

    def _load(self) -> dict[str, int]:
        try:
            with open(self._path, "rb") as file:
                state = json.load(file)
            return {str(inode): int(offset) for inode, offset in state.items()}
        except (FileNotFoundError, ValueError, AttributeError, TypeError):
            return {}


def _key(path: str, owner: int | None) -> str:
    """What tells a segment, whatever it is called: its inode and its start, since an inode is given again.

    Nothing for one that is gone or has no whole start yet.
    """
    try:
        with open_segment(path, owner) as segment:
            inode, mark = os.fstat(segment.fileno()).st_ino, segment.read(_MARK)
    except FileNotFoundError:
        return ""
    start, newline, _ = mark.partition(b"\n")
    return f"{inode}-{hashlib.sha256(start).hexdigest()[:16]}" if newline or len(mark) == _MARK else ""
