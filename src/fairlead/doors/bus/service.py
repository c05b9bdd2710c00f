"""A hook system as a service: the typed methods, and the same over a bus if there is one."""

from __future__ import annotations

from fairlead.doors.bus.responder import Responder
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.engine.system import HookSystem
from fairlead.interfaces import Bus, Logger
from fairlead.sinks.logger import LoggerSink


class HookService:
    """Dispose it when done: it then answers nobody on the bus. The typed methods go on working."""

    def __init__(self, system: HookSystem, handler: HookEventHandler, responder: Responder | None) -> None:
        self.system = system
        self.handler = handler
        self._responder = responder

    def dispose(self) -> None:
        if self._responder is not None:
            self._responder.dispose()


def hook_service(
    system: HookSystem, surroundings: Surroundings, *, bus: Bus | None = None, logger: Logger | None = None
) -> HookService:
    """Puts a system, its handler, a bus and a logger together. Without a bus, only direct calls remain."""
    system.add_sink(LoggerSink(logger))
    handler = HookEventHandler(system, surroundings)
    return HookService(system, handler, Responder(bus, handler) if bus is not None else None)
