"""How much waits for somebody who is slower."""

from __future__ import annotations

from threading import Condition

FULL = 16 << 20
"""Bytes; from then on, who brings more waits."""


class Level:
    """From any thread."""

    def __init__(self, full: int = FULL) -> None:
        self._full = full
        self._bytes = 0
        self._open = True
        self._changed = Condition()

    def rise(self, count: int) -> None:
        with self._changed:
            self._bytes += count

    def sink(self, count: int) -> None:
        with self._changed:
            self._bytes -= count
            self._changed.notify_all()

    def wait(self) -> None:
        """Until it is below full, or nobody takes anything any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._bytes < self._full or not self._open)

    def open_for_good(self) -> None:
        with self._changed:
            self._open = False
            self._changed.notify_all()
