"""Work that nobody waits for: one thread, in order, and done before the process ends."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread

LAST_SECONDS = 2.0
"""How long the end of the process waits for what is left."""


class Background:
    """What a task raises is told to `report`; the others go on."""

    def __init__(self, report: Callable[[Exception], None]) -> None:
        self._report = report
        self._tasks: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None

    def do(self, task: Callable[[], object]) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._work, name="fairlead-observers", daemon=True)
                self._thread.start()
                atexit.register(self.finish)
        self._tasks.put(task)

    def finish(self, seconds: float | None = LAST_SECONDS) -> None:
        """Waits until everything that was given is done; at the end of the process only for a while."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._tasks.put(None)
            thread.join(seconds)
            atexit.unregister(self.finish)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception as error:  # noqa: BLE001 - an observer never matters; it is heard all the same
                self._report(error)
