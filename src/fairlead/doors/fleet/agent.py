"""The agent of a fleet: one process per machine, beside the hook calls and never in their path.

It follows its group's pointer, takes up what is published, and attends to its duties. Everything that it must
not forget is on the disk before it counts, so it may be killed at any moment.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from random import uniform
from typing import TYPE_CHECKING

import fairlead
from fairlead.doors.daemon.lifecycle import identity
from fairlead.doors.fleet.duties import DUTIES, Context, Run, attend
from fairlead.doors.fleet.link import Link
from fairlead.doors.fleet.running.lock import FILE_NAME as LOCK
from fairlead.doors.fleet.running.lock import take_lock
from fairlead.doors.fleet.running.taking_up import Look, TakingUp
from fairlead.doors.fleet.sources.opening import open_source
from fairlead.doors.fleet.sources.source import Source
from fairlead.doors.fleet.standing import Standing
from fairlead.errors import FairleadError

if TYPE_CHECKING:
    from fairlead.fleet.bundles.store import Loads, Store
    from fairlead.fleet.enrolment import Enrolment
    from fairlead.policy.places import Places

SPREAD = 30.0
"""Seconds over which the machines of a group scatter when a bundle is published."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 300.0
_WRITES, _TENDS = 1.0, 10.0
_LOOK_AGAIN = 300.0
"""Seconds after which a pointer that was refused is looked at again, though there is no other."""
Told = Callable[[str], None]


class Agent:
    """`told` gets what a person who watches would want to read."""

    def __init__(
        self,
        places: Places,
        enrolment: Enrolment,
        store: Store,
        *,
        loads: Loads,
        told: Told,
        spread: float = SPREAD,
    ) -> None:
        self._enrolment = enrolment
        self._store = store
        self._told = told
        self._standing = Standing(store.folder)
        self._source: Source
        self._link: Link | None
        self._disturbed = asyncio.Event()
        self._source, self._link = open_source(enrolment)
        self._context = Context(
            places, machine=enrolment.machine, group=enrolment.group, link=self._link, standing=self._standing
        )
        self._taking = TakingUp(
            self._source, store, enrolment, loads=loads, pause=self._context.pause, spread=spread
        )

    async def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._context.stopping.set)
        self._standing.tell(
            "agent", {"pid": os.getpid(), "version": fairlead.__version__, "since": int(time.time())}
        )
        self._show(None)
        self._told(f"following {self._source.shown} for the group {self._enrolment.group}")
        work = {"following": self._follow, "standing": self._write, "tending": self._tend}
        if self._link is not None:
            work["link"] = self._link.keep
        context = self._context
        ours = [attend(name, context, _alone(run)) for name, run in work.items()]
        tasks = [asyncio.ensure_future(one) for one in (*ours, *(attend(name, context) for name in DUTIES))]
        await self._context.stopping.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._standing.tell("agent", {"pid": 0})
        self._standing.write()

    async def once(self) -> Look:
        """One look, now. Raises SourceError."""
        keeping = asyncio.ensure_future(self._link.keep()) if self._link is not None else None
        try:
            look = await self._taking.look()
        finally:
            if keeping is not None:
                keeping.cancel()
                await asyncio.gather(keeping, return_exceptions=True)
        return look

    async def _follow(self) -> None:
        pause = _FIRST_PAUSE
        while not self._context.stopping.is_set():
            try:
                look = await self._taking.look()
            except (FairleadError, OSError) as error:
                self._trouble(error)
                await self._news(uniform(pause / 2, pause))  # noqa: S311 - spreads machines, hides nothing
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            pause = _FIRST_PAUSE
            self._show(look)
            await self._news(_LOOK_AGAIN if look.refusal is not None else None)

    async def _news(self, seconds: float | None) -> None:
        """Of the source, or of somebody who changed what is in force here."""
        waits = [asyncio.ensure_future(each) for each in (self._source.news(), self._disturbed.wait())]
        try:
            done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        self._disturbed.clear()
        for each in done:
            each.result()

    async def _tend(self) -> None:
        """What is gone of the files that are kept is told, and mended without the source."""
        while True:
            for trouble in (troubles := self._taking.troubles()):
                if trouble not in _texts(self._standing.of("bundle").get("troubles")):
                    self._told(trouble)
            self._standing.tell("bundle", {"troubles": list(troubles)})
            await self._taking.mend()
            if await asyncio.to_thread(self._taking.is_disturbed):
                self._disturbed.set()
            await asyncio.sleep(_TENDS)

    async def _write(self) -> None:
        """Also ends the agent when what it rests on is gone or another; who keeps it running begins anew."""
        rests_on = self._rests_on()
        while True:
            if self._rests_on() != rests_on:
                self._told("the enrolment, the folder or the program is another one now")
                self._context.stopping.set()
            if self._link is not None:
                self._standing.tell(
                    "link", {"connected": self._link.connected, "trouble": self._link.trouble}
                )
            self._standing.write()
            await asyncio.sleep(_WRITES)

    def _rests_on(self) -> list[tuple[int, ...]]:
        lock = os.path.join(self._store.folder, LOCK)
        return [identity(self._enrolment.path), identity(lock)[:2], identity(fairlead.__file__)]

    def _trouble(self, error: Exception) -> None:
        message = error.message if isinstance(error, FairleadError) else str(error)
        if self._standing.of("source").get("error") != message:
            self._told(message)
        self._standing.tell("source", {"error": message, "error_at": int(time.time())})

    def _show(self, look: Look | None) -> None:
        facts = dict(self._taking.facts(look))
        if look is not None:
            self._standing.tell(
                "source", {"error": "", "contact": int(time.time()), "address": self._source.shown}
            )
            self._say(look)
        self._standing.tell("bundle", facts)

    def _say(self, look: Look) -> None:
        before = self._standing.of("bundle").get("refusal")
        if look.took is not None:
            self._told(f"took up version {look.took.version}")
        if look.refusal is not None and look.refusal.as_json() != before:
            self._told(f"refused ({look.refusal.code}): {look.refusal.message}")


def _texts(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _alone(work: Callable[[], Awaitable[None]]) -> Run:
    """As a duty that knows its context already."""
    return lambda _: work()


def run_agent(agent: Agent, folder: str) -> bool:
    """False when there is one already. Raises FairleadError."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    try:
        lock = take_lock(folder)
    except OSError as error:
        raise FairleadError(
            f"{folder} cannot be used: {error.strerror}", hint="whose folder is it?"
        ) from error
    if lock is None:
        return False
    try:
        asyncio.run(agent.run())
    finally:
        os.close(lock)
    return True


def look_once(agent: Agent) -> Look:
    """Raises SourceError."""
    return asyncio.run(agent.once())
