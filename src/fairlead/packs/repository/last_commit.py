"""What the last commit holds: content that is only in the index counts as work that was not committed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.objects import Objects
from fairlead.packs.repository.regular_files import read_regular

_MOST_LINKS = 5
_PACKED_REFS = 16 * 1024 * 1024
_NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Committed:
    """The tree of the last commit. `written` is the tree that the whole index was last written as."""

    def __init__(self, repository: Repository, written: bytes, budget: Budget) -> None:
        self._repository = repository
        self._budget = budget
        self._objects = Objects(repository, budget)
        self._folders: dict[bytes, dict[bytes, bytes]] = {}
        self._top = b"" if repository.has_reftable else self._last_tree()
        self._is_whole = bool(written) and (repository.has_reftable or written == self._top)
        if repository.has_reftable and not written:
            self.close()
            raise CannotTell("the last commit is named in a table that is not read")

    def close(self) -> None:
        self._objects.close()

    def holds(self, path: bytes, name: bytes) -> bool:
        """Whether the commit has this content at this path."""
        if self._is_whole:
            return True
        folder, _, last = path.rpartition(b"/")
        return self._folder(folder).get(last) == name

    def _folder(self, path: bytes) -> dict[bytes, bytes]:
        known = self._folders.get(path)
        if known is None:
            known = self._folders[path] = self._listed(self._tree_of(path))
        return known

    def _tree_of(self, path: bytes) -> bytes:
        if not path:
            return self._top
        above, _, last = path.rpartition(b"/")
        return self._folder(above).get(last, b"")

    def _listed(self, tree: bytes) -> dict[bytes, bytes]:
        """Names and objects of a tree; none for no tree."""
        return entries_of(self._objects.read(tree, b"tree"), self._repository.hash_size) if tree else {}

    def _last_tree(self) -> bytes:
        """Empty where nothing was committed yet."""
        commit = head_commit(self._repository, self._budget)
        return tree_of(self._objects.read(commit, b"commit")) if commit else b""


def head_commit(repository: Repository, budget: Budget) -> bytes:
    """The commit that is checked out; empty where nothing was committed yet."""
    text = _read(os.path.join(repository.folder, "HEAD"), budget)
    for _ in range(_MOST_LINKS):
        if _NAME.fullmatch(text):
            return bytes.fromhex(text.decode())
        reference = text.removeprefix(b"ref:").strip()
        if not text.startswith(b"ref:") or not _is_reference(reference):
            raise CannotTell("HEAD is damaged")
        text = _read(_place(repository, reference), budget) or _packed(repository, reference, budget)
        if not text:
            return b""
    raise CannotTell("HEAD leads in a circle")


def commit_named(repository: Repository, reference: bytes, budget: Budget) -> bytes:
    """The commit that a branch stands at; empty where there is none of that name."""
    if not _is_reference(reference):
        return b""
    text = _read(_place(repository, reference), budget) or _packed(repository, reference, budget)
    return bytes.fromhex(text.decode()) if _NAME.fullmatch(text) else b""


def packed_refs(repository: Repository, budget: Budget) -> Iterator[tuple[str, bytes]]:
    """Names and commits, as the list has them that git keeps of old branches and tags."""
    text = read_regular(os.path.join(repository.common, "packed-refs"), budget, limit=_PACKED_REFS) or b""
    for line in text.splitlines():
        commit, _, name = line.partition(b" ")
        if _NAME.fullmatch(commit):
            yield os.fsdecode(name), bytes.fromhex(commit.decode())


def tree_of(commit: bytes) -> bytes:
    """The name of the tree that a commit, given by its content, is of."""
    name = commit.partition(b"\n")[0].removeprefix(b"tree ")
    if not _NAME.fullmatch(name):
        raise CannotTell("a commit is damaged")
    return bytes.fromhex(name.decode())


def _place(repository: Repository, reference: bytes) -> str:
    own = reference.startswith((b"refs/worktree/", b"refs/bisect/", b"refs/rewritten/"))
    return os.path.join(repository.folder if own else repository.common, os.fsdecode(reference))


def _read(path: str, budget: Budget) -> bytes:
    return (read_regular(path, budget, limit=4096) or b"").strip()


def _packed(repository: Repository, reference: bytes, budget: Budget) -> bytes:
    path = os.path.join(repository.common, "packed-refs")
    text = read_regular(path, budget, limit=_PACKED_REFS) or b""
    at = text.find(b" " + reference + b"\n")
    return text[text.rfind(b"\n", 0, at) + 1 : at] if at >= 0 else b""


def entries_of(tree: bytes, hash_size: int) -> dict[bytes, bytes]:
    """Names and objects of a tree, given by its content."""
    return {name: found for _, name, found in _tree_entries(tree, hash_size)}


def modes_of(tree: bytes, hash_size: int) -> dict[bytes, bytes]:
    """Names and what each is, in the digits that git writes: a folder, a file, a link, another repository."""
    return {name: mode for mode, name, _ in _tree_entries(tree, hash_size)}


def _tree_entries(tree: bytes, hash_size: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    at = 0
    while at < len(tree):
        end = tree.find(b"\0", at) + 1
        after = end + hash_size
        if not end or after > len(tree):
            raise CannotTell("a tree is damaged")
        mode, _, name = tree[at : end - 1].partition(b" ")
        yield mode, name, tree[end:after]
        at = after


def _is_reference(name: bytes) -> bool:
    return name.startswith(b"refs/") and b".." not in name and b"\0" not in name
