"""Appends lines: one `write()` each, chained per writer, safe among threads, processes and forks.

On a local file system the kernel holds the inode's lock for the whole of an `O_APPEND` write, whatever its
size (PIPE_BUF is about pipes), so lines of concurrent writers never mix. What can cut a line short is a full
disk, a limit, or a kill in the middle of the write; each is seen, by this writer or by the reader.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping

from fairlead.errors import JournalError
from fairlead.journal.files import open_private, private_directory, tighten
from fairlead.journal.line import MAX_LINE, encode
from fairlead.journal.rotation import CURRENT, full_segments, rotate
from fairlead.model.digest import sha256_hex

MAX_BYTES = 64 * 1024 * 1024


_process = [os.getpid()]
"""Asked of the kernel once, and by every child of fork again."""


def _ask_again() -> None:
    _process[0] = os.getpid()


os.register_at_fork(after_in_child=_ask_again)


class JournalWriter:
    """Writes to `directory`, and starts a new segment there when one has `max_bytes`."""

    def __init__(self, directory: str, *, max_bytes: int = MAX_BYTES) -> None:
        self.directory = directory
        self._max_bytes = max_bytes
        self._path = os.path.join(directory, CURRENT)
        self._pens: dict[int, _Pen] = {}

    def write(self, record: Mapping[str, object]) -> None:
        """Raises JournalError when the line is not, or not wholly, in the file; the next line records it."""
        pen = self._pen()
        with pen.lock:
            try:
                pen.write(record, self._last_line, end=self._open(pen))
            except OSError as error:
                pen.missed(error.strerror or type(error).__name__)
                raise JournalError(
                    f"the journal line was not written: {error.strerror} ({self._path})",
                    hint="free some space, or check the folder's owner and mode",
                ) from error
            except JournalError as error:
                pen.missed(error.message)
                raise

    def _last_line(self) -> str:
        """The hash of the journal's last line, whoever wrote it; nothing if this will be the first."""
        for name in (CURRENT, *reversed(full_segments(self.directory))):
            found = hash_of_last_line(os.path.join(self.directory, name))
            if found:
                return found
        return ""

    def settle(self) -> None:
        """Does what is left of the last line when nobody waits for it any more."""
        pen = self._pen()
        with pen.lock:
            pen.digest_last()

    def keep(self) -> None:
        """Has what was written survive a power cut. Raises OSError."""
        pen = self._pen()
        with pen.lock:
            os.fsync(pen.descriptor)

    def close(self) -> None:
        pen = self._pens.pop(_process[0], None)
        if pen is not None:
            with pen.lock:
                pen.close()

    def _pen(self) -> _Pen:
        """One per process: a child of fork has its parent's lock in whatever state, and its own chain.

        Of threads that come first at the same time, one makes it: `setdefault` is a single step.
        """
        process = _process[0]
        return self._pens.get(process) or self._pens.setdefault(process, _Pen())

    def _open(self, pen: _Pen) -> int:
        """Makes sure that the pen is on the current segment, and that this one is not full; its length."""
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            found = None
        if found is not None and found.st_size >= self._max_bytes:
            rotate(self.directory, found.st_ino)
            found = None
        if found is None or found.st_ino != pen.inode:
            private_directory(self.directory)
            tighten(self.directory)
            return pen.move_to(open_private(self._path))
        return found.st_size


class _Pen:
    """One writer's place: an open segment, and its chain of lines."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.writer = os.urandom(8).hex()
        self.sequence = 0
        self.previous = ""
        """The hash of the line before, as soon as it is made."""
        self._last = b""
        """That line, until then."""
        self.lost = 0
        self.loss = ""
        self.descriptor = -1
        self.inode = -1
        self.end = -1

    def move_to(self, descriptor: int) -> int:
        """To the end of another segment, which is where that is."""
        self.close()
        found = os.fstat(descriptor)
        self.descriptor = descriptor
        self.inode = found.st_ino
        self.end = -1
        return found.st_size

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = self.inode = -1

    def write(self, record: Mapping[str, object], last_line: Callable[[], str], *, end: int) -> None:
        """A line also vouches for the line before it, if that is another writer's: it may be its only one."""
        self.digest_last()
        others = end != self.end
        after = self._neighbour() or last_line() if others else ""
        line = encode(self._placed(record, end, after)).encode("ascii")
        whole = others and end > 0 and os.pread(self.descriptor, 1, end - 1) != b"\n"
        data = b"\n" + line + b"\n" if whole else line + b"\n"  # the line before was cut short: end it
        written = os.write(self.descriptor, data)
        if written != len(data):
            raise OSError(28, f"only {written} of {len(data)} bytes were written")
        self.sequence += 1
        self.end = end + len(data)
        self._last = line
        self.lost, self.loss = 0, ""

    def digest_last(self) -> None:
        if self._last:
            self.previous, self._last = sha256_hex(self._last), b""

    def _neighbour(self) -> str:
        """In the pen's own segment, which another writer may have renamed a moment ago."""
        return _last_hash(self.descriptor, os.fstat(self.descriptor).st_size)

    def missed(self, why: str) -> None:
        """The number of a lost line is not given again, so that the gap shows in the sequence, too."""
        self.sequence += 1
        self.lost += 1
        self.loss = why

    def _placed(self, record: Mapping[str, object], end: int, after: str) -> dict[str, object]:
        """The record, with its place in the chain behind what names it."""
        placed: dict[str, object] = {
            "v": None,
            "id": None,
            "request": None,
            "writer": self.writer,
            "seq": self.sequence + 1,
            "prev": self.previous,
            "at": end,
        }
        if after and after != self.previous:
            placed["after"] = after
        if self.lost:
            placed["lost"] = {"lines": self.lost, "why": self.loss}
        placed.update(record)
        return placed


def hash_of_last_line(path: str) -> str:
    """Nothing for a file without a whole line."""
    try:
        with open(path, "rb") as segment:
            end = segment.seek(0, os.SEEK_END)
            return _last_hash(segment.fileno(), end) if end else ""
    except FileNotFoundError:
        return ""


def _last_hash(descriptor: int, end: int) -> str:
    """Of the last whole line: what stands behind it may be a line that another writer is just writing."""
    size = 4096
    while size <= MAX_LINE:
        start = max(end - size, 0)
        data = os.pread(descriptor, end - start, start)
        lines = data[: data.rfind(b"\n") + 1].rstrip(b"\n").rsplit(b"\n", 1)
        if len(lines) == 2 or start == 0:
            return sha256_hex(lines[-1]) if lines[-1] else ""
        size *= 8
    return ""  # somebody else's bytes: no line of ours is as long
