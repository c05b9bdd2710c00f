"""One call of an agent that reads two settings files: asked twice, answered alike, counted once."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall
from fairlead.policy.places import find_places
from kit import Machine


@pytest.fixture(params=["one process", "a process for each call"])
def systems(machine: Machine, request: pytest.FixtureRequest) -> Systems:
    return Systems(find_places(str(machine.home)), lasting=request.param == "one process")


def ask(
    systems: Systems, payload: dict[str, object], request: str, *, door: str = "claude"
) -> tuple[int, bytes]:
    call = HookCall(door, json.dumps(payload).encode(), "PreToolUse", cwd="/", request=request)
    reply = answer(call, systems).reply
    return reply.exit_code, reply.stdout


def test_the_same_call_seen_twice_is_answered_alike_and_journalled_once(
    machine: Machine, systems: Systems
) -> None:
    call = machine.bash("rm -rf /")
    assert ask(systems, call, "a" * 32) == ask(systems, call, "b" * 32)
    assert [line["request"] for line in machine.journal()] == ["a" * 32]


def test_another_input_id_or_subagent_is_another_call(machine: Machine, systems: Systems) -> None:
    calls = [
        machine.bash("ls"),
        machine.bash("ls -l"),
        machine.bash("ls", tool_use_id="t2"),
        machine.bash("ls", agent_id="sub"),
    ]
    for number, call in enumerate(calls):
        ask(systems, call, f"{number}" * 32)
    assert len(machine.journal()) == len(calls)


def test_calls_without_an_id_are_never_taken_for_one(machine: Machine, systems: Systems) -> None:
    call = machine.bash("ls", tool_use_id="")
    ask(systems, call, "a" * 32)
    ask(systems, call, "b" * 32)
    assert len(machine.journal()) == 2


AT = {"number": 1794783529405, "date": "2026-11-15T22:58:49.405Z"}


def of_copilot(machine: Machine, command: str, *, at: int = AT["number"]) -> dict[str, object]:
    """As Copilot speaks to a hook in its own settings."""
    call = {"toolName": "bash", "toolArgs": {"command": command}}
    return {"sessionId": "s1", "timestamp": at, "cwd": str(machine.project), **call}


def of_copilot_as_claude(machine: Machine, command: str) -> dict[str, object]:
    """As Copilot speaks of the same call to a hook in the settings of VS Code or Claude Code."""
    fields: Mapping[str, object] = machine.bash(command, timestamp=AT["date"])
    return {name: value for name, value in fields.items() if name not in ("tool_use_id", "transcript_path")}


def ask_copilot(systems: Systems, payload: dict[str, object], request: str, *, door: str) -> int:
    environment = {"COPILOT_CLI": "1"}
    raw = json.dumps(payload).encode()
    event = "preToolUse" if door == "copilot" else "PreToolUse"
    return answer(HookCall(door, raw, event, "/", environment, request), systems).reply.exit_code


def test_copilot_with_the_settings_of_vs_code_asks_twice_about_one_call(
    machine: Machine, systems: Systems
) -> None:
    own, other = of_copilot(machine, "rm -rf /"), of_copilot_as_claude(machine, "rm -rf /")
    first = ask_copilot(systems, own, "a" * 32, door="copilot")
    assert first == ask_copilot(systems, other, "b" * 32, door="vscode") == 2
    assert [line["request"] for line in machine.journal()] == ["a" * 32]


def test_without_an_id_the_same_moment_through_the_same_door_is_a_second_call(
    machine: Machine, systems: Systems
) -> None:
    for request in ("a", "b"):
        ask_copilot(systems, of_copilot(machine, "ls"), request * 32, door="copilot")
    ask_copilot(systems, of_copilot(machine, "ls", at=AT["number"] + 1), "c" * 32, door="vscode")
    assert len(machine.journal()) == 3


def test_a_grant_for_one_call_holds_for_both_answers_and_for_no_other_call(
    machine: Machine, systems: Systems
) -> None:
    systems.grants.give("filesystem/recursive-delete-outside-project", once=True, now=0.0)
    call, next_call = machine.bash("rm -rf /srv/x"), machine.bash("rm -rf /srv/x", tool_use_id="t2")
    assert [ask(systems, call, request * 32)[0] for request in "ab"] == [0, 0]
    assert ask(systems, next_call, "c" * 32)[0] == 2


@pytest.mark.slow
def test_processes_that_answer_at_the_same_time_count_the_call_once(machine: Machine) -> None:
    words = [
        sys.executable,
        "-I",
        "-m",
        "fairlead",
        "--home",
        str(machine.home),
        "hook",
        "claude",
        "PreToolUse",
    ]
    payload = json.dumps(machine.bash("rm -rf /")).encode()
    started = [
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write(payload)
        process.stdin.close()
    assert [process.wait(60) for process in started] == [2, 2, 2, 2]
    for process in started:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stderr.close()
    assert [line["attempts"] for line in machine.journal()] == [4]


def test_a_daemon_knows_what_was_answered_just_before_it_came(machine: Machine) -> None:
    places, call = find_places(str(machine.home)), machine.bash("ls")
    ask(Systems(places), call, "a" * 32)
    ask(Systems(places, lasting=True), call, "b" * 32)
    assert [line["request"] for line in machine.journal()] == ["a" * 32]


def test_what_is_remembered_on_disk_is_bounded_and_private(machine: Machine) -> None:
    systems = Systems(find_places(str(machine.home)))
    for number in range(300):
        event = Event(EventName.BEFORE_TOOL, "PreToolUse", "claude", tool=ToolCall("Bash", id=f"t{number}"))
        assert systems.request_of(event, door="claude", request=f"{number:032}") == f"{number:032}"
    kept = machine.home / "state" / "recent-calls.json"
    assert len(json.loads(kept.read_text())) == 256
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["", "{", "[]", '{"k": 1}', '{"k": ["r", "x", []]}'])
def test_rubbish_in_the_file_loses_no_answer(machine: Machine, content: str) -> None:
    (machine.home / "state").mkdir(parents=True)
    (machine.home / "state" / "recent-calls.json").write_text(content)
    assert ask(Systems(find_places(str(machine.home))), machine.bash("rm -rf /"), "a" * 32)[0] == 2


def test_a_file_that_somebody_holds_or_that_cannot_be_written_loses_no_answer(machine: Machine) -> None:
    state: Path = machine.home / "state"
    state.mkdir(parents=True)
    systems = Systems(find_places(str(machine.home)))
    with open(state / "recent-calls.json.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert ask(systems, machine.bash("rm -rf /"), "a" * 32)[0] == 2
    (state / "recent-calls.json.new").mkdir()
    assert ask(systems, machine.bash("rm -rf /"), "b" * 32)[0] == 2
