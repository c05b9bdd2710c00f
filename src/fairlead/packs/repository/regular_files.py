"""Opens nothing but regular files: a FIFO or a device in a repository could hold the guard up."""

from __future__ import annotations

import os
from stat import S_ISREG

from fairlead.packs.repository.limits import Budget, CannotTell

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def open_regular(path: str, *, follow: bool) -> int | None:
    """A descriptor; None where nothing is there."""
    try:
        kind = (os.stat if follow else os.lstat)(path).st_mode
        if not S_ISREG(kind):
            raise CannotTell(f"{path} is no regular file")
        descriptor = os.open(path, _FLAGS | (0 if follow else os.O_NOFOLLOW))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise CannotTell(f"{path} cannot be read") from error
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise CannotTell(f"{path} is no regular file")
    return descriptor


def read_regular(path: str, budget: Budget, *, limit: int, follow: bool = True) -> bytes | None:
    """All of a file; None where nothing is there."""
    descriptor = open_regular(path, follow=follow)
    if descriptor is None:
        return None
    try:
        return read_all(descriptor, budget, limit=limit)
    except OSError as error:
        raise CannotTell(f"{path} cannot be read") from error
    finally:
        os.close(descriptor)


def read_all(descriptor: int, budget: Budget, *, limit: int) -> bytes:
    """Up to the end, which some files (of `/proc`) have elsewhere than their size says."""
    size = os.fstat(descriptor).st_size
    if size > limit:
        raise CannotTell("a file is too large")
    pieces, left = [], limit + 1
    budget.spend(size)
    while left > 0 and (piece := os.read(descriptor, min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        raise CannotTell("a file is too large")
    return b"".join(pieces)
