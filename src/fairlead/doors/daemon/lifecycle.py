"""How the daemon comes and goes. Light to import: the cold path uses it after every answer.

Whoever holds the lock on `daemon.lock` is the daemon. The starter takes the lock and hands the locked
descriptor to the process that it starts, so that there is no moment in which two could start.
"""

from __future__ import annotations

import os
import sys

from fairlead.errors import FairleadError
from fairlead.platforms import here
from fairlead.policy.installed import recorded_interpreter
from fairlead.policy.places import Places, home_of_user, make_private

LOCK, SOCKET, LOG = "daemon.lock", "daemon.sock", "daemon.log"
LOCK_FD = 3


class DaemonError(FairleadError):
    """The daemon could not be reached, started or stopped."""

    code = "DAEMON"


def identity(path: str) -> tuple[int, ...]:
    """What tells a file from its successor under the same name; empty when there is none."""
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def take_lock(places: Places) -> int | None:
    """A locked descriptor; None when somebody else is the daemon, or about to be."""
    make_private(places.run)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(os.path.join(places.run, LOCK), flags, 0o600)
    try:
        here.lock(descriptor, wait=False)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def ensure_daemon(places: Places, home: str = "") -> bool:
    """Starts a daemon unless there is one; whether it did. Raises OSError and FairleadError."""
    lock = take_lock(places) if here.HAS_DAEMON else None
    if lock is None:
        return False
    try:
        _spawn(places, home, lock)
    finally:
        os.close(lock)
    return True


def _spawn(places: Places, home: str, lock: int) -> None:
    words = [recorded_interpreter(places) or sys.executable, "-I", "-m", "fairlead.doors.daemon"]
    if home:
        words += ["--home", os.path.join(os.getcwd(), home)]
    log = os.path.join(places.run, LOG)
    log_flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    beyond = here.copy_above(lock, LOCK_FD)  # so that no action below overwrites it
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log, log_flags, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
        (os.POSIX_SPAWN_DUP2, beyond, LOCK_FD),
    ]
    try:
        os.posix_spawn(words[0], words, environment(), file_actions=actions, setsid=True)
    finally:
        os.close(beyond)


def environment() -> dict[str, str]:
    """All that the daemon gets of the world. Hooks run in their caller's, which comes with each call."""
    return {
        "HOME": home_of_user(),
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "2",  # threads would each keep an arena of their own, and the memory in it
    }
