"""Saves what git knew: where branches stood, the index, the list of stashes, a merge that was under way."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from stat import S_IMODE, S_ISREG

from fairlead.model.value import Value
from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.last_commit import head_commit
from fairlead.packs.repository.regular_files import read_regular
from fairlead.undo.gathering import Gathering, Wanted
from fairlead.undo.git.refs import is_ordinary, ref_value, refs_below
from fairlead.undo.git.tracked_files import TrackedFiles, is_within
from fairlead.undo.limits import NotSavedError
from fairlead.undo.manifest import GitRecord, StagedObject
from fairlead.undo.store import Draft

_LARGEST = 64 * 1024 * 1024
_MOST_STASHES, _MOST_FOLDERS = 500, 5_000
_UNDER_WAY = (
    *("MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG"),
    *("rebase-merge", "rebase-apply", "sequencer"),
)
"""What a merge or a rebase keeps in the folder of the repository until it is over."""
_STASH = "refs/stash"


class GitNeed(Value):
    """What a subcommand may change. Paths are names from the top; none stand for the whole work tree."""

    paths: tuple[str, ...] = ()
    tracked: bool = False
    untracked: bool = False
    ignored: bool = False
    index: bool = False
    head: bool = False
    """Where the branch that is checked out stands, and which one it is."""
    refs: tuple[str, ...] = ()
    all_refs: tuple[str, ...] = ()
    """Everything below these, such as `refs/heads/`."""
    stash: bool = False

    def joined(self, other: GitNeed) -> GitNeed:
        both = self.paths and other.paths
        return GitNeed(
            tuple(dict.fromkeys((*self.paths, *other.paths))) if both else (),
            self.tracked or other.tracked,
            self.untracked or other.untracked,
            self.ignored or other.ignored,
            self.index or other.index,
            self.head or other.head,
            tuple(dict.fromkeys((*self.refs, *other.refs))),
            tuple(dict.fromkeys((*self.all_refs, *other.all_refs))),
            self.stash or other.stash,
        )


def take_work(need: GitNeed, tracked: TrackedFiles, gathering: Gathering) -> None:
    """The files of the work tree that would be lost."""
    top = tracked.repository.top
    if need.tracked:
        for path in tracked.modules(need.paths):
            gathering.leave_module(path)
        for path in _at_risk(need, tracked):
            gathering.take(Wanted(path))
        for folder in _folders(tracked, need.paths):
            gathering.note_folder(folder)
    if need.untracked or need.ignored:
        for name in need.paths or ("",):
            path = os.path.join(top, name) if name else top
            gathering.take(Wanted(path, whole=True, ignored=need.ignored, without_git=True))


def _at_risk(need: GitNeed, tracked: TrackedFiles) -> Iterator[str]:
    """Files that no commit can make again as they are; those that are only staged may look otherwise on the
    disk, by a filter."""
    yield from tracked.changed(need.paths)
    if need.index:
        for path, _ in tracked.staged():
            if is_within(tracked.relative(path), need.paths):
                yield path


def _folders(tracked: TrackedFiles, paths: tuple[str, ...]) -> Iterator[str]:
    """Folders of tracked files: git takes them away when they are empty."""
    found: dict[str, None] = {}
    for name, _ in tracked.index.entries():
        folder = os.path.dirname(os.fsdecode(name))
        while folder and folder not in found and is_within(folder, paths):
            found[folder] = None
            folder = os.path.dirname(folder)
        if len(found) > _MOST_FOLDERS:
            return
    for folder in found:
        path = os.path.join(tracked.repository.top, folder)
        if os.path.isdir(path) and not os.path.islink(path):
            yield path


def record_of(need: GitNeed, tracked: TrackedFiles, gathering: Gathering, draft: Draft | None) -> GitRecord:
    """Raises CannotTell or NotSavedError for a repository whose state cannot be read or kept."""
    repository = tracked.repository
    if not is_ordinary(repository):
        raise NotSavedError("the repository keeps its branches in a way that is not read")
    put = _Pieces(draft, gathering)
    refs = _refs(need, tracked)
    head = _text(repository, "HEAD", tracked) if need.head else ""
    kept = {value: None for value in refs.values() if value}
    if need.head:
        kept[head_commit(repository, tracked.budget).hex()] = None
    stash, has_stash = _stash(need, tracked, put, kept)
    if need.index or need.head:
        for name in _UNDER_WAY:
            gathering.take(Wanted(os.path.join(repository.folder, name), whole=True, generated=True))
    usual, modes = _modes(tracked, need.paths) if need.tracked else ((0, 0), {})
    index = read_regular(os.path.join(repository.folder, "index"), tracked.budget, limit=_LARGEST)
    return GitRecord(
        repository.top,
        repository.folder,
        repository.common,
        repository.hash_size,
        head=head,
        refs=tuple(refs.items()),
        below=need.all_refs,
        logs=tuple(_logs(need, tracked, put)),
        stash=stash,
        has_stash=has_stash,
        index=put(index) if need.index and index is not None else "",
        had_index=index is not None,
        staged=tuple(_staged(tracked, put)) if need.index else (),
        whole=need.tracked,
        paths=need.paths,
        usual=usual,
        modes=tuple(modes.items()),
        keep=tuple(name for name in kept if name),
    )


class _Pieces:
    """Puts bytes into the draft, and counts them."""

    def __init__(self, draft: Draft | None, gathering: Gathering) -> None:
        self._draft, self._gathering = draft, gathering

    def __call__(self, content: bytes) -> str:
        self._gathering.allowance.take_bytes(len(content))
        return self._draft.put(content) if self._draft is not None else "0"


def _text(repository: Repository, name: str, tracked: TrackedFiles) -> str:
    found = read_regular(os.path.join(repository.folder, name), tracked.budget, limit=4096)
    return os.fsdecode(found or b"").strip()


def _refs(need: GitNeed, tracked: TrackedFiles) -> dict[str, str]:
    repository, budget = tracked.repository, tracked.budget
    found = {name: ref_value(repository, name, budget) for name in need.refs}
    for prefix in need.all_refs:
        found |= refs_below(repository, prefix, budget)
    if need.head:
        branch = _text(repository, "HEAD", tracked).removeprefix("ref:").strip()
        if branch.startswith("refs/"):
            found[branch] = ref_value(repository, branch, budget)
    return found


def _logs(need: GitNeed, tracked: TrackedFiles, put: _Pieces) -> Iterator[tuple[str, str]]:
    """Git deletes the history of a branch with the branch."""
    for name in need.refs:
        path = os.path.join(tracked.repository.common, "logs", name)
        if os.path.isdir(path):
            continue  # of another branch, whose name goes on
        content = read_regular(path, tracked.budget, limit=_LARGEST)
        if content is not None:
            yield name, put(content)


def _stash(need: GitNeed, tracked: TrackedFiles, put: _Pieces, kept: dict[str, None]) -> tuple[str, bool]:
    if not need.stash:
        return "", False
    repository = tracked.repository
    newest = ref_value(repository, _STASH, tracked.budget)
    log = read_regular(os.path.join(repository.common, "logs", _STASH), tracked.budget, limit=_LARGEST) or b""
    lines = log.splitlines()
    if len(lines) > _MOST_STASHES:
        raise NotSavedError("there are too many stashes")
    kept |= {line.split(b" ", 2)[1].decode(): None for line in lines if line.count(b" ") > 1}
    if newest:
        kept[newest] = None
    return put(log), bool(newest)


def _staged(tracked: TrackedFiles, put: _Pieces) -> Iterator[StagedObject]:
    done: set[bytes] = set()
    for _, name in tracked.staged():
        if name not in done:
            done.add(name)
            yield StagedObject(name.hex(), put(tracked.objects.read(name, b"blob")))


def _modes(tracked: TrackedFiles, paths: tuple[str, ...]) -> tuple[tuple[int, int], dict[str, int]]:
    """What most tracked files have, those that may be run apart, and what others have: git only knows whether
    a file may be run."""
    found: dict[str, tuple[bool, int]] = {}
    for name, entry in tracked.index.entries():
        text = os.fsdecode(name)
        if S_ISREG(entry.mode) and is_within(text, paths):
            with suppress(FileNotFoundError, NotADirectoryError):
                status = os.lstat(os.path.join(tracked.repository.top, text))
                found[text] = (bool(entry.mode & 0o100), S_IMODE(status.st_mode))
    plain, runs = (_commonest(found.values(), kind) for kind in (False, True))
    others = {text: mode for text, (kind, mode) in found.items() if mode != (runs if kind else plain)}
    return (plain, runs), others


def _commonest(modes: Iterable[tuple[bool, int]], runs: bool) -> int:
    counted = Counter(mode for kind, mode in modes if kind is runs).most_common(1)
    return counted[0][0] if counted else 0o755 if runs else 0o644
