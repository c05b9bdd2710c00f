"""Reads ordinary files alone: a FIFO or a device would hold the guard up, and `/proc` says something else each time."""

from __future__ import annotations

import os
from stat import S_ISREG
from typing import NamedTuple

from fairlead.shell.places.world import Identity, identity_in

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
_UNREAL = ("/proc/", "/sys/", "/dev/")
_FIRST_LINE = 80
"""Where a shell looks for the NUL bytes of a program that is no text."""


class Content(NamedTuple):
    """The bytes of a file, of the identity that it had when they were read."""

    data: bytes
    identity: Identity


def is_ordinary(path: str, mode: int) -> bool:
    """Whether a path, with its links followed, is that of an ordinary file."""
    return S_ISREG(mode) and not path.startswith(_UNREAL)


def read_ordinary(path: str, most: int) -> Content | None:
    """All of a file that has no more bytes than that; `path` has its links followed."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if not is_ordinary(path, status.st_mode):
            return None
        data = _read(descriptor, most + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return Content(data, identity_in(status)) if len(data) <= most else None


def _read(descriptor: int, most: int) -> bytes:
    pieces = []
    while most > 0 and (piece := os.read(descriptor, most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def as_text(data: bytes) -> bytes | None:
    """As the programs that run it would read it, in UTF-8; None for what is no text.

    Shells leave NUL bytes out, unless they find one in the first line. Line ends of Windows count as line
    ends: some programs take them so, and what is dangerous then is dangerous.
    """
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            data = data[2:].decode(encoding, "replace").encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data[:_FIRST_LINE].partition(b"\n")[0]:
        return None
    return data.replace(b"\0", b"").replace(b"\r\n", b"\n")
