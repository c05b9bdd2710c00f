"""A file of the fleet folder that is gone reaches the centre at once, as a row of a heartbeat."""

import asyncio
import json

import pytest

from fairlead.doors.fleet.duties import Context
from fairlead.doors.fleet.standing import Standing
from fairlead.doors.fleet.telling import heartbeats
from fairlead.doors.fleet.telling.examination import Examination
from fairlead.policy.places import find_places

GONE = "seen.json is missing: what was in force stays in force"


class Link:
    def __init__(self) -> None:
        self.sent: list[dict] = []

    async def publish(self, subject: str, body: bytes) -> None:
        self.sent.append(json.loads(body))


@pytest.fixture
def context(tmp_path, monkeypatch):
    async def nothing(_) -> Examination:
        return Examination(rows=({"name": "claude", "state": "installed"},))

    monkeypatch.setattr(heartbeats, "examined", nothing)
    standing = Standing(str(tmp_path))
    standing.tell("bundle", {"version": 1, "state": "current", "troubles": []})
    places = find_places(str(tmp_path / "home"))
    return Context(places, machine="m1", group="web", link=Link(), standing=standing)


def test_a_lost_file_is_a_row_and_makes_a_heartbeat_due(context):
    telling = heartbeats.Telling(context)
    asyncio.run(telling.tell())
    later = telling._at + heartbeats._BETWEEN + 0.1
    assert not telling.is_due(later)
    context.standing.tell("bundle", {"troubles": [GONE]})
    assert telling.is_due(later)
    asyncio.run(telling.tell())
    names = [[row["state"] for row in sent["rows"]] for sent in context.link.sent]
    assert names == [["installed"], [GONE, "installed"]]
