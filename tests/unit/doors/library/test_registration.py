"""What may be registered, and that nothing that was given is missing in silence."""

from __future__ import annotations

import asyncio
import copy
import pickle
from contextvars import ContextVar
from functools import partial
from typing import Any

import pytest

from fairlead.doors.library.builder import AgentBuilder
from fairlead.doors.library.decorators import after_tool, around_tool, before_tool
from fairlead.doors.library.frameworks.common import stack_of
from fairlead.doors.library.model import ModelRequest
from fairlead.doors.library.state import AgentState
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import ToolExecutor
from fairlead.engine.system import HookSystem
from fairlead.errors import RegistrationError
from fairlead.model.answer import Ask, Block, Execution
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.matching.matcher import any_of, not_
from fairlead.model.tool_call import ToolCall
from fairlead.testing import ScriptedModel, system_of
from fairlead.testing import hook as hook_on

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


# what cannot work is refused, with a sentence


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"priority": "100"}, r"priority='100' is not a whole number\n.*priority=100"),
        ({"priority": 1.5}, "priority=1.5 is not a whole number"),
        ({"priority": True}, "priority=True is not a whole number"),
        ({"name": 3}, "name=3 is not a text"),
        ({"before": 3}, "before=3 is not the name of a hook"),
        ({"after": ["a", 4]}, "after=4 is not the name of a hook"),
        ({"matcher": lambda call: True}, r"the matcher of 'refuse' cannot be asked with \(call, state\)"),
        ({"matcher": lambda a, b, c: True}, "cannot be asked"),
        ({"matcher": any_of("bash", lambda call: True)}, "cannot be asked"),
        ({"matcher": not_(lambda: True)}, "cannot be asked"),
        ({"matcher": [{"not": lambda call: True}]}, "cannot be asked"),
    ],
)
def test_an_option_of_the_wrong_form_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RegistrationError, match=message):
        ToolStack().before(**options)(refuse)
    with pytest.raises(RegistrationError, match=message):
        before_tool(**options)(refuse)
    with pytest.raises(RegistrationError, match=message):
        AgentBuilder().on_before_tool_use(refuse, **options)


def test_a_timeout_that_is_no_number_of_seconds_is_refused() -> None:
    async def think(call: ToolCall) -> None: ...

    for timeout in ("5", float("nan"), 0, -1):
        with pytest.raises(RegistrationError, match=r"not a number of seconds|must be above 0"):
            ToolStack().before(timeout=timeout)(think)


def test_an_object_whose_matches_takes_something_else_is_refused() -> None:
    class Odd:
        def matches(self, call: ToolCall) -> bool:
            return True

    with pytest.raises(RegistrationError, match="cannot be asked"):
        ToolStack().before(Odd())(refuse)
    with pytest.raises(RegistrationError, match="cannot be asked"):
        AgentBuilder().on_before_step(lambda state: None, matcher=Odd())


@pytest.mark.parametrize("first", ["guard", "other"])
@pytest.mark.parametrize(
    ("place", "options", "phases"),
    [
        ("before", {"type": "transformation"}, "guard and transform"),
        ("before", {"type": "validation"}, "guard and validate"),
        ("after", {}, "guard and result"),
        ("before", {"type": "observability"}, "guard and observe"),
    ],
)
def test_a_named_order_across_phases_is_refused(
    first: str, place: str, options: dict[str, Any], phases: str
) -> None:
    stack = ToolStack()

    def add(name: str) -> None:
        if name == "guard":
            stack.before(name="guard", after="other")(refuse)
        else:
            getattr(stack, place)(name="other", **options)(refuse)

    add(first)
    with pytest.raises(RegistrationError, match=f"'guard' is ordered by 'other'.*another phase: {phases}"):
        add("other" if first == "guard" else "guard")
    assert [hook.id for hook in stack.hooks()] == [first]


def test_a_named_order_across_steps_is_refused() -> None:
    agent = AgentBuilder().on_before_step(lambda state: None, name="a")
    with pytest.raises(RegistrationError, match="another phase: after_step and before_step"):
        agent.on_after_step(lambda state: None, name="b", before="a")
    agent.on_after_step(lambda state: None, name="a")
    agent.on_after_step(lambda state: None, name="b", before="a")


def test_a_hook_on_another_event_is_refused_by_a_stack() -> None:
    hook = Hook("late", HookType.SAFETY, EventName.SESSION_START, Run("call", refuse))
    with pytest.raises(RegistrationError, match="a hook on SessionStart, which no stack sees"):
        ToolStack(hook)


def test_an_around_hook_cannot_ask_for_none_to_block() -> None:
    with pytest.raises(RegistrationError, match="none='block' means nothing"):
        ToolStack().push(lambda call, state, next: next(call), none="block")


# methods


class Guards:
    def __init__(self, word: str) -> None:
        self.word = word

    @before_tool("echo", priority=3)
    def no_word(self, call: ToolCall, state: object) -> Block | None:
        return Block(f"not {self.word}") if self.word in str(call.input["text"]) else None

    @before_tool()
    def short(self, call: ToolCall) -> None: ...

    @after_tool()
    async def shout(self, execution: Execution) -> Execution:
        return execution.with_output(execution.output.upper())

    @around_tool()
    def twice(self, call: ToolCall, state: object) -> Any:
        yield call
        return (yield call)

    @staticmethod
    @before_tool(name="quiet")
    def nothing(call: ToolCall) -> None: ...

    @classmethod
    @before_tool()
    def of_class(cls, call: ToolCall) -> Block:
        return Block(cls.__name__)


def test_a_decorated_method_of_an_object_is_a_hook() -> None:
    guards = Guards("b")
    executor = ToolExecutor([echo], ToolStack(guards.no_word, guards.short, guards.shout, guards.twice))
    assert executor.use_tool(CALL).output == "A"
    assert executor.use_tool(ToolCall("echo", {"text": "b"})).error == "not b"
    assert guards.no_word(CALL, None) is None
    assert ToolExecutor([echo], ToolStack(Guards.of_class)).use_tool(CALL).error == "Guards"


def test_what_cannot_be_marked_says_so() -> None:
    class Plain:
        def look(self, call: ToolCall) -> None: ...

    with pytest.raises(RegistrationError, match="'look' cannot be marked here"):
        before_tool()(Plain().look)


def test_methods_of_two_objects_stand_side_by_side() -> None:
    for stack in (
        ToolStack(Guards("a").no_word, Guards("b").no_word),
        ToolStack().use(Guards("a").no_word, Guards("b").no_word),
    ):
        assert [(hook.id, hook.priority) for hook in stack.hooks()] == [("no_word", 3), ("no_word-2", 3)]
        executor = ToolExecutor([echo], stack)
        assert executor.use_tool(CALL).error == "not a"
        assert executor.use_tool(ToolCall("echo", {"text": "b"})).error == "not b"


def test_a_method_without_its_object_is_refused() -> None:
    for method in (Guards.no_word, Guards.short):
        with pytest.raises(RegistrationError, match=r"is a method without its object\n.*bound method"):
            ToolStack(method)
    with pytest.raises(RegistrationError, match="is a method without its object"):
        ToolStack().before()(Guards.short)
    with pytest.raises(RegistrationError, match="is a method without its object"):
        AgentBuilder().on_before_step(Guards.short)
    assert ToolStack(Guards.nothing).hooks()[0].id == "quiet"


# policies together


def system_saying(word: str) -> HookSystem:
    def judge(event: Event, config: object, previous: object) -> Outcome | None:
        assert event.tool is not None
        hit = event.name is EventName.BEFORE_TOOL and word in str(event.tool.input["text"])
        return Outcome(Decision.BLOCK, f"not {word}") if hit else None

    return system_of([hook_on(judge)])


def test_two_systems_compose() -> None:
    stack = ToolStack().use(system_saying("a"), system_saying("b"))
    names = [hook.id for hook in stack.hooks()]
    assert names == ["policy", "policy-result", "policy-2", "policy-result-2"]
    executor = ToolExecutor([echo], stack)
    assert [executor.use_tool(ToolCall("echo", {"text": text})).error for text in "abc"] == [
        "not a",
        "not b",
        "",
    ]


def test_law_1_what_one_system_rewrites_the_other_judges() -> None:
    def rewrite(event: Event, config: object, previous: object) -> Outcome:
        return Outcome(updated_input={"text": "b"})

    rewriting = system_of([hook_on(rewrite, type=HookType.TRANSFORMATION)])
    for systems in ((rewriting, system_saying("b")), (system_saying("b"), rewriting)):
        stack = ToolStack().use(*systems)
        assert ToolExecutor([echo], stack).use_tool(CALL.replace(id="1")).error == "not b"


def test_a_stack_brings_whom_it_asks_and_tells() -> None:
    told: list[ToolCall] = []
    asking = ToolStack(ask=lambda call, reason: True, tell=lambda call, verdict: told.append(call))
    asking.before()(lambda call: Ask("sure?"))
    assert ToolExecutor([echo], ToolStack().use(asking)).use_tool(CALL).output == "a"
    assert [call.name for call in told] == ["echo"]
    with pytest.raises(RegistrationError, match="both stacks have somebody to ask"):
        ToolStack(ask=lambda call, reason: False).use(asking)


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
