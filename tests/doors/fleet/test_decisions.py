"""Decisions on their way from machines to the database, while everything on that way is killed."""

import asyncio
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fleet_broker import FleetBroker, needs_broker
from fleet_decisions import Fleet, until

from fairlead.doors.fleet.collecting.collector import Collector
from fairlead.doors.fleet.collecting.database import open_database
from fairlead.doors.fleet.collecting.store import Store
from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.subjects import DECISIONS, HEARTBEATS, subject_of
from fairlead.journal.ids import new_id
from fleet_messages import heartbeat, line, sent
from postgresql_kit import PostgresqlServer

pytestmark = [pytest.mark.slow, needs_broker]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:{tmp_path}/fleet.sqlite3"
        return
    server = PostgresqlServer()
    server.start()
    yield server.make_database()
    server.stop()


def test_kills_lose_nothing_and_double_nothing(tmp_path: Path, database: str) -> None:
    chance = random.Random(7)
    fleet = Fleet(tmp_path, database, machines=4)
    try:
        fleet.start()
        for _ in range(12):
            fleet.write(40)
            fleet.kill_something(chance)
        until(lambda: fleet.arrived() >= fleet.written)
        assert fleet.arrived() == fleet.written
        assert fleet.rows("SELECT sum(calls) FROM hours")[0][0] == fleet.written
        for nothing in ("gaps", "forks", "incidents"):
            assert fleet.rows(f"SELECT count(*) FROM {nothing}")[0][0] == 0, nothing
        states = [
            json.loads(path.read_text()) for path in tmp_path.glob("home*/state/fleet/spool/forward-*.json")
        ]
        assert [state["alarms"] for state in states] == [0] * 4
    finally:
        fleet.stop()


def _body(machine: str, seq: int) -> bytes:
    """Of a moment ago: what is old is not kept."""
    return json.dumps(sent({**line(seq), "id": new_id(time.time())}, machine)).encode()


async def _publish(broker: FleetBroker, machine: str, subject: str, body: bytes) -> str:
    """What became of it."""
    link = Link(broker.as_who(machine), machine)
    keeping = asyncio.ensure_future(link.keep())
    try:
        await link.publish(subject, body, seconds=20)
    except LinkError as error:
        return error.message
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    return ""


async def _collected(broker: FleetBroker, store: Store, rows: int) -> None:
    """With the rights that a collector has, and no more."""
    collector = Collector(broker.as_who("collector"), store)
    working = asyncio.ensure_future(collector.run())
    async with asyncio.timeout(120):
        while True:
            with store.database.reading() as statements:
                found = statements.run("SELECT count(*) FROM decisions")[0][0]
                told = statements.run("SELECT count(*) FROM incidents")[0][0]
                beats = statements.run("SELECT count(*) FROM machines WHERE beat_at > 0")[0][0]
            if found + told + beats >= rows:
                break
            await asyncio.sleep(0.05)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


def test_a_forged_machine_is_refused_by_the_broker_and_by_the_centre(tmp_path: Path) -> None:
    store = Store(open_database(f"sqlite:{tmp_path}/fleet.sqlite3"))
    mine, other = subject_of(DECISIONS, "m-1"), subject_of(DECISIONS, "m-2")
    honest, forged = _body("m-1", 1), _body("m-2", 2)
    with FleetBroker(tmp_path / "broker", ("m-1", "web"), ("m-2", "web")) as broker:
        refused = asyncio.run(_publish(broker, "m-1", other, forged))
        assert "does not let this machine publish to fairlead.decisions.m-2" in refused
        refused = asyncio.run(_publish(broker, "m-1", subject_of(HEARTBEATS, "m-2"), heartbeat("m-2")))
        assert "does not let this machine" in refused
        assert asyncio.run(_publish(broker, "m-1", mine, honest)) == ""
        assert asyncio.run(_publish(broker, "m-1", mine, forged)) == ""
        assert asyncio.run(_publish(broker, "m-1", subject_of(HEARTBEATS, "m-1"), heartbeat("m-1"))) == ""
        asyncio.run(_collected(broker, store, 3))
    with store.database.reading() as statements:
        assert statements.run("SELECT machine, seq FROM decisions") == [("m-1", 1)]
        assert statements.run("SELECT machine, kind FROM incidents") == [("m-1", "forged")]
        assert statements.run("SELECT machine FROM machines WHERE beat_at > 0") == [("m-1",)]


def test_what_the_database_did_not_take_stays_with_the_broker(tmp_path: Path) -> None:
    server = PostgresqlServer()
    server.start()
    try:
        fleet = Fleet(tmp_path, server.make_database(), machines=1, agents=1, collectors=1)
        try:
            fleet.start()
            fleet.write(20)
            until(lambda: fleet.arrived() == 20)
            server.kill()
            fleet.write(20)
            server.start()
            until(lambda: fleet.arrived() == 40)
        finally:
            fleet.stop()
    finally:
        server.stop()
