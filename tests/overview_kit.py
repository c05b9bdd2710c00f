"""Calls and states of the overview to test with."""

from __future__ import annotations

from typing import Any

from fairlead.doors.cli.top.frame import frame
from fairlead.doors.cli.top.pressing import Wish, pressed
from fairlead.doors.cli.top.state import State
from fairlead.model.decision import Decision
from fairlead.policy.answers.questions import Question
from fairlead.store.reader import Call

NOW = 1_790_000_000.0


def call(number: int, **more: Any) -> Call:
    """The call of so many seconds ago."""
    fields: dict[str, Any] = {
        "id": f"01CALL{10_000 - number:05}",
        "ts": NOW - number,
        "decision": Decision.CONTINUE,
        "agent": "claude",
        "event": "BeforeTool",
        "tool": "Bash",
        "rule": "",
        "hook": "",
        "session": "s1",
        "root": "/home/dev/acme",
        "subagent": "",
        "degraded": "",
        "failures": 0,
        "attempts": 1,
        "canary": False,
        "would": "",
        "would_rule": "",
        "milliseconds": 1.0,
        "summary": f"make {number}",
    }
    return Call(**{**fields, **more})


def blocked(number: int, **more: Any) -> Call:
    fields = {"decision": Decision.BLOCK, "rule": "git/force-push", "summary": "git push --force origin main"}
    return call(number, **{**fields, **more})


def question(code: str, **more: Any) -> Question:
    fields: dict[str, Any] = {
        "key": f"{code:0<64}",
        "agent": "codex",
        "summary": f"npm publish {code}",
        "reason": "It would publish a package.",
        "asked": NOW - 30,
    }
    return Question(**{**fields, **more})


def state_of(*calls: Call) -> State:
    """The oldest first, as they come in."""
    return State().with_calls(calls, NOW)


def typed(state: State, *keys: str) -> tuple[State, Wish]:
    wish = Wish.NOTHING
    for key in keys:
        state, wish = pressed(state, key)
    return state, wish


def screen(state: State, width: int, height: int = 12) -> list[str]:
    return [row.text.rstrip() for row in frame(state, width, height, NOW)]
