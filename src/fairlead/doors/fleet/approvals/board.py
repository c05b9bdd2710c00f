"""Open questions for a dashboard of the fleet: what it shows, and what a person's click does.

A dashboard answers requests in threads of its own, so the connection lives in one beside them. Reading is
free. Answering needs a key, which whoever starts the dashboard gives it behind `require_human`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from fairlead.doors.bus.connection import Broker
from fairlead.doors.fleet.approvals.answering import refuse_own, sign_answer
from fairlead.doors.fleet.approvals.desk import SECONDS, Desk
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.roles import key_id
from fairlead.fleet.bundles.signing import PrivateKey
from fairlead.fleet.questions.asks import Closed
from fairlead.policy.places import Places

_LOOK_AGAIN = 60.0
_ANSWERS = {"approve": True, "deny": False}
_PATIENCE = 3 * SECONDS
_FIRST_LOOK = 2.0
_MOST_TOLD = 50
_Found = TypeVar("_Found")


class OpenQuestions:
    """Close it when done. `key`: None for a dashboard that only shows."""

    def __init__(self, broker: Broker, places: Places, key: PrivateKey | None = None) -> None:
        self._places, self._key = places, key
        self._desk = Desk(broker)
        self._told: dict[str, Closed] = {}
        self.key_id = key_id(key.public) if key is not None else ""
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self.trouble = ""
        """Why nothing new is heard; empty when all is well."""
        self._thread = threading.Thread(target=self._run, name="fairlead-asks", daemon=True)
        self._thread.start()

    @property
    def can_answer(self) -> bool:
        return self._key is not None

    def open_questions(self) -> list[dict[str, object]]:
        """Oldest first, with what was sent, and the hash that an answer names."""
        self._ready.wait(_FIRST_LOOK)
        return self._look(lambda: [each.as_json() for each in self._desk.board.open()])

    def answer(self, request: str, given: Mapping[str, object]) -> dict[str, object]:
        """`{"answer": "approve"|"deny", "reason", "ask"}`, with the hash of what the person was shown. Raises
        FairleadError."""
        if self._key is None:
            raise FairleadError("this dashboard only shows", hint="start it with --key")
        word = str(given.get("answer"))
        if word not in _ANSWERS:
            raise UsageError(f"{word!r} is no answer", hint="approve or deny")
        found = self._look(lambda: self._desk.board.find(request))
        if given.get("ask") != found.as_json()["ask"]:
            raise UsageError("this is not the question that was shown", hint="look at it again")
        refuse_own(self._places, found)
        reason = str(given.get("reason") or "")
        signed = sign_answer(found, self._key, yes=_ANSWERS[word], reason=reason, now=time.time())
        self._do(lambda: self._desk.send(found.about.machine, signed))
        return {"request": found.about.request, "answer": word, "machine": found.about.machine}

    def outcomes(self) -> dict[str, str]:
        """What machines made of answers, by request."""
        return self._look(lambda: {name: each.state for name, each in self._desk.board.closed.items()})

    def told(self) -> list[dict[str, object]]:
        """The same in full, the latest first, with the answers that a machine did not take."""
        latest = self._look(lambda: sorted(self._told.values(), key=lambda each: -each.at))
        return [{name: getattr(each, name) for name in Closed._fields} for each in latest]

    def close(self) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_PATIENCE)

    def _look(self, look: Callable[[], _Found]) -> _Found:
        """Where the board is written, so that nothing changes under it."""

        async def looked() -> _Found:
            return look()

        return self._there(looked)

    def _do(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self.trouble:
            raise FairleadError(self.trouble)
        self._there(act)

    def _there(self, act: Callable[[], Coroutine[Any, Any, _Found]]) -> _Found:
        if self._stop.is_set() or not self._thread.is_alive():
            raise FairleadError("the dashboard is closing")
        return asyncio.run_coroutine_threadsafe(act(), self._loop).result(_PATIENCE)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._attend())
        finally:
            self._ready.set()
            self._loop.close()

    async def _attend(self) -> None:
        while not self._stop.is_set():
            try:
                async with self._desk:
                    self.trouble = ""
                    self._ready.set()
                    await self._listen()
            except FairleadError as error:
                self.trouble = error.message
                self._ready.set()
                await self._pause(SECONDS)

    async def _listen(self) -> None:
        """What was asked while the broker was away is read again now and then."""
        hearing = asyncio.ensure_future(self._hear())
        try:
            while await self._pause(_LOOK_AGAIN):
                await self._desk.read_back()
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)

    async def _hear(self) -> None:
        while True:
            news = await self._desk.news.get()
            if isinstance(news, Closed):
                self._told.pop(news.request, None)
                self._told[news.request] = news
                for name in list(self._told)[:-_MOST_TOLD]:
                    del self._told[name]

    async def _pause(self, seconds: float) -> bool:
        """False as soon as it is to end."""
        try:
            await asyncio.wait_for(self._stop.wait(), seconds)
        except TimeoutError:
            return True
        return False
