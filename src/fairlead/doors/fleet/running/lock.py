"""One agent per folder: whoever holds the lock is it. The system takes it back from whoever dies."""

from __future__ import annotations

import os

from fairlead.platforms import here

FILE_NAME = "agent.lock"


def take_lock(folder: str) -> int | None:
    """A locked descriptor; None when there is an agent already. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(os.path.join(folder, FILE_NAME), flags, 0o644)
    try:
        here.lock(descriptor, wait=False)
    except OSError:
        os.close(descriptor)
        return None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


def running_agent(folder: str) -> int:
    """The process that is the agent; 0 when there is none."""
    try:
        descriptor = os.open(os.path.join(folder, FILE_NAME), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
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
