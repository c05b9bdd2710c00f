"""Keeps the index up to date while the dashboard is open, and tells every open page what is new."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator

from fairlead.store.follow import Follower
from fairlead.store.query import Query
from fairlead.store.reader import Call, IndexReader
from fairlead.store.writer import IndexWriter

MAX_STREAMS = 32
_WAITING = 1000
_PAUSE = 0.25
_BEAT = 15.0


class Feed:
    """One thread reads the journal; pages wait on queues."""

    def __init__(self, index: str, journal: str) -> None:
        self._index = index
        self._journal = journal
        self._queues: set[asyncio.Queue[Call]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fairlead-feed", daemon=True)

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        writer = IndexWriter(self._index, self._journal)
        writer.catch_up()
        reader = IndexReader(self._index, self._journal)
        follower = Follower(reader, Query(canaries=True))
        while not self._stop.wait(_PAUSE):
            if not writer.catch_up():
                continue
            for call in follower.new():
                assert self._loop is not None
                self._loop.call_soon_threadsafe(self._tell, call)
        reader.close()
        writer.close()

    def _tell(self, call: Call) -> None:
        for queue in self._queues:
            if queue.full():
                queue.get_nowait()  # a page that does not listen loses the oldest; the index has them all
            queue.put_nowait(call)

    def join(self) -> asyncio.Queue[Call] | None:
        """A place at the feed, to be given back with `leave`; None when all are taken."""
        if len(self._queues) >= MAX_STREAMS:
            return None
        queue: asyncio.Queue[Call] = asyncio.Queue(_WAITING)
        self._queues.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[Call]) -> None:
        self._queues.discard(queue)


async def events(queue: asyncio.Queue[Call]) -> AsyncIterator[bytes]:
    """Server-sent events: one per call, and a comment now and then so that a dead page is noticed."""
    yield b": open\n\n"
    while True:
        try:
            call = await asyncio.wait_for(queue.get(), _BEAT)
        except TimeoutError:
            yield b": still here\n\n"
            continue
        yield f"id: {call.id}\ndata: {json.dumps(call.as_json())}\n\n".encode()
