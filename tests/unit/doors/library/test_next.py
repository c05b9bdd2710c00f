"""`process(call, state, next)` without `async`, as seed 003 writes it, on an event loop and off it."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar
from typing import Any

import pytest

from fairlead.doors.library.threads import AbandonedError, around_in_thread
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import ToolExecutor
from fairlead.model.answer import Block, Execution
from fairlead.model.tool_call import ToolCall, ToolResult

LS = ToolCall("bash", {"command": "ls"})


def bash(command: str) -> str:
    return f"ran {command}"


async def slow_bash(command: str) -> str:
    await asyncio.sleep(0)
    return f"ran {command}"


class Shout:
    """As the seed writes a middleware."""

    def process(self, call: ToolCall, state: Any, next: Any) -> Execution:
        result: Execution = next(call, state)
        return result.with_output(result.output.upper())


def both(stack: ToolStack, call: ToolCall = LS) -> Execution:
    result = ToolExecutor([bash], stack).use_tool(call)
    assert asyncio.run(ToolExecutor([bash], stack).use_tool_async(call)) == result
    slow = ToolExecutor([bash], stack)
    slow.tools["bash"] = slow.tools["bash"].replace(function=slow_bash)
    assert asyncio.run(slow.use_tool_async(call)) == result
    return result


def test_a_plain_middleware_calls_next_with_and_without_a_loop() -> None:
    assert both(ToolStack().push(Shout())).output == "RAN LS"


def test_plain_generator_and_async_layers_nest_in_any_order() -> None:
    order: list[str] = []

    def plain(name: str) -> Any:
        def layer(call: ToolCall, state: Any, next: Any) -> Any:
            order.append(f"{name} in")
            result = next(call, state)
            order.append(f"{name} out")
            return result

        return layer

    def yielding(call: ToolCall, state: Any) -> Any:
        order.append("generator in")
        result = yield call
        order.append("generator out")
        return result

    async def awaiting(call: ToolCall, state: Any, next: Any) -> Any:
        order.append("async in")
        result = await next(call, state)
        order.append("async out")
        return result

    stack = ToolStack().push(plain("outer")).push(yielding).push(awaiting).push(plain("inner"))
    assert ToolExecutor([bash], stack).use_tool(LS).output == "ran ls"
    names = ["outer", "generator", "async", "inner"]
    assert order == [*(f"{name} in" for name in names), *(f"{name} out" for name in reversed(names))]


def test_law_1_what_a_plain_middleware_rewrites_goes_through_the_guards_again() -> None:
    stack = ToolStack().push(lambda call, state, next: next(call.replace(input={"command": "rm"}), state))
    stack.before()(lambda call: Block("no") if call.input["command"] == "rm" else None)
    assert both(stack).error == "no"


def test_a_plain_middleware_may_give_a_result_block_retry_or_say_nothing() -> None:
    calls: list[int] = []
    assert both(ToolStack().push(lambda call, state, next: ToolResult("cached"))).output == "cached"
    assert both(ToolStack().push(lambda call, state, next: Block("no"))).error == "no"
    twice = ToolStack().push(lambda call, state, next: (next(call), calls.append(1), next(call))[2])
    assert both(twice).output == "ran ls"

    def quiet(call: ToolCall, state: Any, next: Any) -> None:
        next(call, state)

    assert both(ToolStack().push(quiet)).output == "ran ls"


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (lambda call, state, next: None, "it neither ran the call nor gave a result"),
        (lambda call, state, next: next("ls"), "it called next with 'ls', which is not a call"),
        (lambda call, state, next: 1 / 0, "ZeroDivisionError"),
        (lambda call, state, next: slow_bash("ls"), "write it as `async def`"),
    ],
)
def test_law_2_a_plain_middleware_that_breaks_blocks(layer: Any, words: str) -> None:
    assert words in both(ToolStack().push(layer, name="odd")).error


def test_a_tools_own_error_passes_through_a_plain_middleware() -> None:
    error = KeyError("tool")

    def fails(call: ToolCall, state: Any) -> None:
        raise error

    stack = ToolStack().push(lambda call, state, next: next(call, state))
    for run in (
        lambda: stack.process(LS, None, fails),
        lambda: asyncio.run(stack.process_async(LS, None, fails)),
    ):
        with pytest.raises(KeyError) as caught:
            run()
        assert caught.value is error


def test_hooks_further_in_stay_on_the_loop_and_context_variables_are_seen() -> None:
    request: ContextVar[str] = ContextVar("request", default="")
    seen: list[tuple[str, bool]] = []

    def note(where: str) -> None:
        seen.append((f"{where} {request.get()}", threading.current_thread() is threading.main_thread()))

    def outer(call: ToolCall, state: Any, next: Any) -> Any:
        note("layer")
        return next(call, state)

    async def inner(call: ToolCall, state: Any, next: Any) -> Any:
        note("inner")
        return await next(call, state)

    async def main() -> None:
        request.set("r1")
        await ToolExecutor([bash], ToolStack().push(outer).push(inner)).use_tool_async(LS)

    asyncio.run(main())
    assert seen == [("layer r1", False), ("inner r1", True)]


def test_a_middleware_that_nobody_waits_for_any_more_runs_no_tool() -> None:
    ran: list[str] = []
    refused: list[BaseException] = []
    entered, go_on, over = threading.Event(), threading.Event(), threading.Event()

    def late(call: Any, state: Any, next: Any) -> None:
        entered.set()
        go_on.wait(10)
        try:
            next(call, state)
        except AbandonedError as error:
            refused.append(error)
        over.set()

    async def tool(call: Any, state: Any) -> None:
        ran.append("tool")

    async def main() -> None:
        task = asyncio.create_task(around_in_thread(late, LS, None, tool))
        while not entered.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    go_on.set()
    assert over.wait(10)
    assert (ran, len(refused)) == ([], 1)
