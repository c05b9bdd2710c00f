"""One simulated machine: it connects, fetches, checks and sends as a real one does, and has no disk."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import deque
from collections.abc import Mapping
from random import uniform
from typing import Any

from benchmarks.fleet.shelf import Shelf, unread
from fairlead.doors.bus.connection import Broker
from fairlead.doors.fleet.forwarding import encoded, send_line
from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.running.taking_up import TakingUp
from fairlead.doors.fleet.sources.nats import NatsSource
from fairlead.doors.fleet.subjects import HEARTBEATS, subject_of
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.enrolment import Enrolment
from fairlead.fleet.telling.heartbeat import BundleState, Heartbeat
from fairlead.fleet.telling.leaving import Origin, message_of
from fairlead.fleet.telling.privacy import Privacy
from fairlead.journal.ids import new_id, timestamp

_BATCH = 200
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
Line = tuple[str, bytes]


async def _pause(seconds: float) -> bool:
    await asyncio.sleep(seconds)
    return True


class Machine:
    """`pattern` is a journal line that its own are made from."""

    def __init__(
        self,
        name: str,
        group: str,
        broker: Broker,
        *,
        roles: Roles,
        spread: float,
        pattern: Mapping[str, Any],
    ) -> None:
        self.name, self.group, self.broker = name, group, broker
        self.link = Link(broker, name)
        self._source = NatsSource(self.link, group)
        enrolment = Enrolment(name, group, broker.url, roles, credentials=broker.credentials)
        self._shelf = Shelf()
        self._taking = TakingUp(
            self._source, self._shelf, enrolment, loads=unread, pause=_pause, spread=spread
        )
        origin = Origin(name, group, bundle_version=1, bundle_sha256="0" * 64)
        self._message = message_of(pattern, Privacy(), origin)
        self._writer = hashlib.sha256(name.encode()).hexdigest()[:16]
        self._previous = ""
        self._spool: deque[Line] = deque()
        self._tried: frozenset[str] = frozenset()
        self.next_id = new_id(time.time())
        """Nobody else can know it; the hostile are told all the same."""
        self.written = self.alarms = self.failures = self.refusals = 0
        self.taken: dict[int, float] = {}
        """By version, when it was in force."""
        self.waits: list[float] = []
        """Seconds that batches took from being sent to being acknowledged."""

    async def follow(self) -> None:
        """As the agent does it."""
        pause = _FIRST_PAUSE
        while True:
            try:
                look = await self._taking.look()
            except (FairleadError, OSError):
                await asyncio.sleep(uniform(pause / 2, pause))
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            pause = _FIRST_PAUSE
            self.refusals += look.refusal is not None
            if look.took is not None:
                self.taken[look.took.version] = time.time()
                await self.beat()
            await self._source.news()

    async def beat(self) -> None:
        """A heartbeat; one that does not arrive is followed by the next."""
        now = self._shelf.in_force()
        state = BundleState(now.manifest.version, now.sha256, "current") if now else BundleState()
        beat = Heartbeat(self.name, self.group, int(time.time()), bundle=state, version="0", host=self.name)
        try:
            await self.link.publish(subject_of(HEARTBEATS, self.name), beat.written())
        except LinkError:
            self.failures += 1

    async def keep_beating(self, every: float) -> None:
        await asyncio.sleep(uniform(0, every))
        while True:
            await self.beat()
            await asyncio.sleep(uniform(0.8, 1.2) * every)

    async def write(self, *, every: float, until: float) -> None:
        """A line now and then, into the spool."""
        due = time.monotonic() + uniform(0, every)
        while due < until:
            await asyncio.sleep(max(due - time.monotonic(), 0))
            self._spool.append(self.make_line())
            due += every

    async def send(self) -> None:
        """What lies in the spool, in its order and at least once."""
        pause = _FIRST_PAUSE
        while True:
            if not self._spool:
                await asyncio.sleep(0.5)
                continue
            try:
                await self._step()
                pause = _FIRST_PAUSE
            except LinkError:
                self.failures += 1
                await asyncio.sleep(uniform(pause / 2, pause))
                pause = min(pause * 2, _LONGEST_PAUSE)

    @property
    def behind(self) -> int:
        return len(self._spool)

    async def _step(self) -> None:
        batch = [self._spool[number] for number in range(min(len(self._spool), _BATCH))]
        started, tried = time.monotonic(), self._tried
        sent = [
            send_line(self.link.publish, self.name, line, message=message, first=line not in tried)
            for line, message in batch
        ]
        answers = await asyncio.gather(*sent, return_exceptions=True)
        self._tried |= {line for line, _ in batch}
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
            self.alarms += answer
        self.waits.append(time.monotonic() - started)
        self._tried = frozenset()
        for _ in batch:
            self._spool.popleft()

    def make_line(self) -> Line:
        now = time.time()
        line_id, self.next_id = self.next_id, new_id(now)
        self.written += 1
        line: Any = self._message["line"]
        place = {"id": line_id, "request": f"{self.written:032x}", "writer": self._writer}
        place |= {"seq": self.written, "prev": self._previous, "ts": timestamp(now)}
        message = encoded({**self._message, "line": {**line, **place}})
        self._previous = hashlib.sha256(message).hexdigest()
        return line_id, message
