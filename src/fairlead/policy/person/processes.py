"""Processes as the system shows them: this one, and those that led to it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

MAX_PARENTS = 64
_DELETED = " (deleted)"


class Process(Value):
    """One process. What may not be seen is empty: `program` and `variables` of another user's.

    `words` are those that it was started with, `program` is the file that runs. `user` is whose rights it
    has, `started_by` who started it. `foreground` is the process group that has the terminal; 0 without one.
    """

    id: int
    parent: int
    words: tuple[str, ...] = ()
    variables: Mapping[str, str] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind
    program: str = ""
    user: int = 0
    started_by: int = 0
    group: int = 0
    session: int = 0
    terminal: bool = False
    foreground: int = 0

    @property
    def name(self) -> str:
        """By the file that runs; a title such as `sshd: me@pts/0` or `-bash` counts where that is hidden."""
        if self.program:
            return os.path.basename(self.program.removesuffix(_DELETED))
        title = self.words[0].removeprefix("-") if self.words else ""
        return os.path.basename(title.split(":")[0].split(" ")[0])


def lineage(of: int = 0) -> Iterator[Process]:
    """The process itself (this one, by default), then its parents, nearest first."""
    read = _read_linux if os.path.isdir("/proc/self") else _read_with_ps
    current = of or os.getpid()
    for _ in range(MAX_PARENTS):
        process = read(current) if current > 0 else None
        if process is None:
            return
        yield process
        current = process.parent


def running(name: str) -> Iterator[int]:
    """The processes of that name, as far as they can be seen."""
    if not os.path.isdir("/proc/self"):
        return
    for entry in os.listdir("/proc"):
        process = _read_linux(int(entry)) if entry.isdigit() else None
        if process is not None and process.name == name:
            yield process.id


def _read_linux(pid: int) -> Process | None:
    status = _bytes(f"/proc/{pid}/stat")
    if not status:
        return None
    fields = status.rpartition(b")")[2].split()
    parent, group, session, terminal, foreground = (int(field) for field in fields[1:6])
    real, effective = _users(pid)
    words = _bytes(f"/proc/{pid}/cmdline").split(b"\0")
    pairs = (pair.partition(b"=") for pair in _bytes(f"/proc/{pid}/environ").split(b"\0"))
    return Process(
        pid,
        parent,
        tuple(os.fsdecode(word) for word in words if word),
        {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs if name},
        _program(pid),
        effective,
        real,
        group,
        session,
        terminal != 0,
        max(foreground, 0),
    )


def _users(pid: int) -> tuple[int, int]:
    """Whose process it is; nobody that exists where that cannot be seen."""
    for line in _bytes(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"Uid:"):
            real, effective = line.split()[1:3]
            return int(real), int(effective)
    return -1, -1


def _program(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""


def _read_with_ps(pid: int) -> Process | None:
    facts = _ps(pid, "ppid=,uid=,ruid=,pgid=,tpgid=,tty=").split()
    numbers = [int(fact) for fact in facts[:5] if fact.lstrip("-").isdigit()]
    if len(facts) < 6 or len(numbers) < 5:
        return None
    parent, user, started_by, group, foreground = numbers
    return Process(
        pid,
        parent,
        tuple(_ps(pid, "command=").split()),
        program=_ps(pid, "comm=").strip().removeprefix("-"),
        user=user,
        started_by=started_by,
        group=group,
        session=_session(pid),
        terminal=facts[5] not in ("?", "??", "-"),
        foreground=max(foreground, 0),
    )


def _ps(pid: int, columns: str) -> str:
    import subprocess

    command = ["/bin/ps", "-o", columns, "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0
