from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any, Literal

import pytest

from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import Tool, ToolExecutor, tool
from fairlead.errors import RegistrationError
from fairlead.model.answer import Block, Execution
from fairlead.model.tool_call import ToolCall, ToolKind


def add(a: int, b: int = 1) -> int:
    """Adds two numbers.

    And more about it.
    """
    return a + b


async def fetch(url: str) -> str:
    await asyncio.sleep(0)
    return f"content of {url}"


def test_a_function_is_a_tool_with_a_schema() -> None:
    made = tool(add)
    assert (made.name, made.description) == ("add", "Adds two numbers.")
    assert made.parameters == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a"],
    }


def test_a_schema_says_what_it_can_of_a_type() -> None:
    def search(
        words: list[str], mode: Literal["a", "b"], limit: int | None = None, more: object = None
    ) -> None:
        """Searches."""

    assert tool(search).parameters["properties"] == {
        "words": {"type": "array", "items": {"type": "string"}},
        "mode": {"enum": ["a", "b"]},
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "more": {},
    }


def test_the_executor_stands_alone() -> None:
    assert ToolExecutor([add]).use_tool(ToolCall("add", {"a": 1, "b": 2})).output == 3


def test_calls_go_through_the_stack() -> None:
    stack = ToolStack()
    stack.before("add")(lambda call: Block("no sums today"))
    assert ToolExecutor([add], stack).use_tool(ToolCall("add", {"a": 1})).error == "no sums today"


def test_asynchronous_tools_and_hooks_work_in_both_worlds() -> None:
    stack = ToolStack()

    @stack.before()
    async def think(call: ToolCall) -> None:
        await asyncio.sleep(0)

    executor = ToolExecutor([add, fetch], stack)
    assert executor.use_tool(ToolCall("add", {"a": 1})).output == 2
    assert executor.use_tool(ToolCall("fetch", {"url": "x"})).output == "content of x"
    assert asyncio.run(executor.use_tool_async(ToolCall("fetch", {"url": "y"}))).output == "content of y"


def test_a_sync_call_inside_a_running_loop_says_what_to_do() -> None:
    async def inside() -> None:
        ToolExecutor([fetch]).use_tool(ToolCall("fetch", {"url": "x"}))

    with pytest.raises(RegistrationError, match="an event loop is running"):
        asyncio.run(inside())


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (ToolCall("nothing"), "LookupError: there is no tool 'nothing'; there are add"),
        (ToolCall("add", {"a": "x"}), "TypeError: can only concatenate str"),
        (ToolCall("add", {"c": 1}), "TypeError: add() got an unexpected keyword argument 'c'"),
    ],
)
def test_what_a_tool_raises_is_told_to_the_model(call: ToolCall, error: str) -> None:
    result = ToolExecutor([add]).use_tool(call)
    assert not result.ok
    assert result.message.startswith(error)


def test_rules_about_a_kind_hold_for_tools_of_any_name() -> None:
    stack = ToolStack()
    stack.before("shell")(lambda call: Block("no shell"))
    run_it = Tool("run_it", lambda command: command)
    executor = ToolExecutor([run_it, Tool("odd", lambda text: text, kind=ToolKind.SHELL)], stack)
    assert executor.use_tool(ToolCall("run_it", {"command": "ls"})).blocked
    assert executor.use_tool(ToolCall("odd", {"text": "ls"})).blocked


def test_law_1_a_hook_that_changes_the_input_in_place_is_noticed() -> None:
    stack = ToolStack()
    stack.before()(lambda call: call.input["list"].append("/etc/shadow"))
    result = ToolExecutor([Tool("cat", lambda list: list)], stack).use_tool(ToolCall("cat", {"list": ["a"]}))
    assert "changed the input in place" in result.error


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(RegistrationError, match="two tools are named 'add'"):
        ToolExecutor([add, add])


def test_an_execution_is_a_value() -> None:
    execution = Execution(ToolCall("add"), 3)
    assert execution.with_metadata({"a": 1}, b=2).metadata == {"a": 1, "b": 2}
    assert execution.metadata == {}
    assert execution.with_output(4).message == "4"


def bash(command: str) -> str:
    return f"ran {command}"


LS = ToolCall("bash", {"command": "ls"}, id="7")


def anew(call: ToolCall) -> ToolCall:
    return ToolCall("bash", {"command": "rm -rf /"})


def around_anew(call: ToolCall, state: object) -> Generator[ToolCall, Execution, Execution]:
    return (yield anew(call))


@pytest.mark.parametrize("place", ["transformation", "guard", "around"])
def test_law_1_guards_of_a_kind_see_a_call_that_a_hook_wrote_anew(place: str) -> None:
    seen: list[ToolCall] = []
    stack = ToolStack()
    if place == "around":
        stack.push(around_anew)
    else:
        stack.before("bash", type="transformation" if place == "transformation" else "safety")(anew)

    @stack.before("shell", priority=-1)
    def no_rm(call: ToolCall) -> Block | None:
        seen.append(call)
        return Block("no") if "rm" in str(call.input["command"]) else None

    assert ToolExecutor([bash], stack).use_tool(LS).error == "no"
    assert (seen[-1].kind, seen[-1].id) == (ToolKind.SHELL, "7")


def test_law_1_a_call_is_not_sent_to_a_tool_of_another_kind_than_the_guards_saw() -> None:
    stack = ToolStack()
    stack.before(type="transformation")(lambda call: call.replace(name="run", kind=ToolKind.READ))
    executor = ToolExecutor([bash, Tool("run", bash, kind=ToolKind.SHELL)], stack)
    assert "was judged as read" in executor.use_tool(LS).error


def test_a_call_that_becomes_one_of_an_asynchronous_tool_is_not_left_unawaited() -> None:
    stack = ToolStack()
    stack.before(type="transformation")(lambda call: ToolCall("fetch", {"url": "u"}))
    executor = ToolExecutor([bash, fetch], stack)
    assert "nothing awaits" in executor.use_tool(LS).error
    assert asyncio.run(executor.use_tool_async(LS)).output == "content of u"


def test_law_2_an_around_hook_that_hands_on_no_call_blocks() -> None:
    stack = ToolStack()

    @stack.around(name="odd")
    async def odd(call: ToolCall, state: object, inner: Any) -> Any:
        return await inner("ls")

    executor = ToolExecutor([bash], stack)
    assert "'odd' could not answer: it called next with 'ls'" in executor.use_tool(LS).error
