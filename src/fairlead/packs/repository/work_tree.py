"""Looks through the files at a path for one that git could not bring back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from stat import S_ISDIR, S_ISLNK, S_ISREG

from fairlead.packs.repository.contents import is_unchanged
from fairlead.packs.repository.disk_matches import listed
from fairlead.packs.repository.git_folder import Repository, find_repository, git_folder
from fairlead.packs.repository.ignore import Ignored
from fairlead.packs.repository.index import Entry, read_index
from fairlead.packs.repository.last_commit import Committed
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.states import CLEAN, IGNORED, MODIFIED, UNTRACKED

_MOST_MODULES = 4
_MODULE = 0o160000


class WorkTree:
    """The files of one repository. `depth`: how many repositories it lies in as a module; `owned`: of which
    changed and untracked files nobody would miss what they hold."""

    def __init__(
        self,
        repository: Repository,
        budget: Budget,
        *,
        depth: int = 0,
        owned: Callable[[str, os.stat_result, Entry | None], bool] | None = None,
    ) -> None:
        self._repository = repository
        self._budget = budget
        self._depth = depth
        self._owned = owned
        self._index = read_index(repository, budget)
        self._is_ignored = Ignored(repository, budget)
        self._committed: Committed | None = None

    @property
    def top(self) -> str:
        return self._repository.top

    def tracks(self, path: str) -> bool:
        """Whether a file of this name is in the index."""
        return self._index.get(os.fsencode(self._relative(path)[1])) is not None

    def close(self) -> None:
        """Of files only; what was read is kept."""
        if self._committed is not None:
            self._committed.close()

    def states(self, path: str) -> Iterator[str]:
        """The state of each file at or below a path; one for all that is in an ignored folder."""
        full, relative = self._relative(path)
        inner = self._inner_repository(relative)
        if inner:
            yield from self._states_in_module(inner, full)
            return
        status = os.lstat(full)
        if S_ISDIR(status.st_mode):
            yield from self._folder(relative, full)
        else:
            yield self._file(relative, full, status)

    def _relative(self, path: str) -> tuple[str, str]:
        """A path with the links to its folder followed, and how git names it."""
        full = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        relative = os.path.relpath(full, self._repository.top)
        if relative.split("/", 1)[0] == "..":
            raise CannotTell(f"{path} is not in the repository")
        return full, "" if relative == "." else relative

    def _inner_repository(self, relative: str) -> str:
        """The first folder on the way to a path that is a repository of its own."""
        names = relative.split("/")
        folders = ("/".join(names[:depth]) for depth in range(1, len(names)))
        top = self._repository.top
        return next((each for each in folders if os.path.lexists(os.path.join(top, each, ".git"))), "")

    def _folder(self, relative: str, full: str) -> Iterator[str]:
        waiting = [(relative, full)]
        while waiting:
            folder, where = waiting.pop()
            entry = self._index.get(os.fsencode(folder)) if folder else None
            if entry is not None and entry.mode == _MODULE:
                yield from self._states_in_module(folder, where)
                continue
            is_tracked = not folder or self._index.has_below(os.fsencode(folder))
            if not is_tracked and self._is_ignored(folder, is_folder=True):
                yield IGNORED
                continue
            for item in listed(where):
                self._budget.step()
                path = f"{folder}/{item.name}" if folder else item.name
                if item.name == ".git":
                    yield UNTRACKED if folder else CLEAN
                elif item.is_dir(follow_symlinks=False):
                    waiting.append((path, item.path))
                else:
                    yield self._file(path, item.path, item.stat(follow_symlinks=False))

    def _file(self, path: str, full: str, status: os.stat_result) -> str:
        name = os.fsencode(path)
        entry = self._index.get(name)
        if entry is None:
            if not S_ISREG(status.st_mode) and not S_ISLNK(status.st_mode):
                return CLEAN
            if self._is_ignored(path, is_folder=False):
                return IGNORED
            return CLEAN if self._is_owned(full, status, None) else UNTRACKED
        written = self._index.written
        if entry.pending or not (
            is_unchanged(full, entry, status, written=written, budget=self._budget)
            or self._is_owned(full, status, entry)
        ):
            return MODIFIED
        if self._committed is None:
            self._committed = Committed(self._repository, self._index.tree, self._budget)
        return CLEAN if self._committed.holds(name, entry.object) else MODIFIED

    def _is_owned(self, full: str, status: os.stat_result, entry: Entry | None) -> bool:
        return self._owned is not None and self._owned(full, status, entry)

    def _states_in_module(self, folder: str, path: str) -> Iterator[str]:
        """A module whose history is kept in this repository is asked itself; any other would be lost with it."""
        top = os.path.join(self._repository.top, folder)
        entry = self._index.get(os.fsencode(folder))
        kept = git_folder(top, self._budget) if entry is not None and entry.mode == _MODULE else ""
        modules = os.path.realpath(os.path.join(self._repository.common, "modules"))
        if not os.path.lexists(os.path.join(top, ".git")):
            yield from (UNTRACKED for _ in listed(path))
            return
        inside = kept and os.path.realpath(kept).startswith(f"{modules}/")
        repository = find_repository(top, self._budget) if inside else None
        if repository is None or repository.top != os.path.realpath(top):
            yield UNTRACKED
            return
        if self._depth >= _MOST_MODULES:
            raise CannotTell("too many modules in modules")
        module = WorkTree(repository, self._budget, depth=self._depth + 1, owned=self._owned)
        try:
            yield from module.states(path)
        finally:
            module.close()
