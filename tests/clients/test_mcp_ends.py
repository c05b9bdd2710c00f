"""A real client is killed in the middle of a call to a real server behind the door."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Thread

import pytest

from clients_kit import PATIENCE, REAL_AGENTS
from kit import Machine
from mcp_clients import FILES
from mcp_workplace import NEEDS_SERVERS, Note, Workplace, left_of

pytestmark = [*REAL_AGENTS, NEEDS_SERVERS, pytest.mark.proves("MCP door")]

SLOW = "trigger-long-running-operation"


@pytest.mark.parametrize("client", FILES)
def test_a_client_that_is_killed_leaves_neither_door_nor_server(
    client: str, machine: Machine, note: Note, tmp_path: Path
) -> None:
    place = Workplace(client, machine, ["everything"])
    sign = tmp_path / "kill"
    killer = Thread(target=when_called, args=(place, sign))
    killer.start()
    told = place.session(place.call("everything", SLOW, duration=600, steps=3), kill_at=sign)
    killer.join()
    assert told.results == [], "it was killed before the model heard of the call"
    assert [call["name"] for call in place.got("everything")] == [SLOW]
    assert (told.left, left_of(place.processes("everything"))) == (0, [])
    assert place.decisions(f"mcp__everything__{SLOW}") == ["continue"]
    note("client killed", model="-", server="the call, and its own end", journal="continue")


def when_called(place: Workplace, sign: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not place.got("everything"):
        time.sleep(0.1)
    sign.touch()
