"""A machine that was taken over goes on, whatever becomes of the broker."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from nats.errors import ConnectionClosedError

from benchmarks.fleet import hostile
from benchmarks.fleet.hostile import misbehave
from fairlead.doors.fleet.link import LinkError


class Gone:
    async def publish(self, *words: object, **more: object) -> None:
        raise LinkError("the broker is away")


@pytest.mark.parametrize("error", [ConnectionClosedError(), OSError(), TimeoutError(), LinkError("away")])
def test_a_broker_that_goes_away_ends_no_round(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    async def broken(*words: object) -> None:
        raise error

    monkeypatch.setattr(hostile, "_replay", broken)
    machine: Any = SimpleNamespace(name="m-0", group="odd", link=Gone())
    victim: Any = SimpleNamespace(name="m-1", group="web", next_id="x")
    done: Counter[str] = Counter()
    until = time.monotonic() + 0.3
    asyncio.run(misbehave(machine, victim, done, between=0.05, knows_until=until, until=until))
    assert done["no answer"] >= 3
