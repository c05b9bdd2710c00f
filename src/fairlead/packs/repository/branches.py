"""Where the branches of a repository stand, and whether another one holds the same commits."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from fairlead.packs.repository.commit_trees import object_at, store_of
from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.last_commit import commit_named, head_commit, packed_refs
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.objects import Objects

HEADS = "refs/heads/"
_KINDS = (HEADS, "refs/remotes/")
_MOST_REFS, _MOST_COMMITS = 2000, 500
_PARENT = b"parent "


def is_held_elsewhere(repository: Repository, commit: bytes, gone: frozenset[str], budget: Budget) -> bool:
    """Whether a branch, here or as it was last seen on a remote, leads to a commit when those in `gone` are gone.
    Only the last commits of each are looked through."""
    refs = dict(_refs(repository, budget))
    tips = {found for name, found in refs.items() if name not in gone}
    if commit in tips:
        return True
    objects = Objects(repository, budget)
    try:
        return any(found == commit for found in _history(objects, tips, repository.hash_size))
    finally:
        objects.close()


def is_in_none(repository: Repository, commits: Sequence[bytes]) -> Callable[[str], bool]:
    """Whether a path is in none of these commits."""
    store, top = store_of(repository), repository.top

    def is_absent(path: str) -> bool:
        name = os.fsencode(os.path.relpath(path, top))
        return not any(object_at(store, commit, name) for commit in commits)

    return is_absent


def branch_names(repository: Repository, budget: Budget) -> set[str]:
    """As a person would call them: those of this repository, and those last seen on a remote."""
    return {
        name.removeprefix(kind)
        for name, _ in _refs(repository, budget)
        for kind in _KINDS
        if name.startswith(kind)
    }


def branch_commit(repository: Repository, branch: str, budget: Budget) -> bytes:
    """Empty where there is no such branch."""
    return commit_named(repository, f"{HEADS}{branch}".encode(), budget)


def start_commit(repository: Repository, start: str, budget: Budget) -> bytes:
    """Where a new branch begins: at the commit of the work tree, or of a branch here or on a remote."""
    if not start or start == "HEAD":
        return head_commit(repository, budget)
    found = (commit_named(repository, f"{kind}{start}".encode(), budget) for kind in _KINDS)
    return next(filter(None, found), b"")


def revision_commit(repository: Repository, revision: str, budget: Budget) -> bytes:
    """The commit that `HEAD~2`, `main^`, `origin/main` or a whole name stands for; empty where it cannot be told."""
    found = _REVISION.fullmatch(revision)
    if found is None:
        return b""
    name = "HEAD" if found[1] == "@" else found[1]
    whole = len(name) == 2 * repository.hash_size and _WHOLE_NAME.fullmatch(name)
    commit = bytes.fromhex(name) if whole else start_commit(repository, name, budget)
    objects = Objects(repository, budget)
    try:
        for step in _STEP.findall(found[2]):
            for _ in range(int(step[1:] or 1) if step[0] == "~" else 1):
                commit = next(_parents(objects, commit, repository.hash_size), b"") if commit else b""
        return commit
    finally:
        objects.close()


_REVISION = re.compile(r"(@|[A-Za-z0-9_][\w./-]*)((?:~\d{0,3}|\^)*)")
_STEP = re.compile(r"~\d*|\^")
_WHOLE_NAME = re.compile(r"[0-9a-f]+")


def _refs(repository: Repository, budget: Budget) -> Iterator[tuple[str, bytes]]:
    """Those in the list first: a file of its own is newer."""
    for name, commit in packed_refs(repository, budget):
        if name.startswith(_KINDS):
            yield name, commit
    seen = 0
    for kind in _KINDS:
        top = os.path.join(repository.common, kind)
        for folder, _, files in os.walk(top):
            for file in files:
                seen += 1
                if seen > _MOST_REFS:
                    raise CannotTell("too many branches")
                name = os.path.relpath(os.path.join(folder, file), repository.common)
                commit = commit_named(repository, os.fsencode(name), budget)
                if commit:
                    yield name, commit


def _history(objects: Objects, tips: set[bytes], hash_size: int) -> Iterator[bytes]:
    waiting, known = deque(tips), set(tips)
    for _ in range(_MOST_COMMITS):
        if not waiting:
            return
        commit = waiting.popleft()
        yield commit
        for parent in _parents(objects, commit, hash_size):
            if parent not in known:
                known.add(parent)
                waiting.append(parent)


def _parents(objects: Objects, commit: bytes, hash_size: int) -> Iterator[bytes]:
    for line in objects.read(commit, b"commit").split(b"\n\n", 1)[0].split(b"\n"):
        if line.startswith(_PARENT) and len(line) == len(_PARENT) + 2 * hash_size:
            yield bytes.fromhex(line[len(_PARENT) :].decode())
