"""What processes have used of processor and memory, as the kernel counts it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def seconds_of(pid: int) -> float:
    """Processor time since its start; 0 for one that is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def seconds_of_family(pid: int) -> float:
    """With its children, those that have ended included."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS + sum(seconds_of(int(child)) for child in children)


def megabytes_of(pid: int, name: str = "VmRSS") -> float:
    """`VmRSS` for now, `VmHWM` for the most that it ever had."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    found = next((line.split()[1] for line in lines if line.startswith(f"{name}:")), "0")
    return round(int(found) / 1024, 1)


def folder_megabytes(folder: Path, pattern: str = "**/*") -> float:
    return round(sum(path.stat().st_size for path in folder.glob(pattern) if path.is_file()) / 1e6, 1)


class Usage:
    """Of one duty that several processes have one after the other, as when they are killed."""

    def __init__(self, count: Callable[[int], float] = seconds_of) -> None:
        self._count = count
        self._before = 0.0
        self._pids: list[int] = []
        self._marked = 0.0
        self.most = 0.0

    def begins(self, pid: int) -> None:
        self._pids = [*self._pids, pid]

    def ends(self, pid: int) -> None:
        """Called while it still can be asked."""
        self.look()
        self._before += self._count(pid)
        self._pids = [each for each in self._pids if each != pid]

    @property
    def seconds(self) -> float:
        return self._before + sum(map(self._count, self._pids))

    @property
    def megabytes(self) -> float:
        return round(sum(map(megabytes_of, self._pids)), 1)

    def look(self) -> None:
        self.most = max(self.most, round(sum(megabytes_of(pid, "VmHWM") for pid in self._pids), 1))

    def mark(self) -> None:
        self._marked = self.seconds

    def since_mark(self) -> float:
        """Seconds of processor time."""
        self.look()
        return round(self.seconds - self._marked, 2)
