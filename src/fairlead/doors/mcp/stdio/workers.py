"""Threads for what takes time: a hook, a question to a daemon, a large result."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any

MOST = 32


class Workers:
    """Started as they are needed. `wake` is called from a thread when something is done."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Callable[[Any], None]]] = SimpleQueue()
        self._done: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._threads = 0
        self.open = 0
        """Jobs that were given and whose results were not collected."""

    def do(self, job: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self.open += 1
        self._jobs.put((job, then))
        if self._threads < min(self.open, MOST):
            self._threads += 1
            Thread(target=self._work, daemon=True, name="judge").start()

    def collect(self) -> None:
        """Calls what was to be called, in the thread that asks."""
        while self._done:
            then, result = self._done.popleft()
            self.open -= 1
            then(result)

    def _work(self) -> None:
        while True:
            job, then = self._jobs.get()
            self._done.append((then, job()))
            self._wake()
