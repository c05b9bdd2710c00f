"""What `fairlead doctor` makes of the calls that it sends through the MCP door."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from fairlead.doors.cli.checkup.finding import Level
from fairlead.doors.cli.checkup.mcp_servers import Passage, finding_of
from fairlead.doors.mcp.setup import canary_server

PASSED: dict[str, Any] = {"content": [{"type": "text", "text": "1"}]}
REFUSED: dict[str, Any] = {"isError": True, "content": [{"type": "text", "text": "Blocked by Fairlead: no"}]}


def test_a_door_that_holds_is_well() -> None:
    assert finding_of(Passage(PASSED, REFUSED, "2")).level is Level.OK


@pytest.mark.parametrize(
    ("passage", "words"),
    [
        (Passage(PASSED, PASSED, "3"), "a forbidden MCP call went through"),
        (Passage(PASSED, REFUSED, "3"), "a forbidden MCP call went through"),
        (Passage(PASSED, PASSED, "2"), "a forbidden MCP call went through"),
        (Passage(REFUSED, REFUSED, "2"), "a harmless MCP call was refused"),
        (Passage({}, {}, ""), "a forbidden MCP call went through"),
    ],
)
def test_a_door_that_lets_too_much_or_too_little_through_is_bad(passage: Passage, words: str) -> None:
    found = finding_of(passage)
    assert found.level is Level.BAD
    assert found.what.startswith(words)


def test_a_refusal_in_words_of_somebody_else_is_told() -> None:
    theirs = {**REFUSED, "content": [{"type": "text", "text": "no"}]}
    assert finding_of(Passage(PASSED, theirs, "2")).level is Level.NOTE


def test_the_canary_speaks_the_version_that_it_is_asked_for_and_counts_its_calls(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "run"}},
        {"id": 4, "method": "tools/call", "params": {"name": "run"}},
        {"id": 5, "method": "ping"},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in asked)
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    canary_server.main()
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["id"] for each in said] == [1, 2, 3, 4, 5]
    assert said[0]["result"]["protocolVersion"] == "2025-06-18"
    assert [tool["name"] for tool in said[1]["result"]["tools"]] == [canary_server.TOOL]
    assert [each["result"]["content"][0]["text"] for each in said[2:4]] == ["1", "2"]
    assert said[4]["result"] == {}
