"""One agent per folder: whoever holds the lock is it. The system takes it back from whoever dies.

Nobody but its owner may open the file: who can, could hold the lock, and keep the agent from starting.
"""

from __future__ import annotations

import os

from fairlead.doors.fleet.standing import read_standing
from fairlead.platforms import here

FILE_NAME = "agent.lock"


def take_lock(folder: str) -> int | None:
    """A locked descriptor; None when there is an agent already. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(os.path.join(folder, FILE_NAME), flags, 0o600)
    try:
        here.lock(descriptor, wait=False)
    except OSError:
        os.close(descriptor)
        return None
    os.fchmod(descriptor, 0o600)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


def running_agent(folder: str) -> int:
    """The process that is the agent; 0 when there is none. To others than its owner, as far as it said so."""
    try:
        descriptor = os.open(os.path.join(folder, FILE_NAME), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except PermissionError:
        return _said(folder)
    except OSError:
        return 0
    try:
        here.lock(descriptor, shared=True, wait=False)
    except OSError:
        text = os.read(descriptor, 32).strip()
        return int(text) if text.isdigit() else 0
    finally:
        os.close(descriptor)
    return 0


def _said(folder: str) -> int:
    process = read_standing(folder).get("agent", {}).get("pid")
    if not isinstance(process, int) or process <= 0:
        return 0
    try:
        os.kill(process, 0)
    except PermissionError:
        return process
    except OSError:
        return 0
    return process
