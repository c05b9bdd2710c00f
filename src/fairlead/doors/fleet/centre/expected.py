"""The list of machines that there should be, which the centre owns: absence is told by it, and what a machine
says of its own group is held against it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping

from fairlead.doors.fleet.centre.broker_config import Machine
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.documents import NAME

MAX_LIST = 32 * 1024 * 1024
_LOOK_AGAIN = 2.0
_HINT = "machine, group and key, as `fairlead fleet enrol` prints them"


def machines_of(content: bytes, path: str, *, keys: bool = True) -> list[Machine]:
    """A line each with its name, its group, and its key. `keys`: each line needs one. Raises UsageError with
    the line that is wrong."""
    found = []
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 3 and (keys or len(words) != 2):
            raise UsageError(f"{path}:{number}: {line[:60]!r} is no machine", hint=_HINT)
        found.append(Machine(words[0], words[1], words[2] if len(words) == 3 else ""))
    return found


def groups_of(content: bytes, path: str) -> Mapping[str, str]:
    """The group of each machine. Raises UsageError for a name that cannot be, for one in two groups, and for
    a list of nobody: by that one, everybody would be believed."""
    groups: dict[str, str] = {}
    for each in machines_of(content, path, keys=False):
        odd = next((name for name in (each.name, each.group) if not NAME.fullmatch(name)), "")
        if odd:
            raise UsageError(f"{path}: {odd[:60]!r} is no name", hint="small letters, digits, '-' and '_'")
        if groups.setdefault(each.name, each.group) != each.group:
            raise UsageError(
                f"{path}: {each.name} is in the groups {groups[each.name]} and {each.group}",
                hint="take one of its lines out",
            )
    if not groups:
        raise UsageError(f"{path} names no machine", hint=_HINT)
    return groups


class Expected:
    """A list that is read again when it has changed. While it cannot be read, what was read last holds, and
    `trouble` says why, and `note` is told. Without a path everybody is believed. Several threads may ask."""

    def __init__(
        self,
        path: str = "",
        *,
        note: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self.trouble = ""
        self._note = note
        self._clock = clock
        self._turn = threading.Lock()
        self._looked = clock()
        self._seen: tuple[int, ...] = ()
        self._groups: Mapping[str, str] = {}
        if path:
            self._groups = self._read()

    def as_json(self, *, unknown: int) -> dict[str, object]:
        """`unknown`: how many were heard of that are not on it."""
        return {"given": bool(self.path), "trouble": self.trouble, "unknown": unknown}

    def groups(self) -> Mapping[str, str]:
        """The group by machine; empty where nobody wrote them down."""
        with self._turn:
            if self.path and self._clock() - self._looked >= _LOOK_AGAIN:
                self._looked = self._clock()
                self._look()
            return self._groups

    def _look(self) -> None:
        try:
            if self.trouble or _mark(self.path) != self._seen:
                self._groups = self._read()
            self.trouble = ""
        except FairleadError as error:
            before, self.trouble = self.trouble, f"{error.message}; what it said before still holds"
            if self.trouble != before:
                self._note(self.trouble)

    def _read(self) -> Mapping[str, str]:
        mark = _mark(self.path)
        try:
            with open(self.path, "rb") as file:
                content = file.read(MAX_LIST + 1)
        except OSError as error:
            raise UsageError(f"{self.path} cannot be read: {error.strerror}") from error
        if len(content) > MAX_LIST:
            raise UsageError(f"{self.path} is larger than {MAX_LIST} bytes")
        groups = groups_of(content, self.path)
        self._seen = mark
        return groups


def _mark(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
