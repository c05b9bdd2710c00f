"""What a session may lose because it is its own: files that it made, and its changes to files that were
committed before it first changed them."""

from __future__ import annotations

import os.path
from collections.abc import Callable

from fairlead.packs.repository.index import Entry
from fairlead.sessions.memory import NO_MEMORY, Memory
from fairlead.shell.places.targets import Place, Target

_AT_ONCE = 2.0
"""Seconds by which the clocks of a disk and of this machine may differ."""

Owned = Callable[[str, os.stat_result, Entry | None], bool]


def owned_by(memory: Memory) -> Owned | None:
    """Whether a file, as it is on the disk and in the index, is the session's own; None where nothing is."""
    return None if memory is NO_MEMORY else _Own(memory)


class _Own:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def __call__(self, path: str, status: os.stat_result, entry: Entry | None) -> bool:
        return self._was_committed(path, entry) if entry is not None else is_made(self._memory, path, status)

    def _was_committed(self, path: str, entry: Entry) -> bool:
        """Whether the index still holds the file as it was before the session changed it, or after it deleted it."""
        note, kept = self._memory.wrote(path), self._memory.touched(path)
        if note is not None and not note.existed:
            return True
        return any(each is not None and entry.mark in each.source.split() for each in (note, kept))


def is_made(memory: Memory, path: str, status: os.stat_result) -> bool:
    """Whether the session made the file, or a folder in which it was made since. What was moved in is older."""
    while path not in ("", "/"):
        note = memory.wrote(path)
        if note is not None:
            return not note.existed and status.st_mtime >= note.at - _AT_ONCE
        path = os.path.dirname(path)
    return False


def is_made_here(memory: Memory, path: str) -> bool:
    """The same of what is at a path, if that is a file and no folder."""
    if memory is NO_MEMORY:
        return False
    try:
        status = os.lstat(path)
    except OSError:
        return memory.made(path) is not None
    return is_made(memory, path, status)


_ELSEWHERE = (Place.HOME, Place.OUTSIDE, Place.LOCAL)


def is_own_elsewhere(target: Target | None, memory: Memory) -> bool:
    """Whether one file or folder outside the project was made by the session, and nothing older lies in it."""
    if memory is NO_MEMORY or target is None or target.place not in _ELSEWHERE:
        return False
    if target.pattern or target.everything or target.word.opaque is not None:
        return False
    path = target.real or target.path
    return is_made_here(memory, path) and memory.made(path) is not None
