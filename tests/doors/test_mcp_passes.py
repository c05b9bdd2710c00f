"""A call of an MCP tool that an installed hook judged, warm or cold, and the door that it comes to."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from installation import Installation

from fairlead.doors.hook.door_passes import DoorFolder, Passed

pytestmark = pytest.mark.slow


def asked(installation: Installation, **given: object) -> Passed | None:
    """What the door of this process finds after a hook call below it."""
    door = DoorFolder(installation.places, "fs", client=os.getpid())
    try:
        call = {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "cwd": str(installation.folder),
            "tool_name": "mcp__fs__run",
            "tool_use_id": "toolu_9",
            "tool_input": given,
        }
        installation.call(json.dumps(call).encode())
        return door.take("run", given)
    finally:
        door.close()


@pytest.mark.parametrize("warm", [True, False], ids=["warm", "cold"])
def test_the_door_of_the_same_client_finds_what_the_hook_said(installation: Installation, warm: bool) -> None:
    if warm:
        installation.warm_up()
    passed = asked(installation, command="ls")
    assert passed is not None
    assert not passed.decision.objects and passed.call == "toolu_9"
    refused = asked(installation, command="rm -rf /")
    assert refused is not None
    assert refused.decision.stops and "recursive-delete" in refused.text


def test_the_door_of_another_client_finds_nothing(installation: Installation) -> None:
    installation.warm_up()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        other = DoorFolder(installation.places, "fs", client=stranger.pid)
        assert asked(installation, command="ls") is not None
        assert other.take("run", {"command": "ls"}) is None
        other.close()
        assert stranger.stdin is not None
        stranger.stdin.close()
