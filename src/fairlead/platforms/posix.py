"""What Linux and macOS share. Modules of Python are loaded on first use: a cold call needs few of them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.platforms.shapes import Account

if sys.platform == "win32":
    raise ImportError("this module is for Linux and macOS")


def lock(descriptor: int, *, shared: bool = False, wait: bool = True) -> None:
    """Until the descriptor is closed. Without waiting, raises BlockingIOError where somebody else has it."""
    import fcntl

    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)


def copy_above(descriptor: int, number: int) -> int:
    """Another descriptor for the same, with a higher number than that; closed when a program is started."""
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, number + 1)


def home_of_user() -> str:
    """Of the uid, which no variable of an agent's settings can move; empty without one."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def name_of_user() -> str:
    """Empty for a uid without a name."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""


def accounts() -> list[Account]:
    import pwd

    from fairlead.platforms.shapes import Account

    return [Account(each.pw_name, each.pw_uid, each.pw_gid, each.pw_dir) for each in pwd.getpwall()]


def account_named(name: str) -> Account | None:
    """Also one that a directory service knows and does not list."""
    import pwd

    from fairlead.platforms.shapes import Account

    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(found.pw_name, found.pw_uid, found.pw_gid, found.pw_dir)


def signal_group(leader: int, number: int) -> None:
    """To a process that leads a group of its own, and to all in it; one that is gone already is no error."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
