"""One hook call as it reaches Fairlead, through whatever door."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

SECONDS = 30.0
"""How long a call may take when its client names no deadline."""


class HookCall(Value):
    """What a client sends: which agent calls, what it says, and the surroundings that executors need."""

    agent: str
    payload: bytes
    native_event: str = ""
    cwd: str = ""
    environment: Mapping[str, str] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind
    request: str = ""
    seconds: float = SECONDS
