"""Work that nobody waits for, on an event loop in a thread of its own, which is gone when there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from inspect import isawaitable
from threading import Condition, Event, Thread, current_thread

Task = Callable[[], object]

_LINGER = 0.2
"""Seconds that the thread waits for more: one who asks, reads and asks again need not start it anew."""


class Courier:
    """Tasks begin in the order in which they are given. One that gives an awaitable goes on beside the
    others; what one raises is told to `report`."""

    def __init__(self, name: str, report: Callable[[Exception], None]) -> None:
        self._name = name
        self._report = report
        self._changed = Condition()
        self._waiting: list[Task] = []
        self._thread: Thread | None = None
        self._last: Thread | None = None
        """The one that takes no more tasks, and is about to end."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        self._news: asyncio.Event | None = None
        self._hurries = False

    def do(self, task: Task) -> None:
        with self._changed:
            self._waiting.append(task)
            if self._thread is None:
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            else:
                self._wake()

    def catch_up(self, seconds: float) -> None:
        """Waits until what was given before has begun, however much comes after it. From inside a task it
        waits for nothing."""
        with self._changed:
            if self._thread is None or self._thread is current_thread():
                return
        begun = Event()
        self.do(begun.set)
        begun.wait(seconds)

    def rest(self, seconds: float) -> bool:
        """Waits until all is done and the thread has ended; False if that takes longer. From inside a task it
        waits for nothing."""
        with self._changed:
            thread = self._thread or self._last
            if thread is None or thread is current_thread():
                return thread is None
            self._hurries = thread is self._thread
            self._wake()
        thread.join(seconds)
        return not thread.is_alive()

    def _wake(self) -> None:
        """The caller holds the lock, so a loop that is there has not ended."""
        if self._loop is not None and self._news is not None:
            self._loop.call_soon_threadsafe(self._news.set)

    def _run(self) -> None:
        asyncio.run(self._work())

    async def _work(self) -> None:
        with self._changed:
            self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        news = self._news
        idle = False
        while not self._is_over(idle):
            for task in self._taken():
                self._begin(task)
            if self._under_way:
                await news.wait()
                idle = False
            else:
                idle = not await _within(_LINGER, news)
            news.clear()

    def _is_over(self, idle: bool) -> bool:
        """Decided under the lock: a task that comes later finds no thread, and starts one."""
        with self._changed:
            if self._waiting or self._under_way or not (idle or self._hurries):
                return False
            self._thread, self._last = None, self._thread
            self._loop, self._news, self._hurries = None, None, False
            return True

    def _taken(self) -> list[Task]:
        with self._changed:
            taken, self._waiting = self._waiting, []
        return taken

    def _begin(self, task: Task) -> None:
        try:
            result = task()
        except Exception as error:  # noqa: BLE001 - one task's trouble is not another's
            self._report(error)
            return
        if isawaitable(result):
            going = asyncio.ensure_future(self._settled(result))
            self._under_way.add(going)
            going.add_done_callback(self._ended)

    async def _settled(self, result: Awaitable[object]) -> None:
        try:
            await result
        except Exception as error:  # noqa: BLE001 - as above
            self._report(error)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if self._news is not None:
            self._news.set()


async def _within(seconds: float, news: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        return await asyncio.wait_for(news.wait(), seconds)
    return False
