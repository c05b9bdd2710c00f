"""What a commit holds at a path, asked again and again while files are judged.

A commit is named by its content, so what was once found in it holds for ever. That is only true of objects
whose content was compared with their name: anybody can write another object under a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha1, sha256
from typing import NamedTuple

from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.last_commit import entries_of, modes_of, tree_of
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.objects import Objects

_SHORT_NAME = 20
_FOLDER, _FILE = b"40000", b"100"


class Store(NamedTuple):
    """Where the objects of a repository are, as a key."""

    folder: str
    common: str
    hash_size: int

    def objects(self) -> Objects:
        return Objects(Repository("", self.folder, self.common, {}, self.hash_size), Budget())


def store_of(repository: Repository) -> Store:
    return Store(repository.folder, repository.common, repository.hash_size)


def object_at(store: Store, commit: bytes, path: bytes) -> bytes:
    """The name of what a commit has at a path; empty where it has nothing there."""
    folder, _, last = path.rpartition(b"/")
    return _folder(store, commit, folder).get(last, b"")


def content_at(store: Store, commit: bytes, path: bytes) -> tuple[bytes, bytes] | None:
    """The name and the content of the file that a commit has at a path."""
    name = object_at(store, commit, path)
    return (name, _read(store, name, b"blob")) if name else None


def files_below(store: Store, commit: bytes, folder: bytes, *, most: int) -> Iterator[tuple[bytes, bytes]]:
    """Paths from there and contents of the files that a commit has in a folder and below. Raises CannotTell where
    there are more, and for names that no folder can have."""
    waiting, found = [(b"", object_at(store, commit, folder))], 0
    while waiting:
        below, tree = waiting.pop()
        for name, (is_folder, object_name) in _kinds(store, tree).items():
            found += 1
            if found > most or name in (b"", b".", b"..") or b"/" in name:
                raise CannotTell("too many files, or one with a name that leads elsewhere")
            path = below + name
            if is_folder:
                waiting.append((path + b"/", object_name))
            else:
                yield path, _read(store, object_name, b"blob")


def _kinds(store: Store, tree: bytes) -> Mapping[bytes, tuple[bool, bytes]]:
    """Folders and regular files of a tree; links and other repositories are left out."""
    content = _read(store, tree, b"tree") if tree else b""
    modes = modes_of(content, store.hash_size)
    objects = entries_of(content, store.hash_size)
    return {
        name: (mode == _FOLDER, objects[name])
        for name, mode in modes.items()
        if mode == _FOLDER or mode.startswith(_FILE)
    }


def blob_name(content: bytes, hash_size: int) -> bytes:
    """How git names this content of a file."""
    return _name(b"blob", content, hash_size)


@lru_cache(maxsize=128)
def _folder(store: Store, commit: bytes, folder: bytes) -> Mapping[bytes, bytes]:
    if not folder:
        return _entries(store, tree_of(_read(store, commit, b"commit")))
    return _entries(store, object_at(store, commit, folder))


def _entries(store: Store, tree: bytes) -> Mapping[bytes, bytes]:
    return entries_of(_read(store, tree, b"tree"), store.hash_size) if tree else {}


def _read(store: Store, name: bytes, kind: bytes) -> bytes:
    objects = store.objects()
    try:
        content = objects.read(name, kind)
    finally:
        objects.close()
    if _name(kind, content, store.hash_size) != name:
        raise CannotTell(f"object {name.hex()} is not what its name says")
    return content


def _name(kind: bytes, content: bytes, hash_size: int) -> bytes:
    made = sha1(usedforsecurity=False) if hash_size == _SHORT_NAME else sha256(usedforsecurity=False)
    made.update(b"%s %d\0" % (kind, len(content)))
    made.update(content)
    return made.digest()
