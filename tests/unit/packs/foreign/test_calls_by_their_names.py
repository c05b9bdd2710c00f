"""Calls of servers of every kind, with arguments at any depth. In `calls_of_every_kind.txt`,
`calls_of_deeds.txt` and `calls_by_domain.txt`, those behind a plus stop; those behind a minus look alike
and pass."""

import json
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolKind
from tests.unit.packs.guard_kit import judge, tool_event

FILES = ("calls_of_every_kind.txt", "calls_of_deeds.txt", "calls_by_domain.txt")
LINES = [line for name in FILES for line in Path(__file__).with_name(name).read_text().splitlines()]


def calls(sign: str) -> pytest.MarkDecorator:
    chosen = [line[2:].partition(" ") for line in LINES if line.startswith(f"{sign} ")]
    assert chosen
    return pytest.mark.parametrize(("tool", "given"), [(tool, given) for tool, _, given in chosen])


def decision(tool: str, given: str) -> Decision:
    event = tool_event(ToolKind.MCP, name=tool)
    assert event.tool is not None
    return judge(event.replace(tool=event.tool.replace(input=json.loads(given)))).decision


@calls("+")
def test_a_call_that_does_harm_is_stopped(tool: str, given: str) -> None:
    assert decision(tool, given).objects


@calls("-")
def test_a_call_that_looks_alike_passes(tool: str, given: str) -> None:
    assert not decision(tool, given).objects
