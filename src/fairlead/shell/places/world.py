"""The only door from the reading of a command to the disk, and a count of how often it was used.

What was read without a look at the disk depends on nothing but its text and its place, so it holds the next
time, too. What was read with one holds as long as each look would have the same answer: they are noted, so
that they can be taken again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from stat import S_ISLNK, S_ISREG
from threading import local
from time import time_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

Look = tuple[Callable[[str], object], str, object]
"""What was asked, about which path, and the answer."""
Identity = tuple[int, int, int, int, int]
"""What tells that a file is the same one with the same content: device, inode, size, and when it changed."""


class _Looks(local):
    count = 0
    noted: list[Look] | None = None


_looks = _Looks()


def looks() -> int:
    """How often this thread has looked so far."""
    return _looks.count


def note_looks(noted: list[Look] | None) -> None:
    """From now on each look of this thread is put into a list, with its answer."""
    _looks.noted = noted


def same_answers(noted: Sequence[Look]) -> bool:
    """Whether the disk would answer as it did. Most paths lead where they say, through a few folders."""
    plain: set[str] = set()
    for ask, path, answer in noted:
        if ask is real_path and path == answer and path[:1] == "/" and not _has_link(path, plain):
            continue
        if ask(path) != answer:
            return False
    return True


def _note(ask: Callable[[str], object], path: str, answer: object) -> None:
    _looks.count += 1
    if _looks.noted is not None:
        _looks.noted.append((ask, path, answer))


def _note_content(path: str) -> None:
    _note(_settled_identity, path, None if _looks.noted is None else _settled_identity(path))


_SETTLED = 2_000_000_000
"""Nanoseconds after which another change of a file would give it another time on any disk."""


def identity_of(path: str) -> Identity | None:
    """Of what a path leads to; None where nothing is there, or nothing that may be looked at."""
    try:
        return identity_in(os.stat(path))
    except (OSError, ValueError):
        return None


def identity_in(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns


def is_settled(identity: Identity | None) -> bool:
    """Whether it is old enough to tell the next change."""
    return identity is None or identity[3] < time_ns() - _SETTLED


def _settled_identity(path: str) -> object:
    """One that has just been written is like none, not even itself: it may change within the same moment."""
    identity = identity_of(path)
    return identity if is_settled(identity) else object()


def _never_the_same(path: str) -> object:
    """For what is not worth asking again to see whether it is the same."""
    return object()


def real_path(path: str) -> str:
    """With every link in it followed. `path` has no empty, `.` and `..` components. A link that may not be
    read, as those of other users' processes, leads nowhere."""
    try:
        real = os.path.realpath(path) if path[:1] != "/" or _has_link(path) else path
    except OSError:
        real = path
    _note(real_path, path, real)
    return real


def _has_link(path: str, plain: set[str] | None = None) -> bool:
    """Whether any part of a path is a link; `plain` are parts that are known to be none."""
    end = path.find("/", 1)
    try:
        while True:
            part = path[:end] if end > 0 else path
            if plain is None or part not in plain:
                if S_ISLNK(os.lstat(part).st_mode):
                    return True
                if plain is not None:
                    plain.add(part)
            if end < 0:
                return False
            end = path.find("/", end + 1)
    except OSError:
        return False  # what is not there is no link, and there is nothing below it


def is_there(path: str) -> bool:
    """Also as a link that leads nowhere."""
    found = os.path.lexists(path)
    _note(is_there, path, found)
    return found


def is_folder(path: str) -> bool:
    found = os.path.isdir(path)
    _note(is_folder, path, found)
    return found


def is_file(path: str) -> bool:
    """Also behind a link."""
    found = os.path.isfile(path)
    _note(is_file, path, found)
    return found


_LONGEST_TEXT = 1 << 20


def text_of(path: str) -> str:
    """What a small file holds; empty for anything else, so that a FIFO or a device holds nobody up."""
    _note_content(path)
    try:
        status = os.lstat(path)
        if not S_ISREG(status.st_mode) or status.st_size > _LONGEST_TEXT:
            return ""
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    with open(descriptor, encoding="utf-8", errors="replace") as file:
        return file.read(_LONGEST_TEXT)


def beginning(path: str, most: int) -> bytes:
    """The first bytes of a file; nothing of what is none, or cannot be read."""
    _note_content(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, most) if S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def beginning_of(path: str, most: int = 64 * 1024) -> str:
    """The text that an ordinary file begins with; empty where there is none."""
    return beginning(path, most).decode("utf-8", "replace")


def folder_entries(path: str, most: int) -> Sequence[os.DirEntry[str]] | None:
    """At most `most` of what is in a folder, and one more where there is more; None for what is no folder."""
    _note_content(path)
    found: list[os.DirEntry[str]] = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                found.append(entry)
                if len(found) > most:
                    break
    except (OSError, ValueError):
        return None
    return found


def is_link(path: str) -> bool:
    found = os.path.islink(path)
    _note(is_link, path, found)
    return found


def link_target(path: str) -> str:
    """Where a link leads; empty for what is none."""
    target = ""
    with suppress(OSError, ValueError):
        target = os.readlink(path)
    _note(link_target, path, target)
    return target


def matching_paths(pattern: str, most: int) -> Sequence[str]:
    """At most `most` paths that a glob stands for, as the shell would list them."""
    from glob import iglob  # rare: only for trees and lists of files that are laid over others
    from itertools import islice

    _note(_never_the_same, pattern, None)
    with suppress(OSError, ValueError):
        return list(islice(iglob(pattern), most))
    return []


def open_file(path: str) -> BinaryIO | None:
    """An ordinary file, to be read; None for a device or a pipe, which would keep the reader waiting."""
    _note_content(path)
    with suppress(OSError, ValueError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if S_ISREG(os.fstat(descriptor).st_mode):
            return os.fdopen(descriptor, "rb")
        os.close(descriptor)
    return None


MAX_ENTRIES = 10_000
"""How many names of one folder are read: more than people keep in one, and few enough to be quick."""


def entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing where it cannot be read, and only so many of what is there."""
    _note_content(folder)
    try:
        with os.scandir(folder) as found:
            return [entry for _, entry in zip(range(MAX_ENTRIES), found, strict=False)]
    except (OSError, ValueError):
        return []


def names_in(folder: str) -> list[str]:
    """The names in a folder, in order; nothing where it cannot be read, and only so many of what is there."""
    _note_content(folder)
    try:
        with os.scandir(folder) as found:
            return sorted(entry.name for _, entry in zip(range(MAX_ENTRIES), found, strict=False))
    except (OSError, ValueError):
        return []


def ignores_case(folder: str) -> bool:
    """Whether the disk takes `.SSH` for `.ssh`: the folder is found under its name in other letters, too."""
    try:
        found = folder != folder.swapcase() and os.path.samefile(folder, folder.swapcase())
    except (OSError, ValueError):
        found = False
    _note(ignores_case, folder, found)
    return found
