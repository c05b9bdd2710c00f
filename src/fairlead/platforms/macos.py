"""macOS. Checked by the type checker and by tests with fakes; it was never run on the system itself."""

from __future__ import annotations

import os
import struct
import sys

from fairlead.platforms.posix import (
    account_named,
    accounts,
    copy_above,
    home_of_user,
    lock,
    name_of_user,
    signal_group,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.platforms.shapes import Connection, Poller, ProcessFacts

if sys.platform == "win32":
    raise ImportError("this module is for macOS")

__all__ = ["account_named", "accounts", "copy_above", "home_of_user", "lock", "name_of_user", "signal_group"]

SYSTEM = "macos"
HAS_DAEMON = False
"""Every call is answered cold: what the daemon checks of a caller has not been tried there."""
EXACT_CAPTURE = False

_LEVEL, _CREDENTIALS, _PROCESS = 0, 1, 2
"""SOL_LOCAL, LOCAL_PEERCRED and LOCAL_PEERPID of <sys/un.h>."""
_XUCRED = struct.Struct("2Ih16I")
"""Its version, the user, how many groups, and these."""


def peer(connection: Connection) -> tuple[int, int]:
    """The process and the user at the other end, by the kernel's word."""
    version, user, *_ = _XUCRED.unpack(connection.getsockopt(_LEVEL, _CREDENTIALS, _XUCRED.size))
    if version != 0:
        raise OSError(f"the kernel describes callers in another way ({version})")
    (process,) = struct.unpack("i", connection.getsockopt(_LEVEL, _PROCESS, 4))
    return process, user


def open_folder(path: str) -> int:
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def short_name(folder: int, name: str) -> str:
    """The full one: there is no shorter."""
    return os.path.join(_path_of(folder), name)


def _path_of(descriptor: int) -> str:
    import fcntl

    get_path = 50  # F_GETPATH
    return os.fsdecode(fcntl.fcntl(descriptor, get_path, bytes(1024)).rstrip(b"\0"))


def clone(source: int, target: int) -> bool:
    """Only a file that is not there yet can share blocks with another there: this one is copied."""
    return False


def name_of_root() -> str:
    return ""


def namespace_of(process: int | str) -> str:
    return ""


def packet_pipe() -> tuple[int, int]:
    raise OSError("pipes do not keep writes apart here")


def ordered_poller() -> Poller:
    raise OSError("no poller keeps the order of writes here")


def widen(pipe: int, size: int) -> None:
    """They grow by themselves."""


def opened_anew(descriptor: int, flags: int) -> int:
    """Raises OSError where that is not to be had."""
    return os.open(f"/dev/fd/{descriptor}", flags)


def boot_id() -> str:
    """Names this start of the machine; empty where the kernel does not say."""
    return _run("/usr/sbin/sysctl", "-n", "kern.bootsessionuuid").strip()


def boot_seconds() -> float:
    """Since then, asleep or awake; nobody can set this clock."""
    import time

    return time.clock_gettime(time.CLOCK_MONOTONIC)


def exit_of(process: int) -> int | None:
    return None


def signal_exactly(process: int, descriptor: int | None, number: int) -> None:
    os.kill(process, number)


def children(process: int) -> list[int]:
    listed = _run("/usr/bin/pgrep", "-P", str(process))
    return [int(word) for word in listed.split()]


def mark_of(process: int) -> tuple[str, int] | None:
    """The moment when it began tells it from others that had its number, to the second."""
    parent, _, began = _ps(process, "ppid=,lstart=").strip().partition(" ")
    return (f"{process}:{' '.join(began.split())}", int(parent)) if parent.isdigit() else None


def own_memory() -> int:
    """In bytes, of this process."""
    kibibytes = _ps(os.getpid(), "rss=").strip()
    return int(kibibytes or 0) * 1024


def all_processes() -> list[int]:
    """Who looks at the terminals of others cannot be found out."""
    return []


def facts_of(process: int) -> ProcessFacts | None:
    from fairlead.platforms.shapes import ProcessFacts

    facts = _ps(process, "ppid=,uid=,ruid=,pgid=,tpgid=,tty=").split()
    numbers = [int(fact) for fact in facts[:5] if fact.lstrip("-").isdigit()]
    if len(facts) < 6 or len(numbers) < 5:
        return None
    parent, user, started_by, group, foreground = numbers
    return ProcessFacts(
        parent=parent,
        words=tuple(_ps(process, "command=").split()),
        variables={},
        program=_ps(process, "comm=").strip().removeprefix("-"),
        user=user,
        started_by=started_by,
        group=group,
        session=_session(process),
        terminal=facts[5] not in ("?", "??", "-"),
        foreground=max(foreground, 0),
    )


def _session(process: int) -> int:
    try:
        return os.getsid(process)
    except OSError:
        return 0


def _ps(process: int, columns: str) -> str:
    return _run("/bin/ps", "-o", columns, "-p", str(process))


def _run(*words: str) -> str:
    import subprocess

    return subprocess.run(words, capture_output=True, text=True, timeout=5, check=False).stdout
