"""The streams of a fleet on a real broker: what one machine does to them, the others do not feel."""

import asyncio

import pytest
from fleet_broker import FleetBroker, needs_broker

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet import streams
from fairlead.doors.fleet.collecting.intake import MOST_BYTES
from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.subjects import DECISIONS, subject_of

pytestmark = [pytest.mark.slow, needs_broker]


async def send(broker: FleetBroker, name: str, bodies: list[bytes]) -> None:
    link = Link(broker.as_who(name), name)
    keeping = asyncio.ensure_future(link.keep())
    try:
        for body in bodies:
            await link.publish(subject_of(DECISIONS, name), body)
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def waiting(broker: FleetBroker, name: str) -> int:
    client = await connect(broker.as_who("admin"), patience=30)
    try:
        info = await client.jetstream().stream_info(DECISIONS, subjects_filter=subject_of(DECISIONS, name))
        return (info.state.subjects or {}).get(subject_of(DECISIONS, name), 0)
    finally:
        await client.close()


def test_a_machine_that_floods_pushes_out_its_own_decisions_alone(tmp_path, monkeypatch):
    monkeypatch.setitem(streams._STREAMS[DECISIONS], "max_msgs_per_subject", 5)
    with FleetBroker(tmp_path, ("m1", "web"), ("m2", "web")) as broker:
        asyncio.run(send(broker, "m2", [b"{}"] * 3))
        asyncio.run(send(broker, "m1", [b"{}"] * 40))
        assert asyncio.run(waiting(broker, "m1")) == 5
        assert asyncio.run(waiting(broker, "m2")) == 3


def test_what_waits_of_a_machine_has_an_end():
    assert 0 < streams._STREAMS[DECISIONS]["max_msgs_per_subject"] <= 100_000


def test_no_message_is_stored_that_no_collector_would_read(tmp_path):
    with FleetBroker(tmp_path, ("m1", "web")) as broker:
        asyncio.run(send(broker, "m1", [b"x" * (MOST_BYTES - 1000)]))
        with pytest.raises(LinkError):
            asyncio.run(send(broker, "m1", [b"x" * (MOST_BYTES + 1)]))
        assert asyncio.run(waiting(broker, "m1")) == 1
