"""What may be registered, and that nothing that was given is missing in silence."""

from __future__ import annotations

import asyncio
import copy
import pickle
from contextvars import ContextVar
from functools import partial

import pytest

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.decorators import before_tool
from fairlead.doors.library.frameworks.common import stack_of
from fairlead.doors.library.model import ModelRequest
from fairlead.doors.library.state import AgentState
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import ToolExecutor
from fairlead.errors import RegistrationError
from fairlead.model.answer import Block
from fairlead.model.tool_call import ToolCall
from fairlead.testing import ScriptedModel

CALL = ToolCall("echo", {"text": "a"})


def echo(text: str) -> str:
    return text


def refuse(call: ToolCall) -> Block:
    return Block("no")


@pytest.mark.parametrize("given", [refuse, 42, "policy.yaml"])
def test_law_2_what_is_no_hook_is_refused_instead_of_forgotten(given: object) -> None:
    with pytest.raises(RegistrationError, match="is not marked as a hook"):
        AgentBuilder().use(given)
    with pytest.raises(RegistrationError, match="is not marked as a hook"):
        stack_of((given,), agent="any", ask=None)


def test_a_stack_is_a_policy_too() -> None:
    stack = ToolStack()
    stack.before()(refuse)
    assert ToolExecutor([echo], AgentBuilder().use(stack).stack).use_tool(CALL).error == "no"
    assert [hook.id for hook in stack_of((stack, before_tool()(echo)), agent="any", ask=None).hooks()] == [
        "refuse",
        "echo",
    ]


def test_a_stack_keeps_the_human_that_it_asks() -> None:
    with pytest.raises(RegistrationError, match="asks by itself"):
        stack_of((ToolStack(),), agent="any", ask=lambda call, reason: True)


def test_a_decorator_without_parentheses_is_found_before_the_first_call() -> None:
    with pytest.raises(RegistrationError, match=r"'refuse' is not marked.*\n.*parentheses"):
        ToolStack(before_tool(refuse))
    stack = ToolStack()
    stack.before(refuse)
    with pytest.raises(RegistrationError, match=r"'refuse' was given as a matcher.*\n.*parentheses"):
        ToolExecutor([echo], stack)


def test_a_function_as_matcher_is_no_forgotten_pair_of_parentheses() -> None:
    def short(call: ToolCall | None, state: object) -> bool:
        return call is not None and len(str(call.input["text"])) < 2

    stack = ToolStack()
    stack.before(short)(refuse)
    executor = ToolExecutor([echo], stack)
    assert executor.use_tool(CALL).blocked
    assert executor.use_tool(ToolCall("echo", {"text": "long"})).ok


def test_an_object_with_an_asynchronous_call_is_awaited() -> None:
    class Refuses:
        async def __call__(self, call: ToolCall, state: object) -> Block:
            await asyncio.sleep(0)
            return Block("no")

    stack = ToolStack()
    stack.before(timeout=5)(Refuses())
    assert ToolExecutor([echo], stack).use_tool(CALL).error == "no"


def test_what_a_hook_with_a_timeout_puts_into_the_context_stays_there() -> None:
    request: ContextVar[str] = ContextVar("request", default="")

    async def mark(call: ToolCall) -> None:
        request.set("marked")

    async def seen() -> str:
        stack = ToolStack()
        stack.before(timeout=5)(mark)
        await ToolExecutor([echo], stack).use_tool_async(CALL)
        return request.get()

    assert asyncio.run(seen()) == "marked"


def test_a_timeout_of_the_hooks_own_is_told_in_its_words() -> None:
    async def slow_service(call: ToolCall) -> None:
        raise TimeoutError("the service is slow")

    stack = ToolStack()
    stack.before(timeout=5)(slow_service)
    assert "the service is slow" in ToolExecutor([echo], stack).use_tool(CALL).error


# steps


def agent_with(**options: object) -> AgentBuilder:
    return AgentBuilder(ScriptedModel("hi")).on_before_step(lambda state: None, **options)


def test_options_of_steps_are_checked() -> None:
    with pytest.raises(RegistrationError, match=r"no option 'priorty'.*\n.*'priority'"):
        agent_with(priorty=3)
    with pytest.raises(RegistrationError, match="two hooks are named 'a'"):
        agent_with(name="a").on_before_step(lambda state: None, name="a")
    with pytest.raises(RegistrationError, match="which is no hook"):
        agent_with(after="nobody").build()
    with pytest.raises(RegistrationError, match="takes 0 arguments"):
        AgentBuilder().on_before_step(lambda: None)


def test_one_name_orders_steps_as_a_list_of_names_does() -> None:
    order: list[str] = []
    agent = (
        AgentBuilder(ScriptedModel("hi"))
        .on_before_step(lambda state: order.append("second"), after="first")
        .on_before_step(lambda state: order.append("first"), name="first")
        .build()
    )
    agent.run("x")
    assert order == ["first", "second"]


def test_a_hook_of_the_model_may_leave_out_the_state() -> None:
    asked: list[ModelRequest] = []
    AgentBuilder(ScriptedModel("hi")).on_before_model(lambda request: asked.append(request)).build().run("x")
    assert [type(each) for each in asked] == [ModelRequest]


def test_any_callable_of_the_state_is_a_matcher_of_steps() -> None:
    class Never:
        def __call__(self, state: AgentState) -> bool:
            return False

    def at_least(steps: int, state: AgentState) -> bool:
        return state.steps >= steps

    for matcher in (Never(), partial(at_least, 1)):
        seen: list[AgentState] = []
        agent = AgentBuilder(ScriptedModel("hi")).on_before_step(seen.append, matcher=matcher).build()
        assert agent.run("x").text == "hi"
        assert seen == []


def test_running_an_agent_inside_a_loop_says_what_to_do() -> None:
    agent = AgentBuilder(ScriptedModel("hi")).build()

    async def inside() -> None:
        with pytest.raises(RegistrationError, match="await run_async"):
            agent.run("x")

    asyncio.run(inside())


def test_the_metadata_of_a_state_cannot_be_changed_and_can_be_kept() -> None:
    state = AgentState().with_metadata("user", "me")
    with pytest.raises(TypeError):
        state.metadata["user"] = "you"  # type: ignore[index]
    assert pickle.loads(pickle.dumps(state)) == state
    assert copy.deepcopy(state) == state
