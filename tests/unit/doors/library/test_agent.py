"""Steps, limits, the builder and the loop, with a model that says what it was told to."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.decorators import before_tool
from fairlead.doors.library.model import ModelReply, ModelRequest
from fairlead.doors.library.run import DONE
from fairlead.doors.library.state import Limits, Message, Usage
from fairlead.doors.library.tools import tool
from fairlead.errors import RegistrationError
from fairlead.model.answer import Block, Execution, Halt
from fairlead.model.tool_call import ToolCall
from fairlead.testing import ScriptedModel

LS = ToolCall("bash", {"command": "ls"}, id="1")
RM = ToolCall("bash", {"command": "rm -rf /"}, id="2")


def bash(command: str) -> str:
    """Runs a command."""
    return f"ran {command}"


def builder(*replies: Any) -> AgentBuilder:
    return AgentBuilder(ScriptedModel(*replies)).tools(bash)


def test_the_loop_ends_when_the_model_asks_for_nothing() -> None:
    state = builder("hello").system("be brief").build().run("hi")
    assert [message.role for message in state.messages] == ["system", "user", "assistant"]
    assert (state.stop, state.steps, state.usage.tokens) == (DONE, 1, 15)


def test_the_model_is_offered_the_tools() -> None:
    model = ScriptedModel("hello")
    AgentBuilder(model).tools(bash).build().run("hi")
    (request,) = model.requests
    assert [(each.name, each.description) for each in request.tools] == [("bash", "Runs a command.")]


def test_a_state_can_be_continued() -> None:
    first = builder("hello").build().run("hi")
    second = builder("again").build().run(first.with_messages(Message("user", "and now?")))
    assert [m.content for m in second.messages] == ["hi", "hello", "and now?", "again"]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(steps=2), "the limit of 2 steps is reached"),
        (Limits(tokens=20), "the limit of 20 tokens is reached"),
        (Limits(cost=0.02), "the limit of 0.02 cost is reached"),
    ],
)
def test_limits_end_the_agent(limits: Limits, reason: str) -> None:
    reply = ModelReply(Message("assistant", "", (LS,)), Usage(10, 5, 0.01))
    state = builder(*[reply] * 9).limits(limits).build().run("go on")
    assert (state.stop, state.steps) == (reason, 2)


def test_the_time_limit_is_checked_inside_a_step() -> None:
    over, calls = threading.Event(), [LS.replace(id=str(number)) for number in range(3)]
    answers = iter(["done"])

    def slow(command: str) -> str:
        return next(answers, "") or str(over.wait(30))

    slow_tool = tool(slow, name="bash", parallel=False)
    agent = AgentBuilder(ScriptedModel(calls)).tools(slow_tool).limits(Limits(seconds=0.5)).build()
    state = agent.run("go on")
    over.set()
    first, second, third = (message.content for message in state.messages if message.role == "tool")
    assert (first, third) == ("done", "the limit of 0.5 seconds is reached")
    assert "'bash' did not end within" in second
    assert [execution.hook for execution in state.executions] == ["", "", "limits"]
    assert state.stop == "the limit of 0.5 seconds is reached"


def test_any_false_vote_ends_the_agent() -> None:
    agent = (
        builder(LS, LS, LS)
        .on_should_continue(lambda state: True)
        .on_should_continue(lambda state: state.steps < 2, name="two-steps")
    )
    state = agent.build().run("go on")
    assert (state.steps, state.stop) == (2, "two-steps voted to stop")


def test_law_2_a_step_hook_that_breaks_ends_the_agent_and_says_why() -> None:
    state = builder(LS, "done").on_before_step(lambda state: 1 / 0, name="odd").build().run("go")
    assert state.stop == "the hook 'odd' could not answer: ZeroDivisionError: division by zero"
    assert state.steps == 0
    state = builder("done").on_before_step(lambda state: 1 / 0, on_error="ignore").build().run("go")
    assert state.stop == DONE
    state = builder(LS, "x").on_should_continue(lambda state: "maybe", name="odd").build().run("go")
    assert "it returned 'maybe', which is no vote" in state.stop


def test_step_hooks_are_ordered_and_after_hooks_run_in_reverse() -> None:
    order: list[str] = []
    agent = builder("done")
    for name, priority in (("low", 0), ("high", 1)):
        agent.on_before_step(lambda s, n=name: order.append(f"before {n}"), name=name, priority=priority)
        agent.on_after_step(lambda s, n=name: order.append(f"after {n}"), name=name, priority=priority)
    agent.build().run("go")
    assert order == ["before high", "before low", "after low", "after high"]


def test_a_step_hook_takes_a_matcher_over_the_state() -> None:
    seen: list[int] = []
    agent = builder(LS, LS, "done").on_before_step(
        lambda state: seen.append(state.steps), matcher=lambda state: state.steps == 1
    )
    agent.build().run("go")
    assert seen == [1]
    with pytest.raises(RegistrationError, match="a step has no tool to match"):
        agent.on_before_step(lambda state: None, matcher="bash")


def test_model_hooks_change_the_request_and_the_reply() -> None:
    model = ScriptedModel("the secret is 42")
    agent = (
        AgentBuilder(model)
        .on_before_model(lambda request, state: request.replace(messages=(Message("user", "changed"),)))
        .on_after_model(lambda reply, state: reply.replace(message=Message("assistant", "[redacted]")))
        .build()
    )
    assert agent.run("hi").text == "[redacted]"
    assert model.requests[0].messages == (Message("user", "changed"),)


def test_a_model_hook_blocks_before_the_model_is_asked() -> None:
    model = ScriptedModel("never")
    agent = AgentBuilder(model).on_before_model(lambda request, state: Block("no prompts on Sundays")).build()
    assert agent.run("hi").stop == "no prompts on Sundays"
    assert model.requests == []


def test_halt_from_a_tool_hook_ends_the_agent() -> None:
    state = builder(RM, "never").on_before_tool_use(lambda call: Halt("enough")).build().run("go")
    assert (state.stop, state.steps) == ("enough", 1)


def test_tools_run_at_once_where_they_allow_it_and_answers_keep_the_order() -> None:
    running, most = 0, 0

    async def work(n: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001 * (5 - n))
        running -= 1
        return n

    calls = [ToolCall("work", {"n": n}, id=str(n)) for n in range(4)]
    for parallel, expected in ((True, 4), (False, 1)):
        most = 0
        made = tool(work, parallel=parallel)
        state = AgentBuilder(ScriptedModel(calls, "done")).tools(made).build().run("go")
        assert most == expected
        assert [m.content for m in state.messages if m.role == "tool"] == ["0", "1", "2", "3"]


def test_a_stream_gives_text_executions_and_the_state() -> None:
    async def collect(agent: Any) -> list[Any]:
        return [piece async for piece in agent.stream("go")]

    pieces = asyncio.run(collect(builder(LS, "all is done").build()))
    assert [type(piece).__name__ for piece in pieces] == [
        "str",
        "Execution",
        "str",
        "str",
        "str",
        "AgentState",
    ]
    assert isinstance(pieces[1], Execution)
    assert "".join(piece for piece in pieces if isinstance(piece, str)).strip() == "all is done"


def test_text_waits_for_hooks_that_may_withhold_it() -> None:
    async def collect(agent: Any) -> list[Any]:
        return [piece async for piece in agent.stream("go")]

    redact = lambda reply, state: reply.replace(message=Message("assistant", "[redacted]"))  # noqa: E731
    pieces = asyncio.run(collect(builder("the secret is 42").on_after_model(redact).build()))
    assert [piece for piece in pieces if isinstance(piece, str)] == ["[redacted]"]
    refuse = lambda reply, state: Block("withheld")  # noqa: E731
    pieces = asyncio.run(collect(builder("the secret is 42").on_after_model(refuse).build()))
    assert [piece for piece in pieces if isinstance(piece, str)] == []


def test_use_takes_marked_functions() -> None:
    @before_tool("bash")
    def never(call: ToolCall) -> Block:
        return Block("never")

    state = builder(LS, "done").use(never).build().run("go")
    assert state.messages[-2].content == "never"


def test_an_agent_needs_a_model() -> None:
    with pytest.raises(RegistrationError, match="an agent needs a model"):
        AgentBuilder().build()


def test_one_agent_serves_many_at_once() -> None:
    class Echo:
        async def complete(self, request: ModelRequest) -> ModelReply:
            await asyncio.sleep(0)
            return ModelReply(Message("assistant", request.messages[-1].content))

        def stream(self, request: ModelRequest) -> Any:
            raise NotImplementedError

    agent = AgentBuilder(Echo()).build()

    async def run_all() -> list[str]:
        return [state.text for state in await asyncio.gather(*(agent.run_async(str(n)) for n in range(20)))]

    assert asyncio.run(run_all()) == [str(n) for n in range(20)]


def test_a_model_that_gives_no_reply_is_told_so() -> None:
    class Silent:
        async def complete(self, request: ModelRequest) -> Any:
            return {"text": "hi"}

        async def stream(self, request: ModelRequest) -> Any:
            yield "hi"

    agent = AgentBuilder(Silent()).build()  # type: ignore[arg-type]
    with pytest.raises(RegistrationError, match="where its reply belongs"):
        agent.run("x")

    async def streamed() -> list[Any]:
        return [piece async for piece in agent.stream("x")]

    with pytest.raises(RegistrationError, match="ends with one"):
        asyncio.run(streamed())
