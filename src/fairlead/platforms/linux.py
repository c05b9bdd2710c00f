"""Linux."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

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

if sys.platform != "linux":
    raise ImportError("this module is for Linux")

__all__ = ["account_named", "accounts", "copy_above", "home_of_user", "lock", "name_of_user", "signal_group"]

SYSTEM = "linux"
HAS_DAEMON = True
EXACT_CAPTURE = True
"""Pipes keep every write apart, and one poller hands them out in the order in which they came."""

_CLONE = 0x40049409
_CANNOT_CLONE = frozenset(
    (errno.EOPNOTSUPP, errno.EXDEV, errno.EINVAL, errno.ENOTTY, errno.ENOSYS, errno.EPERM, errno.EBADF)
)


# --- sockets ---


def peer(connection: Connection) -> tuple[int, int]:
    """The process and the user at the other end, by the kernel's word; process 0 where it cannot be seen."""
    import socket
    import struct

    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    process, user, _ = struct.unpack("3i", found)
    return process, user


def open_folder(path: str) -> int:
    """For short_name(); what lies at `path` has to be a folder, and no link to one."""
    return os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def short_name(folder: int, name: str) -> str:
    """For the address of a socket, which may have 107 bytes at most."""
    return f"/proc/self/fd/{folder}/{name}"


# --- files ---


def clone(source: int, target: int) -> bool:
    """Makes a copy that shares its blocks until one of the two is written to; False where that cannot be."""
    import fcntl

    try:
        fcntl.ioctl(target, _CLONE, source)
    except OSError as error:
        if error.errno in _CANNOT_CLONE:
            return False
        raise
    return True


def name_of_root() -> str:
    """Which files this process sees, as the native client names it: the number of the mount that is the root,
    which no other namespace has, and of the root itself. Empty where the kernel does not say."""
    try:
        descriptor = os.open("/", os.O_PATH | os.O_CLOEXEC)
        try:
            with open(f"/proc/self/fdinfo/{descriptor}") as file:
                facts = dict(line.split(":", 1) for line in file if ":" in line)
            return f"{facts['mnt_id'].strip()}:{os.fstat(descriptor).st_ino}"
        finally:
            os.close(descriptor)
    except (OSError, KeyError):
        return ""


def namespace_of(process: int | str) -> str:
    """Of mounts; empty when it cannot be seen, as for a process of another pid namespace."""
    try:
        return os.readlink(f"/proc/{process}/ns/mnt")
    except OSError:
        return ""


# --- pipes ---


def packet_pipe() -> tuple[int, int]:
    """One write is one packet, and one packet fills it. Raises OSError on an old or emulated kernel."""
    import fcntl

    read, write = os.pipe2(os.O_CLOEXEC | os.O_DIRECT)
    try:
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1)  # rounded up to one page, which is one packet
    except OSError:
        os.close(read)
        os.close(write)
        raise
    return read, write


def ordered_poller() -> Poller:
    return _Ordered()


class _Ordered:
    """An edge-triggered epoll for output, level-triggered for the rest: pipes come in the order of writes."""

    def __init__(self) -> None:
        import select

        self._select = select
        self._epoll = select.epoll()

    def watch_output(self, descriptor: int) -> None:
        self._epoll.register(descriptor, self._select.EPOLLIN | self._select.EPOLLET)

    def watch(self, descriptor: int, *, writing: bool) -> None:
        self._epoll.register(descriptor, self._select.EPOLLOUT if writing else self._select.EPOLLIN)

    def forget(self, descriptor: int) -> None:
        self._epoll.unregister(descriptor)

    def ready(self, seconds: float | None) -> list[tuple[int, bool]]:
        """Each ready descriptor, and whether its other end is closed."""
        return [(fd, bool(mask & self._select.EPOLLHUP)) for fd, mask in self._epoll.poll(seconds)]

    def close(self) -> None:
        self._epoll.close()


def widen(pipe: int, size: int) -> None:
    """So that a large result takes fewer turns. Where that is not to be had, it takes more."""
    import fcntl

    with suppress(OSError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, size)


def opened_anew(descriptor: int, flags: int) -> int:
    """The same stream with flags of its own. Raises OSError where that is not to be had."""
    return os.open(f"/proc/self/fd/{descriptor}", flags)


# --- the machine ---


def boot_id() -> str:
    """Names this start of the machine; empty where the kernel does not say."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read(64).strip()
    except OSError:
        return ""


def boot_seconds() -> float:
    """Since then, asleep or awake; nobody can set this clock."""
    import time

    return time.clock_gettime(time.CLOCK_BOOTTIME)


# --- processes ---


def exit_of(process: int) -> int | None:
    """A descriptor that becomes readable when the process exits; None where there is none."""
    try:
        return os.pidfd_open(process)
    except OSError:
        return None


def signal_exactly(process: int, descriptor: int | None, number: int) -> None:
    """To the process that exit_of() named, and to no other that has its number by now."""
    import signal

    if descriptor is None:
        raise ProcessLookupError(process)
    signal.pidfd_send_signal(descriptor, number)


def children(process: int) -> list[int]:
    """Those that its threads have started, as far as the system tells."""
    found: list[int] = []
    with suppress(OSError):  # it has just ended
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                found += [int(word) for word in file.read().split()]
    return found


def mark_of(process: int) -> tuple[str, int] | None:
    """What no other process was ever called, and its parent; None where the kernel does not show it."""
    try:
        fields = _read(f"/proc/{process}/stat").rpartition(b")")[2].split()
        return f"{process}:{fields[19].decode('ascii')}", int(fields[1])
    except (IndexError, ValueError):
        return None


def own_memory() -> int:
    """In bytes, of this process."""
    return int(_read("/proc/self/statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def all_processes() -> list[int]:
    return (
        [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc/self") else []
    )


def facts_of(process: int) -> ProcessFacts | None:
    from fairlead.platforms.shapes import ProcessFacts

    status = _read(f"/proc/{process}/stat")
    if not status:
        return None
    parent, group, session, terminal, foreground = map(int, status.rpartition(b")")[2].split()[1:6])
    started_by, user = _users(process)
    words = _read(f"/proc/{process}/cmdline").split(b"\0")
    pairs = (pair.partition(b"=") for pair in _read(f"/proc/{process}/environ").split(b"\0"))
    return ProcessFacts(
        parent=parent,
        words=tuple(os.fsdecode(word) for word in words if word),
        variables={os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs if name},
        program=_program(process),
        user=user,
        started_by=started_by,
        group=group,
        session=session,
        terminal=terminal != 0,
        foreground=max(foreground, 0),
    )


def _users(process: int) -> tuple[int, int]:
    """Who started it and whose rights it has; nobody that exists where that cannot be seen."""
    for line in _read(f"/proc/{process}/status").splitlines():
        if line.startswith(b"Uid:"):
            real, effective = line.split()[1:3]
            return int(real), int(effective)
    return -1, -1


def _program(process: int) -> str:
    try:
        return os.readlink(f"/proc/{process}/exe")
    except OSError:
        return ""


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""
