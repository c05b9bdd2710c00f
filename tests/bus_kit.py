"""A hook system on a bus inside this process, and everything that the bus carried back."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import Any

from fairlead.doors.bus.local_bus import LocalBus
from fairlead.doors.bus.messages import REQUEST, RESPONSE
from fairlead.doors.bus.service import hook_service
from fairlead.engine.handler import Surroundings
from fairlead.engine.system import HookSystem

LONG = 60.0


class OnBus:
    """Nobody who publishes waits, so a test that wants an answer waits for it here."""

    def __init__(self, system: HookSystem, around: Surroundings, **options: Any) -> None:
        self.bus = LocalBus()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self.bus.subscribe(RESPONSE, self._answers.put)
        self.service = hook_service(system, around, bus=self.bus, **options)

    def ask(self, message: object) -> Any:
        """The next answer, as long as it may take."""
        self.bus.publish(REQUEST, message)
        return self._answers.get(timeout=LONG)

    def close(self) -> list[Any]:
        """Every answer that nobody has read: none is under way any more."""
        self.service.dispose()
        self.bus.close()
        unread = []
        while True:
            try:
                unread.append(self._answers.get_nowait())
            except Empty:
                return unread


def answers_to(message: object, system: HookSystem, around: Surroundings, **options: Any) -> list[Any]:
    """All that comes back when one message is published."""
    asked = OnBus(system, around, **options)
    asked.bus.publish(REQUEST, message)
    answers = asked.close()
    assert asked.bus.errors == []
    return answers
