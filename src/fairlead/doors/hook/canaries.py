"""Calls that `fairlead doctor` makes to see whether they are answered: marked, so that nobody counts them.

What a payload says of itself proves nothing. `doctor` puts a random name under `state` before it calls, and
takes it away afterwards; a call is a canary when its session has that name, or when its project is the folder
that was noted with it. A canary is judged like any other call. It only leaves no session, no question and no
account behind, and uses up nobody's one-time exception.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fairlead.model.event import Event
from fairlead.model.value import Value
from fairlead.policy.places import Places, make_private, write_private

PREFIX = "fairlead-doctor-"
_SECONDS = 600.0
"""How long a name holds when nobody takes it away: a `doctor` that was killed."""
_LONGEST = 64
_PATH_BOUND = 4096


class Canary(Value):
    """One name that was noted: of a session, or of a throw-away folder."""

    name: str
    path: str

    def covers(self, project: str) -> None:
        """Notes a folder: calls whose project it is are canaries too."""
        write_private(self.path, project.encode("utf-8", "surrogateescape"))


class Canaries:
    """Tells whether a call is one."""

    def __init__(self, places: Places) -> None:
        self._folder = _folder(places)

    def has_session(self, session: str) -> bool:
        return session.startswith(PREFIX) and self._noted(session) is not None

    def has_project(self, root: str) -> bool:
        if PREFIX not in root:
            return False
        name = PREFIX + root.rpartition(PREFIX)[2].partition("/")[0]
        return self._noted(name) == root

    def has(self, event: Event) -> bool:
        return self.has_session(event.session) or self.has_project(event.root)

    def _noted(self, name: str) -> str | None:
        """The folder that was noted with the name; None for a name that nobody noted, or too long ago."""
        if len(name) > _LONGEST or not name.removeprefix(PREFIX).isalnum():
            return None
        try:
            descriptor = os.open(
                os.path.join(self._folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
            )
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if found.st_uid != os.getuid() or not abs(time.time() - found.st_mtime) < _SECONDS:
                return None
            return file.read(_PATH_BOUND).decode("utf-8", "surrogateescape")


@contextmanager
def noted(places: Places) -> Iterator[Canary]:
    """A name that makes canaries for as long as this lasts. Where nothing can be written, it makes none."""
    name = PREFIX + os.urandom(8).hex()
    canary = Canary(name, os.path.join(_folder(places), name))
    with suppress(OSError):
        make_private(_folder(places))
        _forget_old(_folder(places))
        write_private(canary.path, b"")
    try:
        yield canary
    finally:
        with suppress(OSError):
            os.unlink(canary.path)


def _forget_old(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > _SECONDS:
                os.unlink(entry.path)


def _folder(places: Places) -> str:
    return os.path.join(places.state, "canaries")
