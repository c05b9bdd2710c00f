"""One run of an agent: limits, deadlines, threads, and a state that hooks can read and change."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import pytest

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.model import ModelReply, ModelRequest
from fairlead.doors.library.run import DONE
from fairlead.doors.library.state import AgentState, Limits, Message, Price, Usage
from fairlead.doors.library.tools import Tool, ToolExecutor, tool
from fairlead.errors import RegistrationError
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


@pytest.fixture
def held() -> Iterator[Callable[..., str]]:
    """A tool that does not end before the test does."""
    over = threading.Event()

    def hold(command: str = "") -> str:
        over.wait(30)
        return "too late"

    yield hold
    over.set()


# limits


def test_limits_count_per_run_also_when_a_state_is_continued() -> None:
    limits = Limits(steps=2, tokens=40)
    first = builder(LS, "done").limits(limits).build().run("go")
    assert (first.stop, first.steps, first.usage.tokens) == (DONE, 2, 30)
    again = builder(LS, "done again").limits(limits).build().run(first.with_messages(Message("user", "more")))
    assert (again.stop, again.steps, again.usage.tokens) == (DONE, 4, 60)


def test_a_continued_state_does_not_bring_its_old_time_along() -> None:
    old = AgentState((Message("user", "hi"),), started=time.monotonic() - 1000)
    assert builder("hello").limits(Limits(seconds=60)).build().run(old).stop == DONE


def test_a_hook_that_makes_the_state_anew_does_not_get_around_a_limit() -> None:
    agent = builder(*[LS] * 9).limits(Limits(steps=3)).on_after_step(lambda state: AgentState()).build()
    assert agent.run("go").stop == "the limit of 3 steps is reached"


def test_a_limit_of_cost_works_with_a_price() -> None:
    assert Price(input=2.0, output=10.0).of(Usage(1_000_000, 500_000)) == Usage(1_000_000, 500_000, 7.0)
    replies = [ModelReply(Message("assistant", "", (LS,)), Price(1000.0, 0.0).of(Usage(10, 5)))] * 9
    state = builder(*replies).limits(Limits(cost=0.02)).build().run("go")
    assert (state.stop, state.steps) == ("the limit of 0.02 cost is reached", 2)


def test_a_limit_of_cost_is_refused_for_a_model_whose_price_nobody_said() -> None:
    class Priceless(ScriptedModel):
        price = None

    with pytest.raises(RegistrationError, match=r"needs to know what the model costs\n.*price=Price"):
        AgentBuilder(Priceless("hi")).limits(Limits(cost=1)).build()
    assert AgentBuilder(Priceless("hi")).build().run("x").text == "hi"


@pytest.mark.parametrize(
    ("limits", "usage", "words"),
    [
        (Limits(tokens=9), Usage(), "does not say how many tokens it used"),
        (Limits(cost=9), Usage(10, 5), "does not say what it cost"),
        (Limits(cost=9), Usage(10, 5, 0.1), ""),
        (Limits(tokens=99), Usage(10, 5), ""),
        (Limits(), Usage(), ""),
    ],
)
def test_law_2_a_limit_that_cannot_be_kept_ends_the_agent(limits: Limits, usage: Usage, words: str) -> None:
    state = builder(ModelReply(Message("assistant", "hi"), usage)).limits(limits).build().run("go")
    assert (words in state.stop) if words else (state.stop == DONE)


@pytest.mark.parametrize("limits", [{"steps": "3"}, {"tokens": True}, {"seconds": float("nan")}])
def test_a_limit_that_is_no_number_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(RegistrationError, match=r"the limit of \w+ is not a number"):
        builder("hi").limits(Limits(**limits))


@pytest.mark.parametrize("timeout", ["5", 0, -1, float("nan"), True])
def test_a_timeout_of_a_tool_that_is_no_time_is_refused(timeout: Any) -> None:
    with pytest.raises(RegistrationError, match="is not a number of seconds"):
        ToolExecutor([Tool("bash", bash, timeout=timeout)])


# deadlines


class Slow:
    """A model that never ends by itself."""

    def __init__(self, *said: str) -> None:
        self.said, self.ended = said, False

    async def complete(self, request: ModelRequest) -> ModelReply:
        try:
            await asyncio.sleep(60)
        finally:
            self.ended = True
        raise AssertionError

    async def stream(self, request: ModelRequest) -> Any:
        for word in self.said:
            yield word
        yield await self.complete(request)


def test_law_5_a_deadline_ends_a_slow_model() -> None:
    model, steps = Slow(), list[str]()
    agent = AgentBuilder(model).limits(Limits(seconds=0.5)).on_after_step(lambda s: steps.append(s.stop))
    state = agent.build().run("hi")
    assert (state.stop, model.ended) == ("the limit of 0.5 seconds is reached", True)
    assert steps == ["the limit of 0.5 seconds is reached"]


def test_law_5_a_deadline_ends_a_slow_stream_and_keeps_what_came() -> None:
    model = Slow("so ", "far")
    agent = AgentBuilder(model).limits(Limits(seconds=0.5)).build()

    async def collect() -> list[Any]:
        return [piece async for piece in agent.stream("hi")]

    *text, state = asyncio.run(collect())
    assert (text, state.stop, model.ended) == (["so ", "far"], "the limit of 0.5 seconds is reached", True)


def test_a_timeout_of_the_models_own_is_not_taken_for_the_deadline() -> None:
    class Gives(Slow):
        async def complete(self, request: ModelRequest) -> ModelReply:
            raise TimeoutError("the network is slow")

    with pytest.raises(TimeoutError, match="the network is slow"):
        AgentBuilder(Gives()).build().run("hi")


def test_law_5_a_deadline_ends_an_asynchronous_tool() -> None:
    ended: list[bool] = []

    async def sleep(command: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    agent = AgentBuilder(ScriptedModel(LS)).tools(tool(sleep, name="bash")).limits(Limits(seconds=0.5))
    state = agent.build().run("go")
    assert (state.stop, ended) == ("the limit of 0.5 seconds is reached", [True])
    assert "'bash' did not end within" in answers(state)[0]


def test_law_5_a_deadline_does_not_wait_for_a_plain_tool(held: Callable[..., str]) -> None:
    agent = AgentBuilder(ScriptedModel(LS)).tools(tool(held, name="bash")).limits(Limits(seconds=0.5))
    state = agent.build().run("go")
    assert state.stop == "the limit of 0.5 seconds is reached"
    assert "nobody waits for it any more" in answers(state)[0]


def test_law_5_a_tool_with_a_timeout_has_it_everywhere(held: Callable[..., str]) -> None:
    async def hold_async(command: str) -> None:
        await asyncio.sleep(60)

    for function in (held, hold_async):
        executor = ToolExecutor([Tool("bash", function, timeout=0.02)])
        for result in (executor.use_tool(LS), asyncio.run(executor.use_tool_async(LS))):
            assert (result.ok, "'bash' did not end within 0.02 s" in result.error) == (False, True)


def test_the_agent_goes_on_after_a_tool_that_ran_out_of_its_own_time(held: Callable[..., str]) -> None:
    agent = AgentBuilder(ScriptedModel(LS, "I will try another")).tools(Tool("bash", held, timeout=0.02))
    assert agent.build().run("go").text == "I will try another"


def test_what_a_tool_with_a_timeout_raises_is_told_as_ever() -> None:
    def fails(command: str) -> str:
        raise TimeoutError("the tool's own")

    executor = ToolExecutor([Tool("bash", fails, timeout=5)])
    assert executor.use_tool(LS).error == "TimeoutError: the tool's own"
    assert asyncio.run(executor.use_tool_async(LS)).error == "TimeoutError: the tool's own"


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
