"""Brings back what git knew: objects, branches, the list of stashes, the index. Each file is locked as git
itself locks it, and replaced in one step."""

from __future__ import annotations

import contextlib
import os
import time
import zlib
from collections.abc import Iterator
from stat import S_ISLNK, S_ISREG

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.index import Entry as IndexEntry
from fairlead.packs.repository.index import Index
from fairlead.packs.repository.limits import Budget
from fairlead.undo.aftermath import index_of, read_or_nothing, stash_of
from fairlead.undo.git.refs import check_name, in_the_way, ref_value, refs_below
from fairlead.undo.manifest import FILE, LINK, Entry, GitRecord
from fairlead.undo.store import write_new

_STASH = "refs/stash"
_NONE = "0" * 40


class Told(Value):
    """One thing that was done, or not, in words."""

    what: str
    done: bool = True
    acting: bool = True


def repository_of(record: GitRecord) -> Repository:
    return Repository(record.top, record.folder, record.common, {}, record.hash_size)


def read_saved_index(record: GitRecord, content: bytes) -> Index:
    return Index(content, 0, hash_size=record.hash_size, budget=Budget(seconds=60))


def tracked_entries(record: GitRecord, index: Index) -> Iterator[Entry]:
    """The tracked files of an index as entries whose content git has."""
    modes = dict(record.modes)
    for name, entry in index.entries():
        text = os.fsdecode(name)
        path = os.path.join(record.top, text)
        if S_ISREG(entry.mode):
            usual = record.usual[1 if entry.mode & 0o100 else 0]
            yield _as_entry(path, FILE, entry, modes.get(text, usual))
        elif S_ISLNK(entry.mode):
            yield _as_entry(path, LINK, entry, 0o777)


def _as_entry(path: str, kind: str, entry: IndexEntry, mode: int) -> Entry:
    size = int.from_bytes(entry.stat[36:40], "big")
    uid, gid = os.geteuid(), os.getegid()
    return Entry(path, kind, mode, int(entry.mark), uid, gid, size, blob=entry.object.hex())


def write_object(record: GitRecord, name: str, content: bytes) -> None:
    """Put a file's content where git looks for it, if it is not there."""
    folder = os.path.join(record.common, "objects", name[:2])
    path = os.path.join(folder, name[2:])
    if os.path.exists(path):
        return
    os.makedirs(folder, exist_ok=True)
    draft = f"{path}.{os.getpid()}.new"
    write_new(draft, zlib.compress(b"blob %d\0" % len(content) + content), 0o444)
    os.rename(draft, path)


@contextlib.contextmanager
def _locked(path: str) -> Iterator[str]:
    """The draft that takes the place of a file, under the name by which git locks it."""
    lock = f"{path}.lock"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_new(lock, b"", 0o644)
    except FileExistsError as error:
        hint = f"wait for git to end; if none runs, remove {lock}"
        raise FairleadError(f"git is at work in {os.path.dirname(path)}", hint=hint) from error
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
    try:
        yield lock
        if os.path.isdir(path):
            os.rmdir(path)  # of a ref that is gone
        os.replace(lock, path)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(lock)


def replace_file(path: str, content: bytes) -> None:
    with _locked(path) as lock, open(lock, "wb") as file:
        file.write(content)


class GitRestoring:
    """Tells first, and does it when `acts`."""

    def __init__(self, record: GitRecord, *, until: int, suffix: str, force: bool, acts: bool) -> None:
        self._record = record
        self._repository = repository_of(record)
        self._until = until
        self._suffix = suffix
        self._force = force
        self._acts = acts

    def refs(self, read: dict[str, bytes]) -> Iterator[Told]:
        """`read`: what the pieces of data hold, by name."""
        yield from self._new_refs()
        logs = dict(self._record.logs)
        for name, value in self._record.refs:
            check_name(name)
            now = ref_value(self._repository, name, Budget(seconds=60))
            if now == value:
                continue
            is_the_calls = self._is_the_calls(os.path.join(self._record.common, name))
            if not value and not is_the_calls:
                yield Told(f"{_short(name)} was made since, and stays", done=False, acting=False)
            elif not value:
                self._delete_ref(name)
                yield Told(f"{_short(name)} is gone again")
            elif not now and (other := self._in_the_way(name)):
                what = f"{_short(name)} was at {value}, and cannot come back while there is {_short(other)}"
                yield Told(what, done=False, acting=False)
            elif not now or is_the_calls:
                self._set_ref(name, value, now, read.get(logs.get(name, "")))
                yield Told(f"{_short(name)} is at {value[:10]} again")
            else:
                yield from self._beside(name, value)

    def _new_refs(self) -> Iterator[Told]:
        """What the call made goes."""
        for name in self._made_since():
            if self._is_the_calls(os.path.join(self._record.common, name)):
                self._delete_ref(name)
                yield Told(f"{_short(name)} is gone again")

    def _made_since(self) -> list[str]:
        known = {name for name, value in self._record.refs if value}
        found = [refs_below(self._repository, prefix, Budget(seconds=60)) for prefix in self._record.below]
        return [name for each in found for name in each if name not in known and not self._is_ours(name)]

    def _is_ours(self, name: str) -> bool:
        """What an undo put beside."""
        return name.endswith(f".{self._suffix}")

    def _in_the_way(self, name: str) -> str:
        """Before anything is done, what the call made counts as gone."""
        other = in_the_way(self._repository, name, Budget(seconds=60))
        goes = other in self._made_since() and self._is_the_calls(os.path.join(self._record.common, other))
        return "" if goes else other

    def _beside(self, name: str, value: str) -> Iterator[Told]:
        beside = f"{name}.{self._suffix}"
        if ref_value(self._repository, beside, Budget(seconds=60)) != value:
            self._set_ref(beside, value, "", None)
            yield Told(f"{_short(name)} moved since: what it was is {_short(beside)}")

    def _set_ref(self, name: str, value: str, now: str, log: bytes | None) -> None:
        if not self._acts:
            return
        path = os.path.join(self._record.common, name)
        replace_file(path, f"{value}\n".encode())
        journal = os.path.join(self._record.common, "logs", name)
        if log is not None and not os.path.exists(journal):
            os.makedirs(os.path.dirname(journal), exist_ok=True)
            write_new(journal, log, 0o644)
        else:
            self._note(journal, now, value)
        head = os.path.join(self._record.folder, "HEAD")
        with contextlib.suppress(OSError), open(head, encoding="utf-8") as file:
            if file.read().strip() == f"ref: {name}":
                self._note(os.path.join(self._record.folder, "logs/HEAD"), now, value)

    def _delete_ref(self, name: str) -> None:
        """A ref that is only a file: git packs none of a moment ago."""
        if not self._acts:
            return
        path = os.path.join(self._record.common, name)
        with _locked(path):
            pass
        for each in (path, os.path.join(self._record.common, "logs", name)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(each)
            self._remove_empty_folders(each)

    def _remove_empty_folders(self, path: str) -> None:
        """As git does: none stays where a ref may have its name."""
        folder = os.path.dirname(path)
        with contextlib.suppress(OSError):
            while os.path.basename(os.path.dirname(folder)) != "refs" and "/refs/" in folder:
                os.rmdir(folder)
                folder = os.path.dirname(folder)

    def _note(self, journal: str, old: str, new: str) -> None:
        """As git notes where a branch was, where it does."""
        if os.path.exists(journal):
            line = f"{old or _NONE} {new} Fairlead <undo@localhost> {int(time.time())} +0000\tundo\n"
            with open(journal, "a", encoding="utf-8") as file:
                file.write(line)

    def head(self) -> Iterator[Told]:
        path = os.path.join(self._record.folder, "HEAD")
        with open(path, "rb") as file:
            now = os.fsdecode(file.read(4096)).strip()
        if not self._record.head or now == self._record.head:
            return
        if not self._is_the_calls(path):
            yield Told("another branch was checked out since, and stays so", done=False, acting=False)
            return
        if self._acts:
            replace_file(path, f"{self._record.head}\n".encode())
        yield Told(f"HEAD is {self._record.head.removeprefix('ref: ')} again")

    def stash(self, saved: bytes, after: bytes | None) -> Iterator[Told]:
        """The list as it was; and behind it what came since, unless nothing did."""
        journal = stash_of(self._record)
        now = read_or_nothing(journal).splitlines()
        same = self._is_the_calls(journal) if after is None else after.splitlines() == now
        wanted = saved.splitlines() if same else _merged(saved.splitlines(), now)
        if wanted == now:
            return
        if self._acts:
            self._set_stash(journal, wanted)
        yield Told(f"the list of stashes has {len(wanted)} again")

    def _set_stash(self, journal: str, lines: list[bytes]) -> None:
        if not lines:
            self._delete_ref(_STASH)
            return
        replace_file(journal, b"".join(line + b"\n" for line in lines))
        replace_file(os.path.join(self._record.common, _STASH), lines[-1].split(b" ", 2)[1] + b"\n")

    def index(self, saved: bytes, after: bytes | None, *, holds_new_work: bool) -> Iterator[Told]:
        path = index_of(self._record)
        now = read_or_nothing(path)
        if _lists_same(self._record, now, saved):
            return
        is_the_calls = self._is_the_calls(path) or (
            after is not None and _lists_same(self._record, now, after)
        )
        if holds_new_work and not is_the_calls:
            yield Told(
                "changes were staged since: the index stays as it is (--force replaces it)",
                done=False,
                acting=False,
            )
            return
        if self._acts:
            replace_file(path, saved)
        yield Told("the index is as it was")

    def _is_the_calls(self, path: str) -> bool:
        try:
            return self._force or os.lstat(path).st_ctime_ns <= self._until
        except (FileNotFoundError, NotADirectoryError):
            return True


def _lists_same(record: GitRecord, one: bytes, other: bytes) -> bool:
    """Whether two indexes track the same content; what they know of the disk may differ."""
    if one == other:
        return True
    listed = []
    for content in (one, other):
        index = read_saved_index(record, content)
        listed.append([(name, entry.mode, entry.object, entry.pending) for name, entry in index.entries()])
    return listed[0] == listed[1]


def _merged(saved: list[bytes], now: list[bytes]) -> list[bytes]:
    """Each line names the stash before it, so the chain is made anew."""
    known = {line.split(b" ", 2)[1] for line in saved if line.count(b" ") > 1}
    lines = [*saved, *(line for line in now if line.split(b" ", 2)[1] not in known)]
    merged, before = [], b""
    for line in lines:
        _, new, rest = line.split(b" ", 2)
        merged.append((before or b"0" * len(new)) + b" " + new + b" " + rest)
        before = new
    return merged


def _short(name: str) -> str:
    return name.removeprefix("refs/heads/").removeprefix("refs/")
