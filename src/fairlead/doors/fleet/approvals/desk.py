"""Where people answer: the open questions of all machines, as the broker has them, and the way back.

Nobody here is believed by a machine: it checks every answer itself. What this shows may be anything that a
machine, or a broker, wants a person to see; what is signed is the hash of exactly that.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fairlead.doors.bus.connection import Broker, connect, why_not
from fairlead.doors.fleet.subjects import ANSWERS, ASKS, PREFIXES, subject_of
from fairlead.errors import FairleadError
from fairlead.fleet.questions.asks import STILL_OPEN, Ask, Closed, hash_of, read_message
from fairlead.fleet.refusal import RefusedError
from fairlead.model.value import Value

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

_HOURS = 3600.0
_MOST = 5_000
_MOST_OF_ONE = 64
"""Open questions of one machine: more than one ever sends at once, so that none can crowd out the others'."""
SECONDS = 10.0
ALL = f"{PREFIXES[ASKS]}.*"


class OpenAsk(Value):
    """A question as it was sent: its bytes, and what they say."""

    content: bytes
    about: Ask

    def as_json(self) -> dict[str, object]:
        shown = {name: getattr(self.about, name) for name in Ask._fields}
        return {**shown, "ask": hash_of(self.content)}


class Board:
    """Questions by what was heard of them, in the order in which it was heard. It knows no broker."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._open: dict[str, OpenAsk] = {}
        self.closed: dict[str, Closed] = {}

    def hear(self, content: bytes, machine: str) -> OpenAsk | Closed | None:
        """What is new. Of a machine only what it says of itself counts: the broker lets it write nowhere
        else. The first message about a request is the one; another with its name changes nothing."""
        try:
            message = read_message(content)
        except RefusedError:
            return None
        if message.machine != machine:
            return None
        if isinstance(message, Closed):
            return self._close(message)
        if message.request in self._open or message.request in self.closed:
            return None
        self._forget_of(machine)
        if len(self._open) >= _MOST:
            self._forget()
        made = self._open[message.request] = OpenAsk(content, message)
        return made

    def _close(self, closed: Closed) -> Closed | None:
        asked = self._open.get(closed.request)
        if asked is None or asked.about.machine != closed.machine:
            return None
        if closed.state not in STILL_OPEN:
            self.closed[closed.request] = closed
        return closed

    def open(self) -> list[OpenAsk]:
        """Those that can still be answered, oldest first."""
        now = self._clock()
        return [
            each
            for each in self._open.values()
            if each.about.expires > now and each.about.request not in self.closed
        ]

    def find(self, request: str) -> OpenAsk:
        """By the request, or by the beginning of it. Raises FairleadError."""
        found = [each for each in self.open() if request and each.about.request.startswith(request)]
        if len(found) == 1:
            return found[0]
        many = f"{len(found)} questions begin" if found else "no open question begins"
        raise FairleadError(f"{many} with {request!r}", hint="`fairlead fleet asks` lists them")

    def _forget_of(self, machine: str) -> None:
        """The oldest of a machine that has too many."""
        own = [name for name, each in self._open.items() if each.about.machine == machine]
        for name in own[: max(0, len(own) - _MOST_OF_ONE + 1)]:
            del self._open[name]
            self.closed.pop(name, None)

    def _forget(self) -> None:
        open_now = {each.about.request for each in self.open()}
        self._open = {name: each for name, each in self._open.items() if name in open_now}
        for name in list(self._open)[: max(0, len(self._open) - _MOST + 1)]:
            del self._open[name]


class Desk:
    """A connection of somebody who answers. Use it as an asynchronous context."""

    def __init__(self, broker: Broker, board: Board | None = None) -> None:
        self._broker = broker
        self.board = board or Board()
        self.news: asyncio.Queue[OpenAsk | Closed] = asyncio.Queue()
        self._client: Client | None = None

    async def __aenter__(self) -> Desk:
        from nats.errors import Error

        self._client = client = await connect(self._broker, patience=SECONDS)
        try:
            await client.subscribe(ALL, cb=self._heard)
            await client.flush()
            await self._read_back(client)
        except (Error, OSError, TimeoutError) as error:
            await client.close()
            raise why_not(self._broker, client.last_error or error) from error
        return self

    async def read_back(self) -> None:
        """Hears again what was asked lately. Raises FairleadError."""
        from nats.errors import Error

        assert self._client is not None
        try:
            await self._read_back(self._client)
        except (Error, OSError, TimeoutError) as error:
            raise why_not(self._broker, self._client.last_error or error) from error

    async def __aexit__(self, *error: object) -> None:
        if self._client is not None:
            await self._client.close()

    async def send(self, machine: str, answer: bytes) -> None:
        """Raises FairleadError where the broker did not keep it."""
        from nats.errors import Error

        assert self._client is not None
        try:
            kept = await self._client.request(subject_of(ANSWERS, machine), answer, timeout=SECONDS)
            found = json.loads(kept.data)
        except (Error, OSError, TimeoutError, ValueError) as error:
            raise why_not(self._broker, self._client.last_error or error) from error
        if not isinstance(found, Mapping) or "seq" not in found:
            raise FairleadError(f"{self._broker.shown} did not keep the answer")

    async def outcome(self, request: str, *, seconds: float = SECONDS) -> Closed | None:
        """What the machine makes of an answer; None where it says nothing in time."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                news = await asyncio.wait_for(self.news.get(), left)
            except TimeoutError:
                return None
            if isinstance(news, Closed) and news.request == request:
                return news
        return None

    async def _heard(self, message: Msg) -> None:
        news = self.board.hear(message.data, message.subject.removeprefix(f"{PREFIXES[ASKS]}."))
        if news is not None:
            self.news.put_nowait(news)

    async def _read_back(self, client: Client) -> None:
        """What was asked in the last hour, before anybody listened."""
        from nats.js.api import ConsumerConfig, DeliverPolicy

        stream: Any = client.jetstream()
        config = ConsumerConfig(deliver_policy=DeliverPolicy.ALL, inactive_threshold=30.0)
        reading = await stream.subscribe(ALL, stream=ASKS, ordered_consumer=True, config=config)
        try:
            info = await reading.consumer_info()
            on_their_way = info.delivered.consumer_seq if info.delivered else 0
            left = (info.num_pending or 0) + on_their_way
            while left > 0:
                message = await reading.next_msg(timeout=SECONDS)
                left = message.metadata.num_pending
                if message.metadata.timestamp.timestamp() > time.time() - _HOURS:
                    await self._heard(message)
        finally:
            await reading.unsubscribe()
