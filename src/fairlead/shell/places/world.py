"""The only door from the reading of a command to the disk, and a count of how often it was used.

What was read without a look at the disk depends on nothing but its text and its place, so it holds the next
time, too. What was read with one is read again: a link or a file may have changed in between.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from stat import S_ISLNK, S_ISREG
from threading import local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


class _Looks(local):
    count = 0


_looks = _Looks()


def looks() -> int:
    """How often this thread has looked so far."""
    return _looks.count


def real_path(path: str) -> str:
    """With every link in it followed. `path` has no empty, `.` and `..` components. A link that may not be
    read, as those of other users' processes, leads nowhere."""
    _looks.count += 1
    try:
        return os.path.realpath(path) if path[:1] != "/" or _has_link(path) else path
    except OSError:
        return path


def _has_link(path: str) -> bool:
    end = path.find("/", 1)
    try:
        while not S_ISLNK(os.lstat(path[:end] if end > 0 else path).st_mode):
            if end < 0:
                return False
            end = path.find("/", end + 1)
    except OSError:
        return False  # what is not there is no link, and there is nothing below it
    return True


def is_there(path: str) -> bool:
    """Also as a link that leads nowhere."""
    _looks.count += 1
    return os.path.lexists(path)


def is_folder(path: str) -> bool:
    _looks.count += 1
    return os.path.isdir(path)


def is_file(path: str) -> bool:
    """Also behind a link."""
    _looks.count += 1
    return os.path.isfile(path)


_LONGEST_TEXT = 1 << 20


def text_of(path: str) -> str:
    """What a small file holds; empty for anything else, so that a FIFO or a device holds nobody up."""
    _looks.count += 1
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
    _looks.count += 1
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
    _looks.count += 1
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
    _looks.count += 1
    return os.path.islink(path)


def link_target(path: str) -> str:
    """Where a link leads; empty for what is none."""
    _looks.count += 1
    with suppress(OSError, ValueError):
        return os.readlink(path)
    return ""


def matching_paths(pattern: str, most: int) -> Sequence[str]:
    """At most `most` paths that a glob stands for, as the shell would list them."""
    from glob import iglob  # rare: only for trees and lists of files that are laid over others
    from itertools import islice

    _looks.count += 1
    with suppress(OSError, ValueError):
        return list(islice(iglob(pattern), most))
    return []


def open_file(path: str) -> BinaryIO | None:
    """An ordinary file, to be read; None for a device or a pipe, which would keep the reader waiting."""
    _looks.count += 1
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
    _looks.count += 1
    try:
        with os.scandir(folder) as found:
            return [entry for _, entry in zip(range(MAX_ENTRIES), found, strict=False)]
    except (OSError, ValueError):
        return []


def ignores_case(folder: str) -> bool:
    """Whether the disk takes `.SSH` for `.ssh`: the folder is found under its name in other letters, too."""
    _looks.count += 1
    try:
        return folder != folder.swapcase() and os.path.samefile(folder, folder.swapcase())
    except (OSError, ValueError):
        return False
