"""The only door from the reading of a command to the disk, and a count of how often it was used.

What was read without a look at the disk depends on nothing but its text and its place, so it holds the next
time, too. What was read with one is read again: a link or a file may have changed in between.
"""

from __future__ import annotations

import os
from threading import local


class _Looks(local):
    count = 0


_looks = _Looks()


def looks() -> int:
    """How often this thread has looked so far."""
    return _looks.count


def real_path(path: str) -> str:
    _looks.count += 1
    return os.path.realpath(path)


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
