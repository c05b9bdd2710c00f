"""Which files a scan looks at: those that are named, and those of folders that git tracks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from fairlead.packs.project_files.owners import Bounds, is_installed
from fairlead.packs.repository.git_folder import find_repository
from fairlead.packs.repository.index import read_index
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.shell.lazy_pattern import lazy

MOST_FILES = 100_000
_MODULE = 0o160000
_SECONDS = 20.0
_VENDORED = lazy(r"(?:^|/)(?:third_party|vendor|vendored|_vendor)/")
"""Folders for the work of others."""


class Selection:
    """The files below some folders. `remarks` say why more or fewer files were taken than asked for."""

    def __init__(self, *, everything: bool) -> None:
        self._everything = everything
        self.remarks: list[str] = []

    def files(self, paths: Iterable[str]) -> list[str]:
        """Absolute, in order, each once."""
        found: dict[str, None] = {}
        for path in paths:
            for each in self._below(path) if os.path.isdir(path) else (path,):
                if len(found) >= MOST_FILES:
                    self.remarks.append(f"only the first {MOST_FILES:,} files were looked at")
                    return sorted(found)
                found[each] = None
        return sorted(found)

    def _below(self, folder: str) -> Iterator[str]:
        tracked = None if self._everything else self._tracked(folder)
        for path in _walked(folder) if tracked is None else tracked:
            inside = path[len(folder.rstrip("/")) :]
            if not is_installed(path, Bounds(folder, "")) and not _VENDORED.search(inside):
                yield path

    def _tracked(self, folder: str) -> list[str] | None:
        """What the index lists below the folder; None where there is none that can be read."""
        budget = Budget(seconds=_SECONDS)
        try:
            repository = find_repository(folder, budget)
            if repository is None:
                self.remarks.append(f"{folder} is in no repository: all of its files were taken")
                return None
            start = os.path.realpath(folder).rstrip("/") + "/"
            names = read_index(repository, budget).entries()
            tracked = (
                f"{repository.top}/{os.fsdecode(name)}" for name, entry in names if entry.mode != _MODULE
            )
            above = folder.rstrip("/")
            return [f"{above}/{each[len(start) :]}" for each in tracked if each.startswith(start)]
        except (CannotTell, OSError, ValueError) as error:
            self.remarks.append(f"what git tracks in {folder} cannot be read ({error}): all files were taken")
            return None


def _walked(folder: str) -> Iterator[str]:
    """All files below a folder; no link to a folder is followed."""
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        yield from (os.path.join(above, name) for name in sorted(names))
