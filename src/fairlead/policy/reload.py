"""Whether a policy has changed since it was read: a few stat calls, no watching, no reading."""

from __future__ import annotations

import os
import time
from errno import ENOENT

from fairlead.model.value import Value

SETTLING_NS = 50_000_000
"""A file that changed this shortly before it was read could change again within the same clock tick."""

Mark = tuple[int, ...]
_MISSING: Mark = (ENOENT,)


class Signature(Value):
    """Every file and folder that took part, or the part of its path that is missing. Unsettled: something was
    written just then; look again."""

    marks: tuple[tuple[str, Mark], ...] = ()
    settled: bool = True
    until: float = 0.0
    """From when on it reads otherwise although no file changes, in epoch seconds; 0 for never."""

    def changed(self) -> bool:
        if not self.settled or (self.until and time.time() >= self.until):
            return True
        for path, mark in self.marks:
            if mark == _MISSING:  # as most are; to ask whether that is still so raises nothing
                if os.access(path, os.F_OK, follow_symlinks=False):
                    return True
            elif mark_of(path) != mark:
                return True
        return False


def mark_of(path: str) -> Mark:
    """What changes when the file does; ctime cannot be set back. For what cannot be seen: the errno."""
    try:
        info = os.lstat(path)
    except OSError as error:
        return (error.errno or 0,)
    return (info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_mode, info.st_uid)


def is_settled(mark: Mark) -> bool:
    """Whether what was marked just now cannot change again without another mark."""
    return len(mark) > 1 and mark[1] < time.time_ns() - SETTLING_NS


class Watch:
    """Collects marks while a policy is read. Mark first, read after: what changes between is then seen."""

    def __init__(self) -> None:
        self._marks: dict[str, Mark] = {}
        self._began = time.time_ns()
        self._until = 0.0

    def add(self, path: str) -> Mark:
        """Links are marked with what they lead to."""
        mark = self._marks[path] = mark_of(path)
        if os.path.islink(path):
            target = os.path.realpath(path)
            if target not in self._marks:
                self._marks[target] = mark_of(target)
        return mark

    def end_at(self, moment: float) -> None:
        """What is read holds until then at most; 0 sets no end."""
        self._until = min(filter(None, (self._until, moment)), default=0.0)

    def signature(self) -> Signature:
        newest = max((mark[1] for mark in self._marks.values() if len(mark) > 1), default=0)
        marks = {
            _missing_part(path) if mark == _MISSING else path: mark for path, mark in self._marks.items()
        }
        return Signature(tuple(marks.items()), settled=newest < self._began - SETTLING_NS, until=self._until)


def _missing_part(path: str) -> str:
    """Of a path that is not there, as much as its first name that is not: nothing comes to be without that,
    and names that are missing together are asked for once."""
    above = os.path.dirname(path)
    while above and above != path and mark_of(above) == _MISSING:
        path, above = above, os.path.dirname(above)
    return path
