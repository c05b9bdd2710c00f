"""What one run of an agent may use, and what happens to a model or a tool when time is up."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.model import ModelReply, ModelRequest
from fairlead.doors.library.run import DONE
from fairlead.doors.library.state import AgentState, Limits, Message, Price, Usage
from fairlead.doors.library.tools import Tool, ToolExecutor, tool
from fairlead.errors import RegistrationError
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
