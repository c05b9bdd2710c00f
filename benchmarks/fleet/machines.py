"""Many simulated machines in one process, told what to do by lines of JSON.

    python -m benchmarks.fleet.machines < ORDERS

The first line says who they are; each further one is an order, and each is answered with one line. Those that
are `apart` connect, take bundles and tell of themselves as all do, and their decisions are sent elsewhere.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import chain
from typing import Any

from benchmarks.fleet.hostile import misbehave
from benchmarks.fleet.orders import sample, serve
from benchmarks.fleet.simulated import Machine
from fairlead.doors.bus.connection import Broker
from fairlead.fleet.enrolment import read_enrolment
from fairlead.policy.places import find_places

_AT_ONCE = 50
"""Machines that connect at the same time in the beginning."""
_LOOKS = 0.2
_UNKNOWN = 0.85
"""Part of the time in which the hostile do not know the ids of others' next lines."""


class Crowd:
    def __init__(self, said: dict[str, Any]) -> None:
        enrolment = read_enrolment(find_places(said["home"]))
        assert enrolment is not None
        self._beats = float(said["heartbeat"])
        self.machines = [
            Machine(
                each["name"],
                each["group"],
                Broker(each["url"], f"{said['keys']}/{each['name']}"),
                roles=enrolment.roles,
                spread=float(said["spread"]),
                pattern=said["pattern"],
            )
            for each in said["machines"]
        ]
        hostile = {each["name"] for each in said["machines"] if each["hostile"]}
        self.hostile = [each for each in self.machines if each.name in hostile]
        others = {each["name"] for each in said["machines"] if each["apart"]}
        self.honest = [each for each in self.machines if each.name not in hostile | others]
        self._done: Counter[str] = Counter()
        self._tasks: list[asyncio.Future[Any]] = []

    @property
    def orders(self) -> dict[str, Any]:
        return {"connect": self.connect, "taken": self.taken, "decide": self.decide, "end": self.end}

    async def connect(self, order: dict[str, Any]) -> dict[str, Any]:
        """All of them, and what a machine does from its start on."""
        free = asyncio.Semaphore(_AT_ONCE)
        started = time.monotonic()

        async def one(machine: Machine) -> None:
            async with free:
                self._begin(machine.link.keep())
                while not machine.link.connected:
                    await asyncio.sleep(0.05)
            self._begin(machine.follow(), machine.send(), machine.keep_beating(self._beats))

        waiting = asyncio.gather(*map(one, self.machines))
        with suppress(TimeoutError):
            await asyncio.wait_for(waiting, order["seconds"])
        gc.freeze()
        gc.enable()
        connected = sum(each.link.connected for each in self.machines)
        return {"connected": connected, "seconds": round(time.monotonic() - started, 1)}

    async def taken(self, order: dict[str, Any]) -> dict[str, Any]:
        """When each had the version; those that never had it are missing."""
        version, end = order["version"], time.monotonic() + order["seconds"]
        while time.monotonic() < end and not all(version in each.taken for each in self.machines):
            await asyncio.sleep(_LOOKS)
        times = [each.taken[version] for each in self.machines if version in each.taken]
        return {"times": times, "missing": len(self.machines) - len(times)}

    async def decide(self, order: dict[str, Any]) -> dict[str, Any]:
        """Lines for so many seconds, and then time to send what is left of them."""
        until = time.monotonic() + order["seconds"]
        every = 1 / order["rate"]
        writing = [each.write(every=every, until=until) for each in self.honest]
        victims = [self.honest[number % len(self.honest)] for number in range(len(self.hostile))]
        knows_until = until - order["seconds"] * _UNKNOWN
        evil = [
            misbehave(
                each,
                victim,
                self._done,
                between=order["between"],
                knows_until=knows_until,
                until=until,
            )
            for each, victim in zip(self.hostile, victims, strict=True)
        ]
        await asyncio.gather(*writing, *evil)
        end = time.monotonic() + order["patience"]
        while time.monotonic() < end and any(each.behind for each in self.machines):
            await asyncio.sleep(_LOOKS)
        return self._counted()

    async def end(self, order: dict[str, Any]) -> dict[str, Any]:
        for each in self._tasks:
            each.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return {}

    def _begin(self, *work: Any) -> None:
        self._tasks += [asyncio.ensure_future(each) for each in work]

    def _counted(self) -> dict[str, Any]:
        return {
            "written": {each.name: each.written for each in self.honest},
            "unsent": {each.name: each.behind for each in self.machines if each.behind},
            "alarms": sum(each.alarms for each in self.machines),
            "failed_batches": sum(each.failures for each in self.machines),
            "refused_bundles": sum(each.refusals for each in self.machines),
            "waits": sample(list(chain.from_iterable(each.waits for each in self.machines))),
            "hostile": dict(self._done),
        }


if __name__ == "__main__":
    gc.disable()  # until all are there: or half of the time goes into looking at them again and again
    asyncio.run(serve(sys.stdin, Crowd))
    os._exit(0)
