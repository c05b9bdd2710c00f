"""One call of an agent that reads two settings files: asked twice, answered alike, counted once."""

from __future__ import annotations

import json

import pytest

from fairlead.doors.hook.call import HookCall, answer
from fairlead.doors.hook.systems import Systems
from fairlead.policy.places import find_places
from kit import Machine


@pytest.fixture
def systems(machine: Machine) -> Systems:
    return Systems(find_places(str(machine.home)))


def ask(systems: Systems, payload: dict[str, object], request: str) -> tuple[int, bytes]:
    call = HookCall("claude", json.dumps(payload).encode(), "PreToolUse", cwd="/", request=request)
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
