"""Files that a program takes orders from without being told: settings of test runners, makefiles and the like."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from fnmatch import translate
from functools import lru_cache

from fairlead.model.value import Value
from fairlead.packs.project_files.committed_files import Head, still_at
from fairlead.packs.project_files.owners import COMMITTED, Bounds
from fairlead.packs.project_files.sight import Sight
from fairlead.sessions.memory import Memory
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import Identity, identity_of, is_settled

_MOST_KEPT = 32
_NO_PACKAGES = frozenset((".git", "node_modules", ".venv", "venv", "target", "dist", "build"))


class _Looked(Value):
    """Which of some files are not what the last commit has, and what that was told by."""

    identities: tuple[tuple[str, Identity | None], ...]
    heads: tuple[Head, ...]
    strange: tuple[str, ...]
    """Those that the commit does not have as they are."""
    real: tuple[tuple[str, str], ...]
    """The others, with all links followed."""

    def holds(self, paths: Collection[str]) -> bool:
        known = [path for path, _ in self.identities]
        return (
            known == list(paths)
            and all(identity_of(path) == identity for path, identity in self.identities)
            and all(map(still_at, self.heads))
        )


_looked: dict[tuple[frozenset[str], frozenset[str], Bounds], _Looked] = {}
"""The same few files are asked about all day: they are read again when one of them, or the commit, is another."""


def uncommitted(
    folders: Iterable[str],
    names: Iterable[str],
    given: Collection[str],
    where: Surroundings,
    memory: Memory,
) -> Iterator[str]:
    """Those of them, and of the files that the line names, that are not what the last commit has, or that this session wrote before it committed."""
    bounds = Bounds(where.project, where.home)
    key = frozenset(folders), frozenset(names), bounds
    paths = sorted({*_present(*key[:2]), *given})
    found = _looked.get(key)
    if found is None or not found.holds(paths):
        found = _look(paths, bounds)
        if all(is_settled(identity) for _, identity in found.identities):
            if len(_looked) >= _MOST_KEPT:
                _looked.clear()
            _looked[key] = found
    yield from found.strange
    for path, real in found.real:
        if memory.wrote(real) or memory.fetched(real):
            yield path


def member_files(root: str, names: Collection[str]) -> Iterator[str]:
    """Those of the packages that a project is made of, which lie one or two folders below it."""
    for folder in _below(root):
        for each in (folder, *_below(folder)):
            for name in names:
                if os.path.lexists(f"{each}/{name}"):
                    yield f"{each}/{name}"


def _below(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [each.path for each in entries if each.is_dir() and each.name not in _NO_PACKAGES]
    except OSError:
        return []


def _look(paths: Iterable[str], bounds: Bounds) -> _Looked:
    sight = Sight(bounds)
    strange: list[str] = []
    real: list[tuple[str, str]] = []
    for path in paths:
        text = sight(path)
        read = sight.files.get(path)
        if read is not None and read.owner == COMMITTED:
            real.append((path, read.real))
        elif read is not None or text is not None:
            strange.append(path)
    heads = tuple(sight.committed.heads.values())
    return _Looked(tuple(sight.identities.items()), heads, tuple(strange), tuple(real))


def _present(folders: Iterable[str], names: frozenset[str]) -> Iterator[str]:
    expression, deeper = _expression(names)
    for folder in folders:
        try:
            found = os.listdir(folder)
        except OSError:
            continue
        for name in found:
            if expression.match(name):
                yield f"{folder}/{name}"
        for name in deeper:
            if os.path.lexists(f"{folder}/{name}"):
                yield f"{folder}/{name}"


@lru_cache(maxsize=16)
def _expression(names: frozenset[str]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """One for all names of a folder, and those that lie deeper."""
    flat = sorted(name for name in names if "/" not in name)
    return re.compile("|".join(map(translate, flat)) or "(?!)"), tuple(sorted(names.difference(flat)))
