"""Law 4 for the steps of an agent: a stop stays, and nobody runs after it who could object to it."""

from __future__ import annotations

from typing import Any

import pytest

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.state import AgentState
from fairlead.model.answer import Block
from fairlead.model.tool_call import ToolCall
from fairlead.testing import ScriptedModel

LS = ToolCall("bash", {"command": "ls"}, id="1")
POINTS = ["before_step", "before_model", "after_model", "after_step"]


def bash(command: str) -> str:
    return f"ran {command}"


def builder(*replies: Any) -> AgentBuilder:
    return AgentBuilder(ScriptedModel(*replies)).tools(bash)


@pytest.mark.parametrize("point", POINTS)
def test_law_4_a_block_is_the_last_word_of_its_phase(point: str) -> None:
    seen: list[str] = []
    agent = builder(LS, "never")
    register = getattr(agent, f"on_{point}")
    order = (0, 1) if point.startswith("before") else (1, 0)
    register(lambda *given: seen.append("blocks") or Block("no"), priority=order[1])
    register(lambda *given: seen.append("anew") or AgentState(), priority=order[0])
    state = agent.build().run("go")
    assert (state.stop, seen) == ("no", ["blocks"])


@pytest.mark.parametrize("stopping", ["before_step", "before_model"])
def test_law_4_after_a_block_before_the_model_nothing_else_of_the_step_runs(stopping: str) -> None:
    seen: list[str] = []
    agent = builder(LS, "never")
    getattr(agent, f"on_{stopping}")(lambda *given: Block("no"))
    for point in POINTS[POINTS.index(stopping) + 1 :]:
        getattr(agent, f"on_{point}")(lambda *given, point=point: seen.append(point))
    agent.on_should_continue(lambda state: seen.append("vote"))
    state = agent.build().run("go")
    assert (state.stop, seen, state.steps) == ("no", [], 0)


def test_law_4_a_hook_that_ends_the_step_cannot_take_a_stop_back() -> None:
    agent = builder(LS, "never").on_after_model(lambda reply, state: Block("withheld"))
    state = agent.on_after_step(lambda state: state.replace(stop="")).build().run("go")
    assert (state.stop, state.executions) == ("withheld", ())


def test_a_state_that_says_stop_ends_its_phase_too() -> None:
    seen: list[str] = []
    agent = builder("never").on_before_step(lambda state: state.stopped("mine"), priority=1)
    assert agent.on_before_step(lambda state: seen.append("later")).build().run("go").stop == "mine"
    assert seen == []


def test_law_2_a_hook_that_breaks_is_the_last_of_its_phase() -> None:
    seen: list[str] = []
    agent = builder("never").on_before_step(lambda state: 1 / 0, priority=1, name="odd")
    stop = agent.on_before_step(lambda state: seen.append("later")).build().run("go").stop
    assert (stop, seen) == ("the hook 'odd' could not answer: ZeroDivisionError: division by zero", [])


def test_the_first_vote_against_is_the_last_vote() -> None:
    seen: list[str] = []
    agent = builder(LS, "never").on_should_continue(lambda state: False, name="no")
    stop = agent.on_should_continue(lambda state: seen.append("later")).build().run("go").stop
    assert (stop, seen) == ("no voted to stop", [])
