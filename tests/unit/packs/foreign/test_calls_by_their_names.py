"""Calls of tools that nobody listed are judged by the verbs and things in their names, and by what they say."""
have those that stop behind a plus, and those that look alike and pass behind a minus."""

import json
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolKind
from tests.unit.packs.guard_kit import judge, tool_event

FILES = ("calls_of_every_kind.txt", "calls_of_deeds.txt")
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
