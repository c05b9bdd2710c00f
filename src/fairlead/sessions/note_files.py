"""Notes on disk: one small file for each session, to which every process appends whole lines.

No database: a line is one `write()` on an `O_APPEND` file, which processes and threads can do at once, which
a kill tears at the end only, and which needs nothing to be imported. A lock is held for as long as a write
takes, so that nobody appends to a file that is being written anew because it has grown too long.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock

from fairlead.errors import JournalError
from fairlead.journal.files import open_private, private_directory
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.sessions.memory import MOST_DAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.sessions.note import Note
    from fairlead.sessions.recollection import Recollection

ENDING, _DRAFT = ".notes", ".new"
MOST_BYTES = 512 * 1024
"""Of one file; beyond it is written anew, with what it comes to."""
MOST_SESSIONS = 512
"""Files that are kept."""
_IN_MEMORY = 16
_LOCK_TRIES, _LOCK_PAUSE = 10, 0.002


class _Page(Value):
    """What was read of a file, and how far."""

    device: int
    inode: int
    end: int
    known: Recollection


class NoteFiles:
    """The files in one folder, which is private. Safe among threads, processes and forks."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._pages: dict[str, _Page] = {}
        self._lock = Lock()

    def recollect(self, session: str, /) -> Recollection | None:
        """What is known of a session; one look at the file where nothing was added since."""
        path = self._path(session)
        page = self._pages.get(session)
        if page is None and not os.access(path, os.F_OK, follow_symlinks=False):
            return None  # as for most, and without the price of an exception
        try:
            status = os.lstat(path)
        except OSError:
            return None
        if page is not None and page.end == status.st_size and page.inode == status.st_ino:
            return page.known
        with self._lock:
            return self._read(session, path)

    def add(self, session: str, notes: Sequence[Note], /) -> str:
        from fairlead.sessions.note import line_of  # only where there is something to remember

        lines = b"".join(map(line_of, notes))
        try:
            if not os.path.isdir(self.folder):
                private_directory(self.folder)
            self._append(session, lines)
        except (OSError, JournalError) as error:
            return f"the memory of this session could not be kept: {getattr(error, 'message', error)}"
        return ""

    def forget(self, session: str) -> bool:
        """Whether there was something to forget."""
        try:
            os.unlink(self._path(session))
        except FileNotFoundError:
            return False
        return True

    def _path(self, session: str) -> str:
        return f"{self.folder}/{session}{ENDING}"

    def _append(self, session: str, lines: bytes) -> None:
        path = self._path(session)
        with _opened(path) as (file, status, alone):
            size, page = status.st_size, self._pages.get(session)
            known = page is not None and (page.inode, page.end) == (status.st_ino, size)
            if not size:
                self._forget_old()
            elif not known and os.pread(file, 1, size - 1) != b"\n":
                lines = b"\n" + lines  # the last line was torn: it ends here
            written = os.write(file, lines)
            if alone and size + written > MOST_BYTES:
                _write_anew(path, fold(_content(file)))
            elif known and os.fstat(file).st_size == size + written:
                self._append_to_page(session, size, lines[:written])

    def _append_to_page(self, session: str, end: int, lines: bytes) -> None:
        """What was just written, and by nobody else, behind all that is known need not be read again."""
        with self._lock:
            page = self._pages.get(session)
            if page is not None and page.end == end:
                self._turned(session, page, lines)

    def _read(self, session: str, path: str) -> Recollection | None:
        """Only what was added, where the file is the same; a file of anybody else counts for nothing."""
        page = self._pages.get(session)
        try:
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:
            return None
        try:
            status = os.fstat(file)
            if status.st_uid != os.geteuid() or status.st_mode & 0o022:
                return None
            same = page is not None and (page.device, page.inode) == (status.st_dev, status.st_ino)
            if page is None or not same or page.end > status.st_size:
                page = _Page(status.st_dev, status.st_ino, 0, fold(b""))
            return self._turned(session, page, _content(file, page.end))
        except OSError:
            return None
        finally:
            os.close(file)

    def _turned(self, session: str, page: _Page, content: bytes) -> Recollection:
        """With what was added, as far as its lines are whole."""
        whole = content.rfind(b"\n") + 1
        fold(content[:whole], page.known)
        if session not in self._pages and len(self._pages) >= _IN_MEMORY:
            del self._pages[next(iter(self._pages))]
        self._pages[session] = page.replace(end=page.end + whole)
        return page.known

    def _forget_old(self) -> None:
        """The files of sessions that are long over, and the oldest of too many."""
        with os.scandir(self.folder) as entries:
            files = [(entry.stat().st_mtime, entry.path) for entry in entries if ENDING in entry.name]
        oldest = time.time() - MOST_DAYS * 86_400
        excess = len(files) - MOST_SESSIONS
        for index, (changed, path) in enumerate(sorted(files)):
            if index >= excess and changed >= oldest:
                break
            with suppress(OSError):
                os.unlink(path)


@contextmanager
def _opened(path: str) -> Iterator[tuple[int, os.stat_result, bool]]:
    """The file, its status, and whether nobody else writes to it. Who keeps it for long is not waited for."""
    file = open_private(path)
    status, alone = os.fstat(file), False
    try:
        for _ in range(_LOCK_TRIES):
            alone = _locked(file)
            status = os.fstat(file)
            if alone and _is_at(status.st_ino, path):
                break
            if alone:  # it was written anew in between
                os.close(file)
                file = open_private(path)
            else:
                time.sleep(_LOCK_PAUSE)
        yield file, status, alone
    finally:
        os.close(file)


def _locked(file: int) -> bool:
    try:
        here.lock(file, wait=False)
    except OSError:
        return False
    return True


def _is_at(inode: int, path: str) -> bool:
    try:
        return inode == os.lstat(path).st_ino
    except OSError:
        return False


def _content(file: int, start: int = 0) -> bytes:
    return os.pread(file, 4 * MOST_BYTES, start)


def fold(content: bytes, known: Recollection | None = None) -> Recollection:
    """What lines come to, besides what was known; one that is torn counts for nothing."""
    from fairlead.sessions.note import note_in  # only where something is remembered
    from fairlead.sessions.recollection import Recollection

    known = Recollection() if known is None else known
    for line in content.splitlines():
        note = note_in(line)
        if note is not None:
            known.add(note)
    return known


def _write_anew(path: str, known: Recollection) -> None:
    """In one step: readers see the old lines or the new ones."""
    from fairlead.sessions.note import line_of

    draft = f"{path}{_DRAFT}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(draft, flags, 0o600), "wb") as file:
        file.write(b"".join(map(line_of, known.notes())))
    os.replace(draft, path)


def note_files(folder: str) -> list[str]:
    return sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(ENDING))


def unread_lines(path: str) -> int:
    """Lines that count for nothing: what a kill, a full disk or somebody else left."""
    from fairlead.sessions.note import note_in

    with open(path, "rb") as file:
        return sum(bool(line) and note_in(line) is None for line in file.read(4 * MOST_BYTES).splitlines())
