"""What git has already of a project: content that need not be copied, folders that it ignores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from stat import S_IFMT, S_ISREG

from fairlead.packs.repository.commit_trees import blob_name
from fairlead.packs.repository.contents import is_unchanged
from fairlead.packs.repository.git_folder import Repository, find_repository
from fairlead.packs.repository.ignore import Ignored
from fairlead.packs.repository.index import Entry as IndexEntry
from fairlead.packs.repository.index import read_index
from fairlead.packs.repository.last_commit import Committed
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.objects import Objects

_LARGEST = 8 * 1024 * 1024
"""A larger file is copied: nobody wants to hold it twice to compare it."""
_MODULE = 0o160000
_UNREADABLE = (CannotTell, OSError, ValueError, RecursionError)


class TrackedFiles:
    """The index of one repository and what its last commit holds."""

    def __init__(self, repository: Repository, budget: Budget) -> None:
        self.repository = repository
        self.budget = budget
        self.index = read_index(repository, budget)
        self.objects = Objects(repository, budget)
        self._ignored = Ignored(repository, budget)
        self._committed: Committed | None = None

    def close(self) -> None:
        self.objects.close()
        if self._committed is not None:
            self._committed.close()

    def relative(self, path: str) -> str:
        """How git names a path that has no links on the way; empty for the top, and for what is elsewhere."""
        return path[len(self.repository.top) + 1 :] if path.startswith(f"{self.repository.top}/") else ""

    def is_ignored(self, path: str, *, is_folder: bool) -> bool:
        """And nothing at it or below it is tracked."""
        name = self.relative(path)
        if not name:
            return False
        tracked = self.index.has_below(os.fsencode(name)) if is_folder else self._entry(name) is not None
        return not tracked and self._ignored(name, is_folder=is_folder)

    def tracks(self, path: str) -> bool:
        name = self.relative(path)
        return bool(name) and (self._entry(name) is not None or self.index.has_below(os.fsencode(name)))

    def blob_of(self, path: str, size: int) -> str:
        """The committed object that holds exactly what is in the file; empty where none does."""
        name = self.relative(path)
        entry = self._entry(name) if name and size <= _LARGEST else None
        if entry is None or entry.pending or not S_ISREG(entry.mode):
            return ""
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            content = file.read(_LARGEST + 1)
        if blob_name(content, self.repository.hash_size) != entry.object:
            return ""
        try:
            is_there = self._holds(name, entry) and self.objects.read(entry.object, b"blob") == content
        except _UNREADABLE:
            return ""
        return entry.object.hex() if is_there else ""

    def changed(self, paths: tuple[str, ...]) -> Iterator[str]:
        """Tracked files, at these names or below them, that are not on the disk as the index knows them, be
        it only by their time."""
        written = self.index.written
        for name, entry in self.index.entries():
            text = os.fsdecode(name)
            if not is_within(text, paths):
                continue
            full = os.path.join(self.repository.top, text)
            try:
                status = os.lstat(full)
            except (FileNotFoundError, NotADirectoryError):
                yield full
                continue
            self.budget.step()
            if (
                str(status.st_mtime_ns) != entry.mark
                or entry.pending
                or not is_unchanged(full, entry, status, written=written, budget=self.budget)
            ):
                yield full

    def is_as_tracked(self, path: str, entry: IndexEntry) -> bool:
        """Whether a file is on the disk as it is in the index."""
        written = self.index.written
        return not entry.pending and is_unchanged(
            path, entry, os.lstat(path), written=written, budget=self.budget
        )

    def staged(self) -> Iterator[tuple[str, bytes]]:
        """Files in the index that the last commit has not like this: their paths, and their objects."""
        for name, entry in self.index.entries():
            if S_ISREG(entry.mode) and not self._holds(os.fsdecode(name), entry):
                yield os.path.join(self.repository.top, os.fsdecode(name)), entry.object

    def modules(self, paths: tuple[str, ...]) -> Iterator[str]:
        """Repositories inside that are tracked as one name, and that are there."""
        for name, entry in self.index.entries():
            path = os.path.join(self.repository.top, os.fsdecode(name))
            is_module = S_IFMT(entry.mode) == _MODULE and is_within(os.fsdecode(name), paths)
            if is_module and os.path.lexists(os.path.join(path, ".git")):
                yield path

    def _holds(self, name: str, entry: IndexEntry) -> bool:
        if self._committed is None:
            self._committed = Committed(self.repository, self.index.tree, self.budget)
        return self._committed.holds(os.fsencode(name), entry.object)

    def _entry(self, name: str) -> IndexEntry | None:
        return self.index.get(os.fsencode(name))


def is_within(name: str, paths: tuple[str, ...]) -> bool:
    """Whether a name is one of these, or below one; always where there are none."""
    return not paths or any(not path or name == path or name.startswith(f"{path}/") for path in paths)


def tracked_in(folder: str, budget: Budget) -> TrackedFiles | None:
    """None where there is no repository, or one that cannot be read: then everything is copied."""
    try:
        repository = find_repository(folder, budget)
        return TrackedFiles(repository, budget) if repository is not None else None
    except _UNREADABLE:
        return None
