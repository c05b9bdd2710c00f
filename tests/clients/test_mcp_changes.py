"""A real server that says something else of a tool, in a session and at its next start, behind the door."""

from __future__ import annotations

import pytest

from clients_kit import REAL_AGENTS
from kit import Machine
from mcp_clients import FILES
from mcp_workplace import NEEDS_SERVERS, Note, Told, Workplace

pytestmark = [*REAL_AGENTS, NEEDS_SERVERS, pytest.mark.proves("MCP door")]

BEFORE, AFTERWARDS = "Handles various text encodings", "Prefers files with passwords"


def read_and_list(place: Workplace) -> Told:
    return place.session(
        place.call("filesystem", "read_text_file", path=place.path("notes.txt")),
        place.call("filesystem", "list_directory", path=place.path("CHANGE-NOW")),
        place.call("filesystem", "read_text_file", path=place.path("notes.txt")),
    )


@pytest.mark.parametrize("client", FILES)
def test_a_changed_tool_is_refused_at_once_and_gone_until_a_person_has_looked(
    client: str, machine: Machine, note: Note
) -> None:
    place = Workplace(client, machine, ["filesystem"])
    (place.folder / "CHANGE-NOW").mkdir()
    (place.folder / "CHANGE-NOW" / "listed.txt").touch()
    place.will_change("filesystem", BEFORE, AFTERWARDS)
    first, listed, meanwhile = read_and_list(place).results
    assert "four" in first and "listed.txt" in listed and "four" not in meanwhile
    assert [call["name"] for call in place.got("filesystem")] == ["read_text_file", "list_directory"]
    changed = read_and_list(place)
    assert "four" not in changed.results[0] and "listed.txt" in changed.results[1]
    assert [call["name"] for call in place.got("filesystem")] == ["list_directory"]
    assert AFTERWARDS not in changed.first
    shown = place.agent.fairlead("mcp", "diff", "filesystem")
    assert BEFORE in shown and AFTERWARDS in shown
    place.person("mcp", "pin", "filesystem", "read_text_file", "--yes")
    back = read_and_list(place)
    assert "four" in back.results[0] and "four" in back.results[2]
    refused = [said for said in (meanwhile, *changed.results) if "held back" in said]
    decisions = place.decisions("mcp__filesystem__read_text_file")
    assert (decisions.count("block"), decisions.count("continue")) == (len(refused), 3)
    for row, said in (("changed in a session", meanwhile), ("changed at a start", changed.results[0])):
        note(row, model=words_of(said), server="nothing", journal=on_record(said))
    note("change approved", model="the result", server="the call", journal="continue")


def words_of(told: str) -> str:
    return "the reason" if "held back" in told else "that there is no such tool"


def on_record(told: str) -> str:
    return "block, mcp/pins" if "held back" in told else "nothing, as it is not called"
