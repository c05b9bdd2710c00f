"""The way out: a marker that switches Fairlead off, which the client reads even when nothing else works.

First line: when it ends, in seconds since the epoch (0: never). Then the agents that it is for, one to a line
(none: all).
"""

from __future__ import annotations

import contextlib
import os
import stat
import time

from fairlead.model.value import Value
from fairlead.policy.places import Places, write_private


class Off(Value):
    until: int = 0
    agents: tuple[str, ...] = ()

    def covers(self, agent: str) -> bool:
        return not self.agents or agent in self.agents

    def words(self) -> str:
        who = f"for {', '.join(self.agents)}" if self.agents else "for every agent"
        end = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.until)) if self.until else ""
        return f"{who} until {end}" if end else f"{who} until it is switched on"

    def as_json(self) -> dict[str, object]:
        return {"until": self.until, "agents": list(self.agents)}


def read_off(places: Places, *, now: float | None = None) -> Off | None:
    """None when it is on: also when the marker has run out, cannot be read, or is not ours."""
    if not os.access(places.off_marker, os.F_OK):
        return None  # nearly always, and cheaper than an exception
    try:
        descriptor = os.open(places.off_marker, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        others_write = stat.S_IMODE(found.st_mode) & 0o022
        if not stat.S_ISREG(found.st_mode) or others_write or found.st_uid not in (os.getuid(), 0):
            return None
        first, *agents = os.read(descriptor, 4096).decode("utf-8", "replace").split("\n")
    except OSError:
        return None
    finally:
        os.close(descriptor)
    if not (first.isascii() and first.isdigit()):
        return None
    until = int(first)
    if until and until <= (time.time() if now is None else now):
        return None
    return Off(until, tuple(agent for agent in agents if agent))


def switch_off(places: Places, *, seconds: float | None, agents: tuple[str, ...]) -> Off:
    """Callers ask `require_human` first."""
    off = Off(int(time.time() + seconds) if seconds else 0, agents)
    write_private(places.off_marker, "\n".join([str(off.until), *off.agents]).encode() + b"\n")
    return off


def switch_on(places: Places) -> bool:
    was_off = read_off(places) is not None
    with contextlib.suppress(FileNotFoundError):
        os.unlink(places.off_marker)
    return was_off
