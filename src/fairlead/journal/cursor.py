"""How far somebody has read the journal, kept in a file, so that who stops goes on where he stopped."""

from __future__ import annotations

import json
import os
from itertools import islice

from fairlead.journal.files import private_directory
from fairlead.journal.line import Record
from fairlead.journal.reader import read_segment, segment_paths


class Cursor:
    """Read, do something with what was read, then `commit`: what was not committed is read again."""

    def __init__(self, path: str, directory: str) -> None:
        self._path = path
        self._directory = directory
        self._read = self._load()
        self._next = dict(self._read)

    @property
    def is_new(self) -> bool:
        return not os.path.exists(self._path)

    def read(self, limit: int) -> list[Record]:
        """The next records, at most so many. Lines that cannot be read are passed over."""
        self._next = {}
        records: list[Record] = []
        for path in segment_paths(self._directory):
            inode = str(os.stat(path).st_ino)
            offset = self._read.get(inode, 0)
            for line in islice(read_segment(path, offset), limit - len(records)):
                offset = line.end
                if line.record is not None:
                    records.append(line.record)
            self._next[inode] = offset
        return records

    def skip_all(self) -> None:
        """To the end, without reading."""
        self._next = {
            str((found := os.stat(path)).st_ino): found.st_size for path in segment_paths(self._directory)
        }
        self.commit()

    def commit(self) -> None:
        private_directory(os.path.dirname(self._path))
        draft = f"{self._path}.new"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        with open(os.open(draft, flags, 0o600), "wb") as file:
            file.write(json.dumps(self._next).encode("ascii"))
        os.replace(draft, self._path)
        self._read = dict(self._next)

    def _load(self) -> dict[str, int]:
        try:
            with open(self._path, "rb") as file:
                state = json.load(file)
            return {str(inode): int(offset) for inode, offset in state.items()}
        except (FileNotFoundError, ValueError, AttributeError, TypeError):
            return {}
