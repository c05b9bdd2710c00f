"""Reads and writes the refs of a repository as files. Git is never run, so neither is what its settings name.

A private ref, `refs/fairlead/undo/ID/N`, keeps a commit alive that nothing else would name any more. To copy
its objects instead, the whole history would have to be walked to find out which are nowhere else; a ref costs
one small file, and git itself keeps the rest. It is no branch and no stash, and goes with its save.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from stat import S_IMODE, S_ISDIR

from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.regular_files import read_regular
from fairlead.undo.limits import NotSavedError
from fairlead.undo.manifest import GitRecord, Manifest
from fairlead.undo.store import write_new

_OWN = "refs/fairlead/undo"
_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_PACKED = 16 * 1024 * 1024
_MOST = 2_000
_ID = re.compile(r"[0-9a-f-]+")


def ref_value(repository: Repository, name: str, budget: Budget) -> str:
    """What a ref says; empty where there is none. Raises CannotTell for what is no plain ref."""
    check_name(name)
    path = os.path.join(repository.common, name)
    loose = None if os.path.isdir(path) else read_regular(path, budget, limit=4096)
    if loose is not None:
        text = loose.decode("ascii", "replace").strip()
        if not _NAME.fullmatch(text):
            raise CannotTell(f"{name} is no plain ref")
        return text
    return packed_refs(repository, budget).get(name, "")


def packed_refs(repository: Repository, budget: Budget) -> dict[str, str]:
    text = read_regular(os.path.join(repository.common, "packed-refs"), budget, limit=_PACKED) or b""
    lines = (line.split(" ", 1) for line in os.fsdecode(text).splitlines() if line[:1] not in ("#", "^"))
    return {parts[1]: parts[0] for parts in lines if len(parts) == 2 and _NAME.fullmatch(parts[0])}


def refs_below(repository: Repository, prefix: str, budget: Budget) -> dict[str, str]:
    """All refs below, such as `refs/heads/`, with what they say."""
    found = {
        name: value for name, value in packed_refs(repository, budget).items() if name.startswith(prefix)
    }
    for folder, _, names in os.walk(os.path.join(repository.common, prefix)):
        for file in names:
            budget.step()
            name = os.path.relpath(os.path.join(folder, file), repository.common)
            if not file.endswith(".lock"):
                found[name] = ref_value(repository, name, budget)
    if len(found) > _MOST:
        raise CannotTell("there are too many branches and tags")
    return found


def in_the_way(repository: Repository, name: str, budget: Budget) -> str:
    """A ref whose name would be a folder of this one's, or the other way round; empty where there is none."""
    parts = name.split("/")
    for count in range(3, len(parts)):
        above = "/".join(parts[:count])
        if ref_value(repository, above, budget):
            return above
    return next(iter(refs_below(repository, f"{name}/", budget)), "")


def check_name(name: str) -> None:
    parts = name.split("/")
    if not name.startswith("refs/") or "\0" in name or any(part in ("", ".", "..") for part in parts):
        raise CannotTell(f"{name!r} is no name of a ref")


def is_ordinary(repository: Repository) -> bool:
    """Whether refs are plain files in folders of this user: nothing that a link leads away from."""
    if repository.has_reftable:
        return False
    try:
        return all(
            S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
            for status in (
                os.lstat(repository.common),
                os.lstat(os.path.join(repository.common, "refs")),
            )
        )
    except OSError:
        return False


def keep_alive(record: GitRecord, id_: str) -> None:
    """Raises NotSavedError where a ref cannot be written."""
    if not record.keep:
        return
    folder = os.path.join(record.common, _OWN, id_)
    try:
        _make_plain(record.common, f"{_OWN}/{id_}")
        for number, name in enumerate(record.keep):
            write_new(os.path.join(folder, str(number)), f"{name}\n".encode(), 0o644)
    except OSError as error:
        release_refs(record, id_)
        raise NotSavedError(f"the repository cannot be written to: {error.strerror}") from error


def _make_plain(common: str, folder: str) -> None:
    """Make the folders one by one, and go through no link."""
    path = common
    for part in folder.split("/"):
        path = os.path.join(path, part)
        with contextlib.suppress(FileExistsError):
            os.mkdir(path)
        if not S_ISDIR(os.lstat(path).st_mode):
            raise NotADirectoryError(20, "a folder of refs is none", path)


def release(manifest: Manifest) -> None:
    """Take away what a save told git to keep."""
    if manifest.git is not None and manifest.git.keep:
        release_refs(manifest.git, manifest.id)


def release_refs(record: GitRecord, id_: str) -> None:
    """What cannot be taken away stays; git says of a ref that is packed and loose what the loose one says, so
    the packed one goes first."""
    if not _ID.fullmatch(id_):
        return
    with contextlib.suppress(OSError, CannotTell):
        _release_packed(record, id_)
    folder = os.path.join(record.common, _OWN, id_)
    with contextlib.suppress(OSError, CannotTell):
        for number, name in enumerate(record.keep):
            path = os.path.join(folder, str(number))
            if (read_regular(path, Budget(), limit=4096, follow=False) or b"").strip() == name.encode():
                os.unlink(path)
    for path in (folder, os.path.dirname(folder), os.path.dirname(os.path.dirname(folder))):
        with contextlib.suppress(OSError):
            os.rmdir(path)


def _release_packed(record: GitRecord, id_: str) -> None:
    """`git gc` moves all refs into one file. It is replaced under git's own lock, or not at all."""
    path = os.path.join(record.common, "packed-refs")
    ours = frozenset(f"{name} {_OWN}/{id_}/{number}".encode() for number, name in enumerate(record.keep))
    if ours.isdisjoint(_lines(path)):
        return
    lock = f"{path}.lock"
    write_new(lock, b"")
    try:
        with open(lock, "wb") as file:
            file.write(b"".join(line + b"\n" for line in _without(ours, _lines(path))))
        os.chmod(lock, S_IMODE(os.lstat(path).st_mode))
        os.rename(lock, path)
    except BaseException:
        os.unlink(lock)
        raise


def _without(refs: frozenset[bytes], lines: list[bytes]) -> Iterator[bytes]:
    """A line that begins with `^` belongs to the ref before it: it says what a tag there leads to."""
    goes = False
    for line in lines:
        goes = line in refs or (goes and line.startswith(b"^"))
        if not goes:
            yield line


def _lines(path: str) -> list[bytes]:
    text = read_regular(path, Budget(), limit=_PACKED, follow=False) or b""
    return text.removesuffix(b"\n").split(b"\n")
