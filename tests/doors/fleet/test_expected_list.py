"""A real collector with a list of machines: what a machine says of its own group is held against it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fleet_broker import FleetBroker, needs_broker
from fleet_decisions import Process, until

from fairlead.doors.fleet.link import Link
from fairlead.doors.fleet.subjects import DECISIONS, HEARTBEATS, subject_of
from fleet_messages import heartbeat, line

pytestmark = [pytest.mark.slow, needs_broker]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[FleetBroker]:
    with FleetBroker(tmp_path / "broker", ("m1", "web"), ("m2", "web"), ("m3", "lab")) as made:
        yield made


def send(broker: FleetBroker, machine: str, *, says: str, seq: int = 1) -> None:
    """A decision and a heartbeat of this machine, which says that it is in that group."""
    decision = {"v": 1, "machine": machine, "group": says, "bundle": {"version": 7}, "line": line(seq)}

    async def sent() -> None:
        link = Link(broker.as_who(machine), machine)
        keeping = asyncio.ensure_future(link.keep())
        try:
            await link.publish(subject_of(DECISIONS, machine), json.dumps(decision).encode(), seconds=60)
            await link.publish(subject_of(HEARTBEATS, machine), heartbeat(machine, group=says), seconds=60)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(sent())


def rows(folder: Path, statement: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(folder / "fleet.sqlite3")
    try:
        return connection.execute(statement).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def test_who_names_another_group_counts_for_its_own_and_is_an_incident(
    broker: FleetBroker, tmp_path: Path
) -> None:
    listed = tmp_path / "machines.txt"
    listed.write_text("m1 web\nm2 web\n")
    words = [sys.executable, "-m", "fairlead", "--home", str(tmp_path / "home"), "fleet", "collect"]
    words += ["--source", broker.url, "--credentials", broker.credentials("collector")]
    words += ["--database", f"sqlite:{tmp_path}/fleet.sqlite3", "--expected", str(listed)]
    collector = Process(words, tmp_path / "collect.log")
    collector.start()
    try:
        for machine, says in (("m1", "web"), ("m2", "lab"), ("m3", "web")):
            send(broker, machine, says=says)
        until(lambda: len(rows(tmp_path, "SELECT 1 FROM machines WHERE beat_at > 0")) == 3)
        until(lambda: rows(tmp_path, "SELECT count(*) FROM decisions") == [(3,)])
        counted = rows(
            tmp_path, "SELECT fleet_group, bundle, sum(calls) FROM hours GROUP BY 1, 2 ORDER BY 1, 2"
        )
        assert counted == [("", 0, 1), ("web", 0, 1), ("web", 7, 1)]
        assert rows(tmp_path, "SELECT machine, kind, id FROM incidents") == [("m2", "group", "lab")]
        groups = rows(tmp_path, "SELECT machine, fleet_group, bundle_state FROM machines ORDER BY 1")
        assert groups == [("m1", "web", "current"), ("m2", "web", "none"), ("m3", "", "none")]

        listed.write_text("m1 web\nm2 web\nm3 lab\n")
        until(lambda: _seen_anew(broker, tmp_path))
    finally:
        collector.stop()


def _seen_anew(broker: FleetBroker, folder: Path) -> bool:
    """The list was read again: m3 is in its group, without a restart."""
    send(broker, "m3", says="lab", seq=2 + len(rows(folder, "SELECT 1 FROM decisions WHERE machine = 'm3'")))
    return bool(rows(folder, "SELECT 1 FROM machines WHERE machine = 'm3' AND fleet_group = 'lab'"))
