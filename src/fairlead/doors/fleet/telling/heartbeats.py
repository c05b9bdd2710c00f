"""The duty that sends heartbeats: every five minutes, and when something about the bundle has changed.

Nobody answers a heartbeat, and nothing here waits for one to arrive. What a machine does not tell is told by
its silence.
"""

from __future__ import annotations

import asyncio
import platform
import time
from collections.abc import Iterator, Mapping
from random import uniform

import fairlead
from fairlead.doors.fleet.centre.roll_call import EVERY
from fairlead.doors.fleet.duties import Context
from fairlead.doors.fleet.link import LinkError
from fairlead.doors.fleet.subjects import HEARTBEATS, subject_of
from fairlead.doors.fleet.telling.agents_seen import AgentsSeen
from fairlead.doors.fleet.telling.counting import Counting
from fairlead.doors.fleet.telling.examination import Examination, examined
from fairlead.fleet.telling.heartbeat import BundleState, Heartbeat

_LOOKS = 2.0
_BETWEEN = 5.0
"""Seconds between two, however much changes."""
_EXAMINES = 1800.0
_NAME = "heartbeats"


async def run(context: Context) -> None:
    """The duty. Without a broker there is nobody who would hear it."""
    if context.link is None:
        context.tell(_NAME, state="there is no broker")
        return
    telling = Telling(context)
    while not context.stopping.is_set():
        if telling.is_due(time.monotonic()):
            await telling.tell()
        await context.pause(_LOOKS)


class Telling:
    """What was told last, and when it is time again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._counting = Counting(context.places)
        self._agents = AgentsSeen()
        self._examined = Examination()
        self._examined_at = float("-inf")
        self._told: tuple[object, ...] = ()
        self._at = float("-inf")
        self._next = 0.0

    def is_due(self, now: float) -> bool:
        changed = self._state() != self._told and now - self._at >= _BETWEEN
        return changed or now >= self._next

    async def tell(self) -> None:
        """What could not be sent is sent with the next one: the counts are not lost."""
        assert self._context.link is not None
        state, heartbeat = self._state(), await self._heartbeat()
        subject = subject_of(HEARTBEATS, self._context.machine)
        try:
            await self._context.link.publish(subject, heartbeat.written())
        except LinkError as error:
            self._context.tell(_NAME, error=error.message)
            self._next = time.monotonic() + uniform(15, 30)  # noqa: S311 - spreads machines, hides nothing
            return
        await asyncio.to_thread(self._counting.commit)
        self._told, self._at = state, time.monotonic()
        self._next = self._at + uniform(0.8, 1.2) * EVERY  # noqa: S311 - as above
        self._context.tell(_NAME, error="", at=heartbeat.at)

    def _state(self) -> tuple[object, ...]:
        """Of which everybody wants to know at once."""
        facts = self._context.standing.of("bundle")
        return tuple(str(facts.get(name)) for name in ("version", "sha256", "state", "standing", "troubles"))

    async def _heartbeat(self) -> Heartbeat:
        if time.monotonic() - self._examined_at > _EXAMINES:
            self._examined = await examined(self._context.places)
            self._examined_at = time.monotonic()
        counts, calls = await asyncio.to_thread(self._counting.read)
        looked = self._examined
        return Heartbeat(
            machine=self._context.machine,
            group=self._context.group,
            at=int(time.time()),
            host=platform.node(),
            version=fairlead.__version__,
            build=looked.build,
            bundle=self._bundle(),
            rows=(*self._troubles(), *looked.rows),
            agents=tuple(await asyncio.to_thread(self._agents.look, looked.agents, calls)),
            behind=_number(self._context.standing.of("forwarding").get("behind")),
            off=looked.off,
            mode=looked.mode,
            counts=counts,
        )

    def _troubles(self) -> Iterator[Mapping[str, object]]:
        """Of the folder of bundles, which is looked at all the time."""
        found = self._context.standing.of("bundle").get("troubles")
        for trouble in found if isinstance(found, list) else ():
            yield {"name": "fleet", "state": str(trouble)[:200]}

    def _bundle(self) -> BundleState:
        facts = self._context.standing.of("bundle")
        refusal = facts.get("refusal")
        reason = str(refusal.get("message", "")) if isinstance(refusal, dict) else ""
        return BundleState(
            version=_number(facts.get("version")),
            sha256=str(facts.get("sha256") or ""),
            state=str(facts.get("state") or "none"),
            reason=reason,
            since=_number(facts.get("since")),
        )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
