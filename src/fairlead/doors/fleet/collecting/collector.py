"""From the streams of the broker into the database: a message is acknowledged when it is committed there.

Any number of collectors share the work. What one had in its hands when it died is given to another after a
while, and is known again by its id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fairlead.doors.bus.connection import Broker, connect, why_not
from fairlead.doors.fleet import subjects
from fairlead.doors.fleet.collecting.groups import placed
from fairlead.doors.fleet.collecting.heartbeats import Beat, take_heartbeat
from fairlead.doors.fleet.collecting.intake import Incident, take_decision
from fairlead.doors.fleet.collecting.pulling import Pull
from fairlead.doors.fleet.collecting.retention import expire
from fairlead.doors.fleet.collecting.store import Store
from fairlead.doors.fleet.streams import ensure_streams
from fairlead.errors import FairleadError
from fairlead.secrets.redact import compile_hints

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

NAME = "fairlead-collector"
"""Of the consumer that all collectors share."""
_BATCH = 1000
_WAIT = 1.0
_ACK_SECONDS = 15
"""After which another collector gets what one took in and did not commit."""
_MOST_OPEN = 50_000
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 15.0
_EXPIRY_PAUSE = 600.0

Notes = Callable[[str], None]
Groups = Callable[[], Mapping[str, str]]


class Collector:
    """`run` goes on until it is cancelled, whatever happens to the broker and to the database."""

    def __init__(
        self,
        broker: Broker,
        store: Store,
        *,
        kept: Mapping[str, int] | None = None,
        expected: Groups = dict,
        note: Notes = lambda text: None,
    ) -> None:
        self._broker = broker
        self._store = store
        self._kept = dict(kept or {})
        self._expected = expected
        self._note = note
        self._said = ""
        self.taken = 0
        self.known = 0

    async def run(self) -> None:
        compile_hints()
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._connected()
            except FairleadError as error:
                self._say(f"{error.message}; trying again")
            before = self.taken
            await asyncio.sleep(pause)
            pause = _FIRST_PAUSE if self.taken > before else min(pause * 2, _LONGEST_PAUSE)

    async def _connected(self) -> None:
        closed = asyncio.Event()

        async def on_closed() -> None:
            closed.set()

        client = await connect(self._broker, patience=10, closed=on_closed)
        work = [
            asyncio.ensure_future(self._follow(client, subjects.DECISIONS, self._take_decisions)),
            asyncio.ensure_future(self._follow(client, subjects.HEARTBEATS, self._take_heartbeats)),
            asyncio.ensure_future(self._expire()),
            asyncio.ensure_future(closed.wait()),
        ]
        try:
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()
        finally:
            for each in work:
                each.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            await client.close()

    async def _follow(
        self, client: Client, stream: str, take: Callable[[list[Msg]], Awaitable[None]]
    ) -> None:
        from nats.errors import Error

        try:
            waiting = await self._consumer(client, stream)
        except (Error, OSError, TimeoutError) as error:
            raise why_not(self._broker, error) from error
        pause = _FIRST_PAUSE
        while True:
            try:
                messages = await waiting.fetch(_BATCH, seconds=_WAIT)
            except (Error, OSError) as error:
                raise why_not(self._broker, error) from error
            if not messages:
                continue
            try:
                await take(messages)
            except FairleadError as error:
                self._say(error.message)
                await _answer(messages, kept=False)
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            pause = _FIRST_PAUSE
            await _answer(messages, kept=True)

    async def _consumer(self, client: Client, stream: str) -> Pull:
        """One that is there stays as it is."""
        from nats.js.api import AckPolicy, ConsumerConfig
        from nats.js.errors import NotFoundError

        wanted = ConsumerConfig(
            durable_name=NAME,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=_ACK_SECONDS,
            max_ack_pending=_MOST_OPEN,
            filter_subject=f"{subjects.PREFIXES[stream]}.*",
        )
        js = client.jetstream()
        try:
            await js.stream_info(stream)
        except NotFoundError:
            await ensure_streams(js)
        try:
            await js.consumer_info(stream, NAME)
        except NotFoundError:
            await js.add_consumer(stream, wanted)
        pull = Pull(client, stream, NAME)
        await pull.start()
        return pull

    async def _take_decisions(self, messages: list[Msg]) -> None:
        found = [take_decision(_sender(each), each.data, mark=_mark(each)) for each in messages]
        groups = self._expected()
        told = [placed(each.decision, groups) for each in found if each.decision is not None]
        incidents = [incident for each in found for incident in each.incidents]
        incidents += [incident for _, misplaced in told for incident in misplaced]
        decisions = [decision for decision, _ in told]
        written = await asyncio.to_thread(self._store.take, decisions, incidents)
        self.taken += written.fresh
        self.known += written.known
        self._say("")

    async def _take_heartbeats(self, messages: list[Msg]) -> None:
        found = [take_heartbeat(_sender(each), each.data, mark=_mark(each)) for each in messages]
        groups = self._expected()
        told = [placed(each, groups) for each in found if isinstance(each, Beat)]
        incidents = [each for each in found if isinstance(each, Incident)]
        incidents += [incident for _, misplaced in told for incident in misplaced]
        await asyncio.to_thread(self._store.beat, [beat for beat, _ in told], incidents)

    async def _expire(self) -> None:
        while True:
            with suppress(FairleadError):
                await asyncio.to_thread(expire, self._store.database, self._kept)
            await asyncio.sleep(_EXPIRY_PAUSE)

    def _say(self, text: str) -> None:
        if text and text != self._said:
            self._note(text)
        self._said = text


async def _answer(messages: Sequence[Msg], *, kept: bool) -> None:
    """Sent without waiting: whoever gets a message again finds it in the database."""
    for message in messages:
        await (message.ack() if kept else message.nak())


def _sender(message: Msg) -> str:
    return message.subject.rsplit(".", 1)[-1]


def _mark(message: Msg) -> str:
    return f"{message.metadata.stream}/{message.metadata.sequence.stream}"
