"""Law 4 for any hooks of an agent: once something is blocked, nobody takes it back or looks at it again."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.run import DONE
from fairlead.doors.library.state import AgentState
from fairlead.model.answer import Approve, Ask, Block, Execution, Halt
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall, ToolResult
from fairlead.testing import ScriptedModel

CALL = ToolCall("bash", {"command": "ls"}, id="1")
STEP_POINTS = ("before_step", "before_model", "after_model", "after_step")
TOOL_POINTS = ("before_tool_use", "after_tool_use", "around_tool_use")

unhurried = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=150)

said = st.sampled_from(
    ["nothing", "block", "halt", "raise", "rubbish", "state", "subject", "fresh state", "approve"]
)
hooks = st.lists(
    st.tuples(st.sampled_from((*STEP_POINTS, *TOOL_POINTS)), said, st.integers(-2, 2)), max_size=9
)
STOPS = ("block", "halt", "raise", "rubbish")


def stops(entry: tuple[str, int, str]) -> bool:
    """Around a call anything is a result, so there is no rubbish."""
    return entry[2] in STOPS and entry[0::2] != ("around_tool_use", "rubbish")


class Diary:
    """Who ran, in order: (point, number, what it said, what it was shown)."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, int, str]] = []

    def hook(self, number: int, point: str, word: str) -> Any:
        def run(*given: Any) -> Any:
            self.entries.append((point, number, word))
            return _answer(word, number, given)

        async def awaited(*given: Any) -> Any:
            await asyncio.sleep(0)
            return run(*given)

        if point == "around_tool_use":
            return lambda call, state, next: run(next(call, state), call, state)
        return awaited if number % 3 == 0 else run


def _answer(word: str, number: int, given: tuple[Any, ...]) -> Any:
    state = given[-1]
    if word == "raise":
        raise RuntimeError(f"stop {number}")
    return {
        "nothing": None,
        "block": Block(f"stop {number}"),
        "halt": Halt(f"stop {number}"),
        "rubbish": ["rubbish", number],
        "state": state.with_metadata(str(number), True),
        "subject": given[0],
        "fresh state": AgentState(state.messages, executions=state.executions),
        "approve": Approve("fine") if isinstance(given[0], (ToolCall, Execution)) else None,
    }[word]


def built(described: list[tuple[str, str, int]], diary: Diary) -> Any:
    agent = AgentBuilder(ScriptedModel(CALL, "all done"))
    agent.tools(_bash)
    for number, (point, word, priority) in enumerate(described):
        function = diary.hook(number, point, word)
        getattr(agent, f"on_{point}")(function, priority=priority, name=f"h{number}")
    return agent.build()


def _bash(command: str) -> str:
    return f"ran {command}"


_bash.__name__ = "bash"


@unhurried
@given(hooks)
def test_law_4_once_a_step_is_stopped_it_stays_stopped(described: list[tuple[str, str, int]]) -> None:
    diary = Diary()
    state = built(described, diary).run("go")
    stopping = [entry for entry in diary.entries if entry[0] in STEP_POINTS and stops(entry)]
    if not stopping:
        return
    halted = any(each.decision is Decision.HALT for each in state.executions)
    _, first, _ = stopping[0]
    assert halted or f"stop {first}" in state.stop or f"'h{first}' could not answer" in state.stop
    for point, number, word in stopping:
        after = diary.entries[diary.entries.index((point, number, word)) + 1 :]
        assert all(entry[0] == "after_step" and entry[0] != point for entry in after)


@unhurried
@given(hooks)
def test_law_4_once_a_tool_call_is_refused_it_stays_refused(described: list[tuple[str, str, int]]) -> None:
    diary = Diary()
    state = built(described, diary).run("go")
    refusals = [entry for entry in diary.entries if entry[0] in TOOL_POINTS and stops(entry)]
    if not refusals:
        return
    (execution,) = state.executions
    assert execution.blocked
    assert not execution.ok
    assert execution.output is None
    point = refusals[0][0]
    after = diary.entries[diary.entries.index(refusals[0]) + 1 :]
    assert all(entry[0] not in ("before_tool_use", "after_tool_use") for entry in after)
    assert point == "around_tool_use" or all(entry[0] not in TOOL_POINTS for entry in after)
    if any(entry[2] == "halt" for entry in refusals):
        assert state.stop


@unhurried
@given(hooks)
def test_an_agent_that_nobody_stops_comes_to_its_end(described: list[tuple[str, str, int]]) -> None:
    harmless = [each for each in described if each[1] not in STOPS]
    state = built(harmless, Diary()).run("go")
    assert (state.stop, state.messages[-1].content) == (DONE, "all done")


@unhurried
@given(st.lists(st.sampled_from(["fine", "none", "block", "ask", "anew"]), max_size=6))
def test_law_4_a_withheld_result_is_never_seen(words: list[str]) -> None:
    agent = AgentBuilder(ScriptedModel(CALL, "all done")).tools(tool_saying("the secret"))
    for number, word in enumerate(words):
        answer = {
            "fine": ToolResult("fine"),
            "none": None,
            "block": Block("withheld"),
            "ask": Ask("withheld"),
            "anew": Execution(CALL, "anew"),
        }[word]
        agent.on_after_tool_use(lambda execution, answer=answer: answer, priority=-number)
    (message,) = (m for m in agent.build().run("go").messages if m.role == "tool")
    decided = [word for word in words if word in ("block", "ask")]
    assert (message.content == "withheld") is bool(decided)


def tool_saying(output: str) -> Any:
    def bash(command: str) -> str:
        return output

    return bash
