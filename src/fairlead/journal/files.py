"""Places that only their owner may read."""

from __future__ import annotations

import os
import stat

from fairlead.errors import JournalError
from fairlead.platforms import here


def private_directory(path: str) -> None:
    """Makes the directory and what is missing above it, mode 0700. Another's directory is refused."""
    try:
        _make(path)
        found = os.stat(path)
    except OSError as error:
        raise JournalError(
            f"{path} cannot be made: {error.strerror}",
            hint="check the owner and the mode of the folders above",
        ) from error
    if found.st_uid != os.geteuid():
        raise JournalError(f"{path} belongs to uid {found.st_uid}", hint="remove it, or choose another place")


def _make(path: str) -> None:
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise
    except FileNotFoundError:
        parent = os.path.dirname(path)
        if parent in ("", path):
            raise
        _make(parent)
        _make(path)


def tighten(path: str) -> None:
    """Takes everyone else's rights away from a directory of ours."""
    if stat.S_IMODE(os.stat(path).st_mode) & 0o077:
        os.chmod(path, 0o700)


def open_private(path: str) -> int:
    """Opens a file to append to, made with mode 0600. A symbolic link or another's file is refused."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        raise JournalError(
            f"{path} cannot be opened: {error.strerror}",
            hint="check its owner and mode, and that it is a file",
        ) from error
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        os.close(descriptor)
        raise JournalError(f"{path} is not a file of ours", hint="move it away")
    if stat.S_IMODE(found.st_mode) & 0o077:
        os.fchmod(descriptor, 0o600)
    return descriptor


def home() -> str:
    """The home of the uid, not `$HOME`: an agent's settings can set variables for hooks."""
    found = here.home_of_user()
    if not found:
        raise JournalError(f"user {os.getuid()} has no home folder", hint="give the journal a whole path")
    return found


def expand(path: str) -> str:
    """A path with a leading `~`, seen from the home of the uid."""
    if path == "~" or path.startswith("~/"):
        return home() + path[1:]
    return path
