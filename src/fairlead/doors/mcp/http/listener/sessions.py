"""The passages of a listener: one for each session, and few for the later era, which has no sessions."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from fairlead.doors.mcp.http.listener.checks import Refusal
from fairlead.doors.mcp.http.listener.passage import Passage

MOST = 100
"""Sessions; then the one that was not used for the longest time makes room."""
MOST_AT_ONCE = 16
"""Requests of the later era that have the same id, from as many clients."""
END_SECONDS = 2.0
_TICK = 1.0


class Sessions:
    def __init__(self, make: Callable[[], Passage]) -> None:
        self._make = make
        self._sessions: dict[str, Passage] = {}
        self._others: list[Passage] = []
        self._ending: set[asyncio.Future[None]] = set()

    def open(self) -> tuple[str, Passage]:
        """Raises Refusal."""
        if len(self._sessions) >= MOST:
            idle = [key for key, passage in self._sessions.items() if passage.is_idle]
            if not idle:
                raise Refusal(503, f"{MOST} sessions are open")
            self._close(self._sessions.pop(min(idle, key=lambda key: self._sessions[key].used)))
        session, passage = secrets.token_hex(16), self._make()
        self._sessions[session] = passage
        return session, passage

    def find(self, session: str | None) -> Passage:
        """Raises Refusal."""
        if session is None:
            raise Refusal(400, "Mcp-Session-Id is missing")
        passage = self._sessions.get(session)
        if passage is None:
            raise Refusal(404, "there is no such session")
        return passage

    def without_session(self, id: str | int | None) -> Passage:
        """One in which no other request has this id: clients count for themselves. Raises Refusal."""
        for passage in self._others:
            if id is None or not passage.has(id):
                return passage
        if len(self._others) >= MOST_AT_ONCE:
            raise Refusal(503, f"{MOST_AT_ONCE} requests have the same id")
        self._others.append(self._make())
        return self._others[-1]

    async def end(self, session: str | None) -> None:
        """Raises Refusal."""
        passage = self.find(session)
        del self._sessions[str(session)]
        await self._close(passage)

    def forget_lost(self, passage: Passage) -> None:
        """The server knows the session no more, so its client is told the same from now on."""
        if passage.is_lost:
            for key in [key for key, each in self._sessions.items() if each is passage]:
                self._close(self._sessions.pop(key))

    async def keep_time(self) -> None:
        while True:
            await asyncio.sleep(_TICK)
            for passage in (*self._sessions.values(), *self._others):
                passage.tick()

    async def close(self) -> None:
        everything = [*self._sessions.values(), *self._others]
        self._sessions, self._others = {}, []
        await asyncio.gather(*map(self._close, everything))

    def _close(self, passage: Passage) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        ending = asyncio.ensure_future(loop.run_in_executor(None, passage.close, END_SECONDS))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        return ending
