"""Each row of what an agent's module says about its calls, against the dialect and against recordings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fairlead.conformance import check_dialect
from fairlead.dialects.agent_registry import AGENTS, dialect_named, module_of
from fairlead.dialects.payloads.call_templates import filled, is_like, slots_of
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.payloads.sent_calls_check import JUDGED, flaws_in_calls
from fairlead.dialects.setup.sample_calls import calls_of, gate_of, shell_call
from tests.recordings import PAYLOADS, native_event

ROWS = [(agent, call) for agent in AGENTS for call in calls_of(agent)]


def recorded(agent: str) -> Mapping[str, list[bytes]]:
    """By the event that the payload itself names, where it does."""
    found: dict[str, list[bytes]] = {}
    for path in sorted(PAYLOADS.joinpath(agent).rglob("*.*")):
        raw = path.read_bytes()
        event = dialect_named(agent).decode(raw, native_event=native_event(path.stem), environment={})
        found.setdefault(event.native_name, []).append(raw)
    return found


@pytest.mark.parametrize(("agent", "call"), ROWS, ids=lambda part: getattr(part, "tools", part))
def test_what_a_call_carries_is_read(agent: str, call: SentCall) -> None:
    dialect = dialect_named(agent)
    assert list(flaws_in_calls(dialect, [call], gate=gate_of(dialect))) == []


@pytest.mark.parametrize("agent", AGENTS)
def test_every_tool_that_is_judged_says_what_its_fields_carry(agent: str) -> None:
    described = {name for call in calls_of(agent) for name in call.tools.split()}
    judged = {name for name, kind in module_of(agent).KINDS.items() if kind in JUDGED}
    assert judged - described == set()


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_says_how_the_tools_of_servers_are_named(agent: str) -> None:
    assert any({"name", "arguments"} <= slots_of(call) for call in calls_of(agent))


@pytest.mark.parametrize("agent", AGENTS)
def test_the_recordings_of_an_agent_pass_the_check_for_dialects(agent: str) -> None:
    check_dialect(dialect_named(agent), recorded(agent), calls_of(agent))


@pytest.mark.parametrize("agent", AGENTS)
def test_the_first_shell_call_is_the_one_that_doctor_makes(agent: str) -> None:
    event, payload = shell_call(agent, "echo <call>", cwd="/p", session="s")
    assert event in dialect_named(agent).events
    assert "echo <call>" in str(payload)


def test_a_slot_may_be_part_of_a_name_and_what_fills_it_is_not_filled_again() -> None:
    values = {"server": "a", "name": "<path>", "path": "/x", "arguments": {"n": 1}}
    assert filled(["<server>__<name>", "<arguments>", "<unknown>", 7], values) == [
        "a__<path>",
        {"n": 1},
        "<unknown>",
        7,
    ]


@pytest.mark.parametrize(
    ("tool", "given", "like"),
    [
        ("Edit", {"path": "a", "edits": [{"new": "b"}], "more": 1}, True),
        ("Edit", {"path": "a", "edits": []}, True),
        ("Edit", {"path": "a"}, False),
        ("Edit", {"path": "a", "edits": [{"old": "b"}]}, False),
        ("Edits", {"path": "a", "edits": []}, False),
        ("a_b_c", {"path": "a", "edits": []}, True),
        ("a-b", {"path": "a", "edits": []}, False),
    ],
)
def test_a_recorded_call_is_like_a_row_with_its_name_and_its_fields(
    tool: str, given: Mapping[str, object], like: bool
) -> None:
    row = SentCall("Edit <server>_<name>", {"path": "<path>", "edits": [{"new": "<content>"}]})
    assert is_like(row, tool, given) is like


def test_payloads_are_recorded_for_every_agent() -> None:
    assert {path.name for path in Path(PAYLOADS).iterdir()} == set(AGENTS)
