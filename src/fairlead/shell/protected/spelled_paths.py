"""The spelled-out names as paths of one machine, folder by folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from fairlead.model.value import Value, derived
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.protected import login_files, spelled_names

Folders = dict[str, frozenset[str]]
"""The protected names in each folder, as files or as folders on the way to one; `""` is the top."""


def in_home() -> Iterator[str]:
    yield from spelled_names.STARTUP
    yield from login_files.examples()
    yield from spelled_names.SECRETS
    yield from spelled_names.GUARD
    yield from of_agents()


def in_project() -> Iterator[str]:
    yield from spelled_names.VERSION_CONTROL
    yield from of_agents()


def of_agents() -> Iterator[str]:
    yield from (f"{folder}/{n}" for folder in spelled_names.AGENT_FOLDERS for n in spelled_names.AGENT_NAMES)
    yield from spelled_names.AGENTS_ELSEWHERE


def _by_folder(paths: Iterable[str]) -> Folders:
    folders: dict[str, set[str]] = {}
    for path in paths:
        while path:
            folder, _, name = path.rpartition("/")
            if name in folders.setdefault(folder, set()):
                break
            folders[folder].add(name)
            path = folder
    return {folder: frozenset(found) for folder, found in folders.items()}


@lru_cache(maxsize=1)
def _home() -> Folders:
    return _by_folder(in_home())


@lru_cache(maxsize=1)
def _project() -> Folders:
    return _by_folder(in_project())


@lru_cache(maxsize=1)
def _system() -> Folders:
    return _by_folder(spelled_names.SYSTEM)


class SpelledPaths(Value):
    """`trees` are folders and what is protected below each of them."""

    trees: tuple[tuple[str, Folders], ...]
    tops: frozenset[str]
    """Where people keep everything: the home and the project."""
    found_below: dict[str, tuple[str, ...]] = derived(lambda _: {})
    """What was found below a folder, for the few folders that are asked about with `**`."""

    def _trees_of(self, folder: str) -> Iterator[tuple[str, Folders]]:
        yield from (each for each in self.trees if _is_in(folder, each[0]))
        other = _OTHER_HOME.match(folder)
        if other is not None and other[0] not in self.tops:
            yield other[0], _home()

    def names_in(self, folder: str) -> frozenset[str]:
        found = [tree.get(_below(folder, top), _NONE) for top, tree in self._trees_of(folder)]
        return frozenset().union(*found)

    def has(self, folder: str) -> bool:
        return any(_below(folder, top) in tree for top, tree in self._trees_of(folder))

    def below(self, folder: str) -> tuple[str, ...]:
        """Every protected path in a folder and deeper, and the folders on the way."""
        known = self.found_below.get(folder)
        if known is None:
            if len(self.found_below) >= _REMEMBERED:
                self.found_below.clear()
            known = self.found_below[folder] = tuple(self._below(folder))
        return known

    def _below(self, folder: str) -> Iterator[str]:
        for name in sorted(self.names_in(folder)):
            path = f"{folder.rstrip('/')}/{name}"
            yield path
            yield from self._below(path)

    def is_own_folder(self, path: str) -> bool:
        """Whether a folder is there for something protected, and not for programs of every kind."""
        shared = path in self.tops or path.rsplit("/", 1)[-1] in spelled_names.SHARED_FOLDERS
        return not shared and self.has(path)


_REMEMBERED = 8
_NONE: frozenset[str] = frozenset()
_OTHER_HOME = lazy(r"/(?:home|Users)/[^/]+|/root(?=/|$)")


def _is_in(folder: str, top: str) -> bool:
    return folder == top or folder.startswith(f"{top.rstrip('/')}/")


def _below(folder: str, top: str) -> str:
    return folder[len(top) :].lstrip("/")


@lru_cache(maxsize=16)
def spelled_paths(where: Surroundings) -> SpelledPaths:
    tops = (*where.guard, where.home, where.project)
    trees = [("/", _system()), ("/", _by_folder(top[1:] for top in tops if top))]
    trees += [(where.home, _home())] if where.home else []
    trees += [(where.project, _project())] if where.project else []
    return SpelledPaths(tuple(trees), frozenset((where.home, where.project)))
