"""A hook system as a service: the typed methods, and the same over a bus if there is one."""

from __future__ import annotations

from typing import Self

from fairlead.doors.bus.responder import Responder
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.engine.system import HookSystem
from fairlead.interfaces import Bus, Logger, Sink
from fairlead.sinks.logger import LoggerSink


class HookService:
    """Dispose it, or use it as a context, when done: it then answers nobody on the bus, and tells its logger
    nothing more. The typed methods go on working; the system and the bus are their owner's to close."""

    def __init__(
        self, system: HookSystem, handler: HookEventHandler, responder: Responder | None, sink: Sink
    ) -> None:
        self.system = system
        self.handler = handler
        self._responder = responder
        self._sink = sink

    def dispose(self) -> None:
        """Twice is no harm."""
        if self._responder is not None:
            self._responder.dispose()
        self.system.remove_sink(self._sink)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.dispose()


def hook_service(
    system: HookSystem, surroundings: Surroundings, *, bus: Bus | None = None, logger: Logger | None = None
) -> HookService:
    """Puts a system, its handler, a bus and a logger together. Without a bus, only direct calls remain."""
    sink = LoggerSink(logger)
    system.add_sink(sink)
    handler = HookEventHandler(system, surroundings)
    return HookService(system, handler, Responder(bus, handler) if bus is not None else None, sink)
