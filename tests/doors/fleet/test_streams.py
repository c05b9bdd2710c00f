"""The streams of a fleet on a real broker: what one machine does to them, the others do not feel."""

import asyncio

import pytest
from fleet_broker import FleetBroker, needs_broker
from fleet_workshop import Publishing

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet import streams
from fairlead.doors.fleet.collecting.intake import MOST_BYTES
from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.subjects import (
    ASKS,
    BUNDLE_BUCKET,
    DECISIONS,
    POLICY_BUCKET,
    PREFIXES,
    stream_of,
    subject_of,
)
from fairlead.errors import FairleadError
from kit import Machine

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


async def as_admin(broker: FleetBroker, work):
    client = await connect(broker.as_who("admin"), patience=30)
    try:
        return await work(client.jetstream())
    finally:
        await client.close()


def bounds(broker: FleetBroker, name: str) -> tuple[int, float, int]:
    async def look(jetstream):
        config = (await jetstream.stream_info(name)).config
        return config.max_bytes, config.max_age or 0, config.max_msgs_per_subject

    return asyncio.run(as_admin(broker, look))


NAMES = (*PREFIXES, stream_of(POLICY_BUCKET), stream_of(BUNDLE_BUCKET))


def test_every_stream_and_bucket_ends_somewhere_and_together_within_the_room(tmp_path):
    with FleetBroker(tmp_path, ("m1", "web")) as broker:
        most = [bounds(broker, name)[0] for name in NAMES]
    assert all(each > 0 for each in most)
    assert sum(most) <= streams.ROOM


def test_streams_of_before_get_the_bounds_that_they_lack_and_keep_what_their_owner_chose(tmp_path):
    """One without any, and one whose owner gave it other ones; what lies in them stays."""

    async def loosen(jetstream):
        for name, config in ((DECISIONS, {"max_bytes": -1, "max_age": 5 * 86_400}), (ASKS, {"max_age": 600})):
            found = (await jetstream.stream_info(name)).config
            await jetstream.update_stream(found.evolve(**config))

    with FleetBroker(tmp_path, ("m1", "web")) as broker:
        asyncio.run(send(broker, "m1", [b"{}"] * 3))
        asyncio.run(as_admin(broker, loosen))
        done = asyncio.run(as_admin(broker, streams.ensure_streams))
        assert [(each.name, each.made, each.set) for each in done] == [(DECISIONS, False, ("max_bytes",))]
        assert bounds(broker, DECISIONS)[:2] == (int(streams.ROOM * 0.8), 5 * 86_400)
        assert bounds(broker, ASKS)[1] == 600
        assert asyncio.run(waiting(broker, "m1")) == 3
        assert asyncio.run(as_admin(broker, streams.ensure_streams)) == []


def test_a_stream_that_is_full_loses_its_oldest_and_takes_what_is_new(tmp_path):
    async def narrow(jetstream):
        found = (await jetstream.stream_info(DECISIONS)).config
        await jetstream.update_stream(found.evolve(max_bytes=100_000))

    with FleetBroker(tmp_path, ("m1", "web"), ("m2", "web")) as broker:
        asyncio.run(as_admin(broker, narrow))
        asyncio.run(send(broker, "m2", [b"x" * 1000] * 3))
        asyncio.run(send(broker, "m1", [b"x" * 1000] * 200))
        assert asyncio.run(waiting(broker, "m2")) == 0
        assert 50 < asyncio.run(waiting(broker, "m1")) < 200
        full = dict(asyncio.run(as_admin(broker, streams.nearly_full)))
        assert full.keys() == {DECISIONS} and 0.8 < full[DECISIONS] <= 1
        words = ["fleet", "broker-setup", broker.url, "--credentials", broker.credentials("admin")]
        assert b"FAIRLEAD_DECISIONS is full to" in Machine(tmp_path).fairlead(*words).stderr


def test_a_bucket_that_is_full_keeps_what_it_has_and_says_so(tmp_path):
    async def narrow(jetstream):
        found = (await jetstream.stream_info(stream_of(BUNDLE_BUCKET))).config
        await jetstream.update_stream(found.evolve(max_bytes=400_000))

    with FleetBroker(tmp_path, ("m1", "web")) as broker:
        publishing = Publishing(broker.url, broker.credentials("publisher"))
        publishing.publish(1)
        asyncio.run(as_admin(broker, narrow))
        with pytest.raises(FairleadError, match="maximum bytes"):
            publishing.publish(2, content=publishing.bundle(2, padding=600_000))
        assert publishing.pointer().release.version == 1


def test_a_broker_with_too_little_room_is_told_in_words(tmp_path):
    with FleetBroker(tmp_path / "broker", ("m1", "web")) as broker:
        words = ["fleet", "broker-setup", broker.url, "--credentials", broker.credentials("admin")]

        async def forget(jetstream):
            await jetstream.delete_stream(ASKS)

        asyncio.run(as_admin(broker, forget))
        machine = Machine(tmp_path)
        done = machine.fairlead(*words, "--room", "900000t")
        assert done.returncode == 1
        assert b"has not got 900000t left" in done.stderr and b"--room" in done.stderr
        done = machine.fairlead(*words, "--room", "1g")
        assert (done.returncode, done.stdout) == (0, b"FAIRLEAD_ASKS\n")
