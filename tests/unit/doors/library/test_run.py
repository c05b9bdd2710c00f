"""One run of an agent: tools in threads, a state that hooks can read and change, and what was built."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar
from typing import Any

import pytest

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.run import DONE
from fairlead.doors.library.state import AgentState, Limits, Message
from fairlead.doors.library.tools import Tool, ToolExecutor, tool
from fairlead.model.answer import Block, Execution, Halt, State
from fairlead.model.tool_call import ToolCall
from fairlead.testing import ScriptedModel

LS = ToolCall("bash", {"command": "ls"}, id="1")
TWO = [LS, ToolCall("bash", {"command": "pwd"}, id="2")]


def bash(command: str) -> str:
    return f"ran {command}"


def builder(*replies: Any) -> AgentBuilder:
    return AgentBuilder(ScriptedModel(*replies)).tools(bash)


def answers(state: AgentState) -> list[str]:
    return [message.content for message in state.messages if message.role == "tool"]


# threads


def test_plain_tools_of_one_step_run_at_once() -> None:
    meeting = threading.Barrier(2)

    def meet(command: str) -> str:
        meeting.wait(10)
        return command

    state = AgentBuilder(ScriptedModel(TWO, "done")).tools(tool(meet, name="bash")).build().run("go")
    assert answers(state) == ["ls", "pwd"]


@pytest.mark.parametrize(("fields", "here"), [({}, False), ({"threaded": False}, True)])
def test_a_plain_tool_has_a_thread_of_its_own_unless_it_says_no(fields: Any, here: bool) -> None:
    threads: list[threading.Thread] = []

    def note(command: str) -> None:
        threads.append(threading.current_thread())

    AgentBuilder(ScriptedModel(LS, "done")).tools(tool(note, name="bash", **fields)).build().run("go")
    assert (threads[0] is threading.main_thread()) is here


def test_a_tool_in_a_thread_sees_context_variables() -> None:
    user: ContextVar[str] = ContextVar("user", default="nobody")

    def who(command: str) -> str:
        return user.get()

    user.set("me")
    assert answers(AgentBuilder(ScriptedModel(LS, "x")).tools(tool(who, name="bash")).build().run("go")) == [
        "me"
    ]


@pytest.mark.parametrize("error", [KeyError("a"), StopIteration("a")])
def test_what_a_tool_raises_in_a_thread_is_told_to_the_model(error: Exception) -> None:
    def fails(command: str) -> None:
        raise error

    state = AgentBuilder(ScriptedModel(LS, "x")).tools(tool(fails, name="bash")).build().run("go")
    assert type(error).__name__ in answers(state)[0]


# the state


def test_executions_are_in_the_state_with_their_metadata() -> None:
    agent = builder(TWO, "done").on_after_tool_use(lambda execution: execution.with_metadata(logged_at=7))
    state = agent.build().run("go")
    assert [each.call.input["command"] for each in state.executions] == ["ls", "pwd"]
    assert [each.metadata["logged_at"] for each in state.executions] == [7, 7]


@pytest.mark.parametrize("parallel", [True, False])
def test_tool_hooks_change_the_state_for_what_follows(parallel: bool) -> None:
    seen: list[Any] = []

    def count(call: ToolCall, state: AgentState) -> AgentState:
        return state.with_metadata(str(call.input["command"]), "asked")

    def after(execution: Execution, call: ToolCall, state: AgentState) -> AgentState:
        assert state.metadata[str(call.input["command"])] == "asked"
        return state.with_metadata({f"{call.input['command']}-done": True})

    agent = (
        AgentBuilder(ScriptedModel(TWO, "done"))
        .tools(tool(bash, parallel=parallel))
        .on_before_tool_use(count)
        .on_after_tool_use(after)
        .on_before_step(lambda state: seen.append(sorted(state.metadata)))
    )
    state = agent.build().run("go")
    assert sorted(state.metadata) == ["ls", "ls-done", "pwd", "pwd-done"]
    assert seen == [[], ["ls", "ls-done", "pwd", "pwd-done"]]


def test_the_next_hook_of_a_call_sees_what_the_last_one_changed() -> None:
    seen: list[Any] = []
    agent = builder(LS, "done").on_before_tool_use(
        lambda call, state: state.with_metadata("a", 1), priority=1
    )
    agent.on_before_tool_use(lambda call, state: seen.append(dict(state.metadata))).build().run("go")
    assert seen == [{"a": 1}]


def test_law_2_what_is_no_state_of_an_agent_ends_it() -> None:
    class Other(State):
        user: str = "me"

    agent = builder(LS, "never").on_after_tool_use(lambda execution: Other()).build()
    assert agent.run("go").stop == "a hook on 'bash' left Other(user='me') where the state belongs"


def test_around_hooks_hand_a_changed_state_on() -> None:
    seen: list[Any] = []

    def plain(call: ToolCall, state: AgentState, next: Any) -> Any:
        return next(call, state.with_metadata("plain", 1))

    def yielding(call: ToolCall, state: AgentState) -> Any:
        yield call, state.with_metadata("generator", 2)
        return state.with_metadata({"generator": 2, "out": 3})

    async def awaiting(call: ToolCall, state: AgentState, next: Any) -> Any:
        seen.append(dict(state.metadata))
        return await next(call, state.with_metadata("async", 4))

    agent = builder(LS, "done")
    for layer in (plain, yielding, awaiting):
        agent.on_around_tool_use(layer)
    assert sorted(agent.build().run("go").metadata) == ["generator", "out", "plain"]
    assert seen == [{"plain": 1, "generator": 2}]


def test_a_tool_hook_stops_the_agent_through_the_state() -> None:
    agent = builder(LS, "never").on_after_tool_use(lambda execution, call, state: state.stopped("enough"))
    assert agent.build().run("go").stop == "enough"


def test_messages_that_a_tool_hook_adds_come_after_the_results() -> None:
    note = Message("user", "be careful")
    agent = builder(TWO, "done").on_before_tool_use(
        lambda call, state: state.with_messages(note) if call.id == "1" else None
    )
    roles = [message.role for message in agent.build().run("go").messages]
    assert roles == ["user", "assistant", "tool", "tool", "user", "assistant"]


def test_a_history_that_a_tool_hook_writes_anew_stays_so() -> None:
    short = (Message("user", "summary"), Message("assistant", "", (LS,)))
    agent = builder(LS, "done").on_before_tool_use(lambda call, state: state.replace(messages=short))
    state = agent.build().run("go")
    assert [message.content for message in state.messages] == ["summary", "", "ran ls", "done"]


def test_states_that_were_changed_side_by_side_are_joined() -> None:
    before = AgentState((Message("user", "go"),), metadata={"gone": 1, "kept": 2})
    first = before.with_messages(Message("user", "a")).replace(metadata={"kept": 2, "new": 3})
    second = before.with_messages(Message("user", "b")).replace(steps=7)
    joined = before.changed_as(before, first).changed_as(before, second)
    assert [message.content for message in joined.messages] == ["go", "a", "b"]
    assert (dict(joined.metadata), joined.steps) == ({"kept": 2, "new": 3}, 7)
    stopped = before.changed_as(before, before.stopped("first")).changed_as(before, before.stopped("second"))
    assert stopped.stop == "first"


def test_a_loop_of_ones_own_carries_the_state_along() -> None:
    stack = (
        AgentBuilder().on_before_tool_use(lambda call, state: state.with_metadata("seen", call.name)).stack
    )
    executor = ToolExecutor([bash], stack)
    for execution, state in (
        executor.advance(LS, AgentState()),
        asyncio.run(executor.advance_async(LS, AgentState())),
    ):
        assert (execution.output, state.metadata["seen"]) == ("ran ls", "bash")


def test_after_a_halt_the_tools_that_are_left_do_not_run() -> None:
    ran: list[str] = []
    one_by_one = Tool("bash", lambda command: ran.append(command), parallel=False)
    agent = AgentBuilder(ScriptedModel(TWO, "never")).tools(one_by_one)
    agent.on_before_tool_use(lambda call: Halt("enough") if call.id == "1" else None)
    state = agent.build().run("go")
    assert (state.stop, ran, answers(state)) == ("enough", [], ["enough", "enough"])


def test_answers_keep_the_id_of_the_call_that_was_asked_for() -> None:
    agent = builder(LS, "done").on_after_tool_use(lambda execution: Execution(ToolCall("other"), "fine"))
    state = agent.build().run("go")
    assert [m.call_id for m in state.messages if m.role == "tool"] == ["1"]


def test_a_result_that_is_no_execution_becomes_one() -> None:
    agent = builder(LS, "done").on_around_tool_use(lambda call, state, next: {"cached": True})
    assert answers(agent.build().run("go")) == ['{"cached": true}']


# build


def test_build_is_a_snapshot() -> None:
    made = builder(LS, "done")
    agent = made.build()
    made.on_before_tool_use(lambda call: Block("later"))
    made.on_before_step(lambda state: Block("later"))
    made.tools(Tool("other", bash)).limits(Limits(steps=0)).ask(lambda call, reason: True)
    state = agent.run("go")
    assert (answers(state), state.stop) == (["ran ls"], DONE)
    assert (list(agent.executor.tools), agent.stack.ask) == (["bash"], None)


def test_hooks_of_a_built_agent_can_be_switched_and_the_next_one_is_not_touched() -> None:
    made = builder(LS, "done").on_before_tool_use(lambda call: Block("no"), name="never")
    first = made.build()
    first.stack.disable("never")
    assert answers(first.run("go")) == ["ran ls"]
    assert answers(made.model(ScriptedModel(LS, "done")).build().run("go")) == ["no"]
