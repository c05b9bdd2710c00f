"""Whether a file on the disk is what the index says."""

from __future__ import annotations

import os
from hashlib import sha1, sha256
from stat import S_IFMT, S_ISLNK, S_ISREG
from typing import TYPE_CHECKING

from fairlead.packs.repository.index import Entry
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.regular_files import open_regular

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

_CHUNK, _SMALL = 1 << 20, 1 << 23
_SHORT_NAME = 20
_SECOND = 1_000_000_000


def is_unchanged(path: str, entry: Entry, status: os.stat_result, *, written: int, budget: Budget) -> bool:
    """By its marks where they can be trusted, else by its content.

    Filters are not run. Line ends may differ, everything else that a filter would hide counts as a change.
    """
    if S_IFMT(status.st_mode) != S_IFMT(entry.mode):
        return False
    if _has_same_marks(entry, status, written):
        return True
    if S_ISLNK(status.st_mode):
        return _name_of(os.fsencode(os.readlink(path)), entry) == entry.object
    if not S_ISREG(status.st_mode):
        return False
    return _is_same_content(path, entry, status.st_size, budget)


def _is_same_content(path: str, entry: Entry, size: int, budget: Budget) -> bool:
    """A large file is never held as a whole, so its line ends must be the same."""
    descriptor = open_regular(path, follow=False)
    if descriptor is None:
        raise CannotTell(f"{path} vanished")
    made, ends = _hash_for(entry, size), []
    try:
        while piece := os.read(descriptor, _CHUNK):
            budget.spend(len(piece))
            made.update(piece)
            ends += [piece] if size <= _SMALL else []
    finally:
        os.close(descriptor)
    if made.digest() == entry.object:
        return True
    content = b"".join(ends)
    return b"\r\n" in content and _name_of(content.replace(b"\r\n", b"\n"), entry) == entry.object


def _has_same_marks(entry: Entry, status: os.stat_result, written: int) -> bool:
    """What changed in the moment in which the index was written, or after it, cannot be told by its marks."""
    numbers = [int.from_bytes(entry.stat[at : at + 4], "big") for at in range(0, 40, 4)]
    changed, modified = numbers[0] * _SECOND + numbers[1], numbers[2] * _SECOND + numbers[3]
    exact = 1 if numbers[1] or numbers[3] else _SECOND  # some builds of git keep seconds alone
    return (
        modified // exact == status.st_mtime_ns // exact
        and (changed // exact == status.st_ctime_ns // exact)
        and numbers[5] == status.st_ino & 0xFFFFFFFF
        and numbers[9] == status.st_size & 0xFFFFFFFF
        and status.st_mtime_ns // exact < written // exact
    )


def _name_of(content: bytes, entry: Entry) -> bytes:
    made = _hash_for(entry, len(content))
    made.update(content)
    return made.digest()


def _hash_for(entry: Entry, size: int) -> Hash:
    """Begun as git begins the name of a file's content."""
    made = sha1(usedforsecurity=False) if len(entry.object) == _SHORT_NAME else sha256(usedforsecurity=False)
    made.update(b"blob %d\0" % size)
    return made
