"""A policy and a real server, with the door between: refused, rewritten, redacted, slow, asked."""

import json
from pathlib import Path

import pytest

from kit import Machine
from mcp_door import Door

pytestmark = pytest.mark.slow
TOKEN = "ghp_" + "9mK2xQ7vR4tY8wB3nC6z" + "D1fH5jL0pS2aVe8w"

POLICY = """
id: mine
event: BeforeTool
middleware:
  - id: slow
    type: authorization
    path: slow.py
    matcher: mcp__small__echo
    timeout: 60
"""
HOOK = """
import os, time
from fairlead.middleware_base import rewrite

def process(input_data, config, results):
    given = input_data["tool_input"]
    while "file" in given and not os.path.exists(given["file"]):
        time.sleep(0.01)
    return rewrite({**given, "added": 1})
"""


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def door_of(machine):
    return Door(machine.home, cwd=machine.project)


def test_a_dangerous_call_is_refused_and_recorded_and_the_session_goes_on(machine):
    with door_of(machine) as door:
        door.open()
        refused = door.ask("tools/call", name="exit", arguments={"code": 3, "command": "rm -rf /"})
        assert refused["result"]["isError"] is True
        assert "Blocked by Fairlead" in refused["result"]["content"][0]["text"]
        assert json.loads(door.call("echo", a=1)) == {"a": 1}
        assert door.close() == 7
    calls = [line for line in machine.journal() if line["event"] == "BeforeTool"]
    assert [line["verdict"]["decision"] for line in calls] == ["block", "continue"]
    assert calls[0]["facts"]["tool"]["name"] == "mcp__small__exit"


def test_a_key_in_a_result_does_not_reach_the_model(machine):
    with door_of(machine) as door:
        said = door.call("join", parts=list(TOKEN))
    assert TOKEN not in said
    assert "redacted" in said


def test_a_hook_rewrites_arguments(machine):
    folder = machine.user_policy(POLICY)
    (Path(folder) / "slow.py").write_text(HOOK)
    with door_of(machine) as door:
        assert json.loads(door.call("echo", a=1)) == {"a": 1, "added": 1}


def test_a_hook_that_waits_holds_up_nothing_else(machine, tmp_path):
    folder = machine.user_policy(POLICY)
    (Path(folder) / "slow.py").write_text(HOOK)
    awaited = tmp_path / "awaited"
    with door_of(machine) as door:
        door.ask("tools/list")
        params = {"name": "echo", "arguments": {"file": str(awaited)}}
        door.send(id="slow", method="tools/call", params=params)
        assert door.ask("ping")["result"] == {}
        assert door.ask("tools/call", name="group", arguments={})["result"]["content"]
        awaited.touch()
        answer = door.read()
        assert answer["id"] == "slow"
        assert json.loads(answer["result"]["content"][0]["text"])["added"] == 1


@pytest.mark.parametrize("name", ["echo\0", "echo\0x", "ECHO", " echo", "echo\u200b", "\uff45cho"])
def test_a_name_that_a_server_might_take_for_one_of_its_tools_is_none_of_them(machine, name):
    with door_of(machine) as door:
        door.open()
        assert json.loads(door.call("echo", a=1)) == {"a": 1}
        assert "Blocked by Fairlead" in door.call(name, a=1)
