"""The one connection between a machine and its broker: everything that the machine sends goes through it.

A broker that refuses a subject says so beside the request, which would just seem to get no answer. Here the
request fails at once, with the reason.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from random import uniform
from typing import TYPE_CHECKING, Any

from fairlead.doors.bus.connection import Broker, connect
from fairlead.doors.fleet.subjects import inbox_of
from fairlead.errors import FairleadError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

SECONDS = 10.0
"""How long a request waits for its answer."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_PATIENCE = 10.0
_REFUSED = re.compile(r'permissions violation for (publish|subscription) to "([^"]+)"')
Took = Callable[[bytes, Mapping[str, str]], Awaitable[None]]
TookFrom = Callable[[str, bytes], Awaitable[None]]
OnMessage = Callable[["Msg"], Awaitable[None]]


class LinkError(FairleadError):
    """The broker is away, refuses, or did not answer. What was asked can be asked again."""

    code = "FLEET_LINK"


class RefusedError(LinkError):
    """The broker does not give this machine the right."""

    code = "FLEET_REFUSED"


class Link:
    """`keep` holds it open for as long as it runs; everything else waits for that. Without a machine it is
    the connection of somebody at the centre."""

    def __init__(self, broker: Broker, machine: str = "") -> None:
        self._broker = broker
        self._inbox = inbox_of(machine) if machine else "_INBOX"
        self._client: Client | None = None
        self._up = asyncio.Event()
        self._closed = asyncio.Event()
        self._followed: dict[str, OnMessage] = {}
        self._asked: set[tuple[str, asyncio.Future[str]]] = set()
        self._way_out = _RUNNING
        self.trouble = ""
        """Why there is no connection, or what the broker refused last; empty when all is well."""
        self.came_up: list[Callable[[], None]] = []
        """Called after each connection: what was published meanwhile was not heard."""

    @property
    def shown(self) -> str:
        return self._broker.shown

    @property
    def connected(self) -> bool:
        return self._up.is_set()

    async def keep(self) -> None:
        """Until it is cancelled. Credentials are read again for each connection."""
        pause = _FIRST_PAUSE
        try:
            while True:
                if await self._open():
                    pause = _FIRST_PAUSE
                    await self._closed.wait()
                    self._went_down()
                await asyncio.sleep(uniform(pause / 2, pause))  # noqa: S311 - spreads machines, hides nothing
                pause = min(pause * 2, _LONGEST_PAUSE)
        finally:
            await self._close()

    async def request(
        self,
        subject: str,
        body: bytes = b"",
        *,
        headers: Mapping[str, str] | None = None,
        seconds: float = SECONDS,
    ) -> Msg:
        """The answer. Raises LinkError when there is none, RefusedError when there may be none."""
        client = await self._ready(seconds)
        refused: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        asked = (subject.lower(), refused)
        self._asked.add(asked)
        given = dict(headers) if headers else None
        asking = asyncio.ensure_future(client.request(subject, body, timeout=seconds, headers=given))
        try:
            waits: set[asyncio.Future[Any]] = {asking, refused}
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if refused.done():
                raise RefusedError(f"{self.shown} {refused.result()}", hint=_RIGHTS)
            with self._explained():
                return asking.result()
        finally:
            self._asked.discard(asked)
            refused.cancel()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    async def publish(
        self, subject: str, body: bytes, *, headers: Mapping[str, str] | None = None, seconds: float = SECONDS
    ) -> dict[str, Any]:
        """Into a stream: the acknowledgement, with `seq` and for what was there already `duplicate`."""
        answer = await self.request(subject, body, headers=headers, seconds=seconds)
        try:
            found = json.loads(answer.data)
        except ValueError:
            found = None
        if not isinstance(found, dict) or "error" in found or "seq" not in found:
            why = found["error"].get("description") if isinstance(found, dict) and "error" in found else ""
            raise LinkError(f"{self.shown} did not take what was sent: {why or 'it does not say why'}")
        return found

    async def send(self, subject: str, body: bytes) -> None:
        """Without an answer: it may be lost."""
        client = await self._ready(SECONDS)
        with self._explained():
            await client.publish(subject, body)

    async def follow(self, subject: str, took: Took) -> None:
        """From now on, through every connection: `took` gets each message with its headers."""

        async def on_message(message: Msg) -> None:
            await took(message.data, message.headers or {})

        await self._follow(subject, on_message)

    async def follow_all(self, pattern: str, took: TookFrom) -> None:
        """The same for many subjects: `took` gets the subject and the message."""

        async def on_message(message: Msg) -> None:
            await took(message.subject, message.data)

        await self._follow(pattern, on_message)

    async def _follow(self, subject: str, on_message: OnMessage) -> None:
        self._followed[subject] = on_message
        if self._client is not None and self.connected:
            await self._subscribe(self._client, subject)

    async def _open(self) -> bool:
        self._closed.clear()
        more = {
            "inbox_prefix": self._inbox,
            "reconnect_time_wait": uniform(0.5, 3.0),  # noqa: S311 - as above
            "ping_interval": 30,
            "disconnected_cb": self._on_down,
            "reconnected_cb": self._on_up,
        }
        try:
            self._client = await connect(
                self._broker, patience=_PATIENCE, closed=self._on_closed, heard=self._hear, more=more
            )
            for subject in self._followed:
                await self._subscribe(self._client, subject)
        except FairleadError as error:
            self.trouble, self._way_out = error.message, error.hint or _RUNNING
            return False
        await self._on_up()
        return True

    async def _subscribe(self, client: Client, subject: str) -> None:
        with self._explained():
            await client.subscribe(subject, cb=self._followed[subject])
            await client.flush(timeout=int(SECONDS))

    async def _ready(self, seconds: float) -> Client:
        try:
            await asyncio.wait_for(self._up.wait(), seconds)
        except TimeoutError:
            raise LinkError(self.trouble or f"{self.shown} does not answer", hint=self._way_out) from None
        assert self._client is not None
        return self._client

    async def _on_up(self) -> None:
        self.trouble, self._way_out = "", _RUNNING
        self._up.set()
        for call in self.came_up:
            call()

    async def _on_down(self) -> None:
        self._went_down()

    async def _on_closed(self) -> None:
        self._closed.set()

    def _went_down(self) -> None:
        self._up.clear()
        self.trouble = self.trouble or f"{self.shown} has gone away"

    def _hear(self, error: Exception) -> None:
        refused = _REFUSED.search(str(error).lower())
        if refused is None:
            self.trouble = f"{self.shown}: {type(error).__name__}"
            return
        act, subject = refused.groups()
        words = f"does not let this machine {'publish to' if act == 'publish' else 'listen on'} {subject}"
        self.trouble = f"{self.shown} {words}"
        for asked, future in self._asked:
            ours = asked == subject if act == "publish" else subject.startswith(self._inbox.lower())
            if ours and not future.done():
                future.set_result(words)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from nats.errors import Error

        try:
            yield
        except (Error, OSError, TimeoutError) as error:
            raise self._unanswered(error) from error

    def _unanswered(self, error: Exception) -> LinkError:
        from nats.errors import NoRespondersError

        if isinstance(error, NoRespondersError):
            return LinkError(f"nobody on {self.shown} answers this", hint="does it run with JetStream?")
        said = self.trouble or f"{self.shown} did not answer: {type(error).__name__}"
        return LinkError(said, hint=self._way_out)

    async def _close(self) -> None:
        self._up.clear()
        if self._client is not None and not self._client.is_closed:
            await self._client.close()


_RUNNING = "is the broker running?"
_RIGHTS = "`fairlead fleet broker-config` prints the rights that a machine needs"
