"""One hook call as it reaches Fairlead, through whatever door."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

PAYLOAD_BOUND = 16 * 1024 * 1024
SECONDS = 30.0
"""How long a call may take when its client names no deadline."""

Acknowledge = Callable[[], None]
"""Tells the client to wait: called before anything runs that may take long."""


class HookCall(Value):
    """What a client sends: which agent calls, what it says, and the surroundings that executors need."""

    agent: str
    payload: bytes
    native_event: str = ""
    cwd: str = ""
    environment: Mapping[str, str] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind
    request: str = ""
    seconds: float = SECONDS
    caller: int = 0
    """The process that asks, where that is not this one."""
    comes_once: bool = False
    """Whether nobody else asks about the same call."""
