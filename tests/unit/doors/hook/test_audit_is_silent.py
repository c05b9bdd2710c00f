"""Audit over every dialect: the agent gets the very bytes that it gets for a call nobody objects to."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import AGENTS
from fairlead.dialects.setup.sample_calls import shell_call
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.journal.reader import read_records
from fairlead.model.verdict import Reply
from fairlead.policy.places import Places, find_places

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "home" / "config" / "hooks").mkdir(parents=True)
    return find_places(str(tmp_path / "home"))


def mode(places: Places, text: str) -> None:
    Path(places.config, "hooks", "mode.yaml").write_text(text)


def reply(places: Places, agent: str, payload: object, native_event: str) -> Reply:
    systems = Systems(places)
    call = HookCall(agent, json.dumps(payload).encode(), native_event, request=os.urandom(16).hex())
    told = answer(call, systems).reply
    systems.close()
    return told


def last_line(places: Places) -> Mapping[str, object]:
    return list(read_records(os.path.join(places.state, "journal")))[-1]


@pytest.mark.parametrize("command", ["git push --force origin main", "npm publish"])
@pytest.mark.parametrize("agent", AGENTS)
def test_no_byte_tells_an_agent_what_audit_kept_back(
    places: Places, tmp_path: Path, agent: str, command: str
) -> None:
    event, payload = shell_call(agent, command, cwd=str(tmp_path / "project"), session="s")
    _, harmless = shell_call(agent, "git status", cwd=str(tmp_path / "project"), session="s")
    neutral = reply(places, agent, harmless, event)
    mode(places, "mode: audit\n")
    told = reply(places, agent, payload, event)
    assert (told.exit_code, told.stdout, told.stderr) == (neutral.exit_code, neutral.stdout, neutral.stderr)
    verdict = last_line(places)["verdict"]
    assert isinstance(verdict, dict) and verdict["would"]["decision"] in ("ask", "block")


RESULT = {
    "hook_event_name": "PostToolUse",
    "session_id": "s",
    "tool_name": "Bash",
    "tool_use_id": "t1",
    "tool_input": {"command": "cat notes"},
    "tool_response": {"stdout": f"key {KEY}", "stderr": ""},
}


def test_in_audit_a_result_stays_as_it_was_and_the_journal_tells_what_would_be_taken_out(
    places: Places, tmp_path: Path
) -> None:
    result = {**RESULT, "cwd": str(tmp_path / "project")}
    assert b"key" in reply(places, "claude", result, "PostToolUse").stdout
    mode(places, "mode: audit\n")
    told = reply(places, "claude", result, "PostToolUse")
    assert (told.exit_code, told.stdout, told.stderr) == (0, b"", b"")
    line = last_line(places)
    assert '"rule": "results/secret-removed"' in json.dumps(line["outcomes"]) and KEY not in json.dumps(line)


def test_keys_can_be_taken_out_of_results_while_all_else_is_watched(places: Places, tmp_path: Path) -> None:
    mode(places, "mode: audit\nenforce: [remove-secrets-from-results]\n")
    told = reply(places, "claude", {**RESULT, "cwd": str(tmp_path / "project")}, "PostToolUse")
    assert b"updatedToolOutput" in told.stdout and KEY.encode() not in told.stdout
