"""A bus inside one process: who publishes goes on at once, and who subscribed is called in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Self

from fairlead.doors.bus.courier import Courier

Handler = Callable[[object], object]

_LAST_SECONDS = 60.0
"""How long the end of a subscription or of the bus waits for what was published before."""

_SHORT_SECONDS = 0.5
"""How long the end of a subscription waits for the thread to end too; on a busy bus it goes on."""


class LocalBus:
    """Safe among threads. A subscriber gets its messages in the order in which they were published; what it
    gives may be awaitable, and is then awaited beside the others. One that raises keeps no message from the
    others. There is a thread while there are messages, and none after."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._handlers: dict[str, tuple[Handler, ...]] = {}
        self._courier = Courier("fairlead-bus", self._note)
        self._closed = False
        self.errors: list[Exception] = []

    def subscribe(self, topic: str, handler: Handler) -> Callable[[], None]:
        """Returns what ends the subscription, once what was published before has been handed over; ending it
        twice is no harm."""
        with self._lock:
            self._handlers[topic] = (*self._handlers.get(topic, ()), handler)

        def unsubscribe() -> None:
            with self._lock:
                kept = tuple(each for each in self._handlers.get(topic, ()) if each is not handler)
                self._handlers = {**self._handlers, topic: kept}
                if not kept:
                    del self._handlers[topic]
            self._courier.catch_up(_LAST_SECONDS)
            self._courier.rest(_SHORT_SECONDS)

        return unsubscribe

    def publish(self, topic: str, message: object) -> None:
        """For those who are subscribed now. After the end of the bus there is nobody."""
        with self._lock:
            if self._closed:
                return
            for handler in self._handlers.get(topic, ()):
                self._courier.do(partial(handler, message))

    def close(self) -> None:
        """Hands over what was published before, and ends. Twice is no harm."""
        with self._lock:
            self._closed = True
        self._courier.rest(_LAST_SECONDS)
        with self._lock:
            self._handlers = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _note(self, error: Exception) -> None:
        self.errors = [*self.errors[-99:], error]
