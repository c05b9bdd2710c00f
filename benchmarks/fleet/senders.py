"""Many machines that do nothing but send decisions, told what to do by lines of JSON.

    python -m benchmarks.fleet.senders < ORDERS

What it answers is what `benchmarks.fleet.machines` answers.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.fleet.carrier import Carrier
from benchmarks.fleet.orders import sample, serve
from benchmarks.fleet.spool import Spool

_TICKS = 20
"""In the time in which a machine writes one line; in each, a part of the machines has its turn."""


class Load:
    """One connection and the machines behind it."""

    def __init__(self, carrier: Carrier, spools: list[Spool]) -> None:
        self.carrier, self.spools = carrier, spools
        self._asked: dict[int, Spool] = {}
        carrier.answered = self._answered
        carrier.went = self._went

    def visit(self, spools: Sequence[Spool], *, writes: bool) -> None:
        """They write a line, and send what is next."""
        now, moment = time.monotonic(), time.time()
        pieces: list[bytes] = []
        for spool in spools:
            for number in spool.look(now):
                self._asked.pop(number, None)
            if writes:
                spool.write(moment)
            if self.carrier.up.is_set():
                pieces += self._noted(spool, spool.send(self.carrier, now))
        if pieces:
            self.carrier.send(pieces)

    def _noted(self, spool: Spool, asked: list[tuple[int, bytes]]) -> list[bytes]:
        for number, _ in asked:
            self._asked[number] = spool
        return [piece for _, piece in asked]

    def _answered(self, number: int, body: bytes) -> None:
        spool = self._asked.pop(number, None)
        if spool is not None:
            again = spool.hear(number, body, self.carrier, time.monotonic())
            if again:
                self.carrier.send(self._noted(spool, again))

    def _went(self) -> None:
        """What was under way may have arrived or not; it goes again."""
        now = time.monotonic()
        for spool in {id(each): each for each in self._asked.values()}.values():
            spool.give_up(now)
        self._asked.clear()


class Crowd:
    def __init__(self, said: dict[str, Any]) -> None:
        self.loads = [self._load(each, said) for each in said["carriers"]]
        self.spools = [spool for load in self.loads for spool in load.spools]
        self._turns = turns_of(self.loads)
        self._tasks: list[asyncio.Future[Any]] = []

    @property
    def orders(self) -> dict[str, Any]:
        return {"connect": self.connect, "decide": self.decide, "end": self.end}

    async def connect(self, order: dict[str, Any]) -> dict[str, Any]:
        started = time.monotonic()
        self._tasks = [asyncio.ensure_future(load.carrier.keep()) for load in self.loads]
        waiting = asyncio.gather(*(load.carrier.up.wait() for load in self.loads))
        with suppress(TimeoutError):
            await asyncio.wait_for(waiting, order["seconds"])
        gc.freeze()
        connected = sum(load.carrier.up.is_set() for load in self.loads)
        return {"connected": connected, "seconds": round(time.monotonic() - started, 1)}

    async def decide(self, order: dict[str, Any]) -> dict[str, Any]:
        """Lines for so many seconds, and then time to send what is left of them."""
        started = time.monotonic()
        turns = round(order["seconds"] * order["rate"]) * _TICKS
        await self._go(turns, 1 / order["rate"] / _TICKS, writes=True)
        wrote = time.monotonic() - started
        end = time.monotonic() + order["patience"]
        while time.monotonic() < end and any(each.behind for each in self.spools):
            await self._go(_TICKS, 1 / _TICKS, writes=False)
        return {**self._counted(), "seconds_writing": round(wrote, 1)}

    async def end(self, order: dict[str, Any]) -> dict[str, Any]:
        for each in self._tasks:
            each.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for load in self.loads:
            load.carrier.close()
        return {}

    async def _go(self, turns: int, every: float, *, writes: bool) -> None:
        """By the clock: a turn that comes late is followed by the next at once."""
        due = time.monotonic()
        for turn in range(turns):
            for load, spools in self._turns[turn % _TICKS]:
                load.visit(spools, writes=writes)
            due += every
            await asyncio.sleep(max(due - time.monotonic(), 0))

    def _load(self, each: dict[str, Any], said: dict[str, Any]) -> Load:
        url = urlsplit(each["url"])
        assert url.hostname and url.port
        seed = Path(said["keys"]) / each["name"]
        spools = [Spool(name, said["group"], said["pattern"]) for name in each["machines"]]
        return Load(Carrier(each["name"], (url.hostname, url.port), seed), spools)

    def _counted(self) -> dict[str, Any]:
        return {
            "written": {each.name: each.written for each in self.spools},
            "unsent": {each.name: each.behind for each in self.spools if each.behind},
            "alarms": sum(each.alarms for each in self.spools),
            "failed_batches": sum(each.failures for each in self.spools),
            "waits": sample(list(chain.from_iterable(each.waits for each in self.spools))),
            "hostile": {},
        }


def turns_of(loads: Sequence[Load]) -> list[list[tuple[Load, list[Spool]]]]:
    """Who is visited when: each machine once in `_TICKS` turns, as many as can be in each."""
    turns: list[list[tuple[Load, list[Spool]]]] = [[] for _ in range(_TICKS)]
    for number, load in enumerate(loads):
        for turn in range(min(_TICKS, len(load.spools))):
            turns[(number + turn) % _TICKS].append((load, load.spools[turn::_TICKS]))
    return turns


if __name__ == "__main__":
    gc.disable()
    asyncio.run(serve(sys.stdin, Crowd))
    os._exit(0)
