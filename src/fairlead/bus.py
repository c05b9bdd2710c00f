"""Hook requests over a bus: inside one process, or on a NATS broker.

bus = LocalBus()
service = hook_service(load_system(), Surroundings("session-1", "/path/to/project"), bus=bus)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.doors.bus.local_bus import LocalBus
from fairlead.doors.bus.messages import (
    REQUEST,
    RESPONSE,
    HookExecutionRequest,
    HookExecutionResponse,
)
from fairlead.doors.bus.service import HookService, hook_service
from fairlead.engine.handler import Surroundings
from fairlead.interfaces import Bus, Logger

if TYPE_CHECKING:
    from fairlead.doors.bus.connection import Broker
    from fairlead.doors.bus.fleet import fleet_hooks

__all__ = [
    "REQUEST",
    "RESPONSE",
    "Broker",
    "Bus",
    "HookExecutionRequest",
    "HookExecutionResponse",
    "HookService",
    "LocalBus",
    "Logger",
    "Surroundings",
    "fleet_hooks",
    "hook_service",
]

_BROKERS = {"Broker": "fairlead.doors.bus.connection", "fleet_hooks": "fairlead.doors.bus.fleet"}
"""What speaks to a broker loads asyncio, which a bus in one process does without."""


def __getattr__(name: str) -> object:
    if name not in _BROKERS:
        raise AttributeError(f"fairlead.bus has no {name!r}")
    from importlib import import_module

    return getattr(import_module(_BROKERS[name]), name)
