"""A bus inside one process: who publishes calls who subscribed, in order."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

Handler = Callable[[object], None]


class LocalBus:
    """Safe among threads. A subscriber that raises does not keep a message from the others."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._handlers: dict[str, tuple[Handler, ...]] = {}
        self.errors: list[Exception] = []

    def subscribe(self, topic: str, handler: Handler) -> Callable[[], None]:
        """Returns what ends the subscription; ending it twice is no harm."""
        with self._lock:
            self._handlers[topic] = (*self._handlers.get(topic, ()), handler)

        def unsubscribe() -> None:
            with self._lock:
                kept = [each for each in self._handlers.get(topic, ()) if each is not handler]
                self._handlers[topic] = tuple(kept)

        return unsubscribe

    def publish(self, topic: str, message: object) -> None:
        for handler in self._handlers.get(topic, ()):
            try:
                handler(message)
            except Exception as error:  # noqa: BLE001 - one subscriber's trouble is not another's
                self.errors = [*self.errors[-99:], error]
