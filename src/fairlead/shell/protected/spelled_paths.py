"""The spelled-out names as paths of one machine, folder by folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from fairlead.model.value import Value
from fairlead.shell.protected import spelled_names
from fairlead.shell.targets import Surroundings


class SpelledPaths(Value):
    """`folders` has the protected names in each folder, as files or as folders on the way to one."""

    paths: tuple[str, ...]
    folders: dict[str, frozenset[str]]
    tops: frozenset[str]
    """Where people keep everything: the homes and the project."""

    def names_in(self, folder: str) -> frozenset[str]:
        return self.folders.get(folder, _NONE)

    def below(self, folder: str) -> Iterator[str]:
        """Every protected path in a folder and deeper, and the folders on the way."""
        for name in sorted(self.names_in(folder)):
            path = f"{folder.rstrip('/')}/{name}"
            yield path
            yield from self.below(path)

    def is_own_folder(self, path: str) -> bool:
        """Whether a folder is there for something protected, and not for programs of every kind."""
        shared = path in self.tops or path.rsplit("/", 1)[-1] in spelled_names.SHARED_FOLDERS
        return path in self.folders and not shared


_NONE: frozenset[str] = frozenset()


def in_home() -> Iterator[str]:
    yield from spelled_names.STARTUP
    yield from spelled_names.SECRETS
    yield from spelled_names.GUARD
    yield from of_agents()


def in_project() -> Iterator[str]:
    yield from spelled_names.VERSION_CONTROL
    yield from of_agents()


def of_agents() -> Iterator[str]:
    yield from (f"{folder}/{n}" for folder in spelled_names.AGENT_FOLDERS for n in spelled_names.AGENT_NAMES)
    yield from spelled_names.AGENTS_ELSEWHERE


@lru_cache(maxsize=16)
def spelled_paths(where: Surroundings) -> SpelledPaths:
    paths = {f"/{name}" for name in spelled_names.SYSTEM}
    paths |= {f"{place}/x" for place in where.guard}
    paths |= {f"{where.home}/{name}" for name in in_home()} if where.home else set()
    paths |= {f"{where.project}/{name}" for name in in_project()} if where.project else set()
    folders: dict[str, set[str]] = {}
    for path in paths:
        while path != "/":
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder or "/", set()).add(name)
            path = folder or "/"
    by_folder = {folder: frozenset(found) for folder, found in folders.items()}
    return SpelledPaths(tuple(sorted(paths)), by_folder, frozenset((where.home, where.project)))
