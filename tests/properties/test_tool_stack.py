"""What must hold for any hooks around a tool call."""

from __future__ import annotations

import asyncio
from threading import Thread
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.doors.library.tool_stack import ToolStack
from fairlead.model.answer import Approve, Ask, Block, Execution
from fairlead.model.tool_call import ToolCall

CALL = ToolCall("bash", {"command": "ls"})
unhurried = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)

answers = st.sampled_from(
    [None, Approve("yes"), Ask("sure?"), Block("no"), RuntimeError("broken"), "rubbish"]
)
hooks = st.lists(st.tuples(answers, st.integers(-3, 3)), max_size=6)


def execute(call: ToolCall, state: object) -> Execution:
    return Execution(call, "ran")


def stack_of(described: list[tuple[Any, int]]) -> ToolStack:
    stack = ToolStack()
    for answer, priority in described:

        def say(call: ToolCall, answer: Any = answer) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

        stack.before(priority=priority)(say)
    return stack


@unhurried
@given(hooks, st.tuples(answers, st.integers(-3, 3)))
def test_law_4_one_more_hook_never_weakens_the_answer(described: list[Any], extra: Any) -> None:
    before = stack_of(described).process(CALL, None, execute)
    after = stack_of([*described, extra]).process(CALL, None, execute)
    assert after.blocked >= before.blocked


@unhurried
@given(hooks)
def test_sync_and_async_agree(described: list[Any]) -> None:
    stack = stack_of(described)
    assert stack.process(CALL, None, execute) == asyncio.run(stack.process_async(CALL, None, execute))


@unhurried
@given(st.lists(st.integers(-2, 2), max_size=8), st.randoms())
def test_order_is_priority_then_declaration_whatever_the_order_of_switching(
    priorities: list[int], random: Any
) -> None:
    seen: list[str] = []
    stack = ToolStack()
    for number, priority in enumerate(priorities):
        name = f"h{number}"
        stack.before(name=name, priority=priority)(lambda call, name=name: seen.append(name))
    names = [f"h{number}" for number in range(len(priorities))]
    for name in random.sample(names, len(names)):
        stack.disable(name)
    for name in random.sample(names, len(names)):
        stack.enable(name)
    stack.process(CALL, None, execute)
    assert seen == sorted(names, key=lambda name: (-priorities[int(name[1:])], int(name[1:])))


@unhurried
@given(st.permutations(["a", "b", "c", "d"]))
def test_names_order_hooks_under_any_registration_order(order: list[str]) -> None:
    after = {"a": (), "b": ("a",), "c": ("b",), "d": ("c",)}
    seen: list[str] = []
    stack = ToolStack()
    for name in order:
        stack.before(name=name, after=after[name])(lambda call, name=name: seen.append(name))
    stack.process(CALL, None, execute)
    assert seen == ["a", "b", "c", "d"]


def test_switching_hooks_while_threads_call_never_corrupts_a_chain() -> None:
    stack = ToolStack()
    for number in range(6):
        stack.before(name=f"h{number}")(lambda call: None)
    stack.before(name="guard", priority=-9)(lambda call: Block("no"))
    results: list[Execution] = []

    def call_often() -> None:
        results.extend(stack.process(CALL, None, execute) for _ in range(300))

    def switch_often() -> None:
        for round_ in range(200):
            stack.disable(f"h{round_ % 6}")
            stack.enable(f"h{round_ % 6}")

    threads = [Thread(target=target) for target in (call_often, switch_often, call_often, switch_often)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 600
    assert all(result.error == "no" for result in results)
    assert all(hook.enabled for hook in stack.hooks())


def test_switching_hooks_while_tasks_call_keeps_each_calls_own_hooks() -> None:
    stack = ToolStack()
    order: list[tuple[int, str]] = []

    def add(name: str) -> None:
        async def note(call: ToolCall, state: Any) -> None:
            await asyncio.sleep(0)
            order.append((state, name))

        stack.before(name=name)(note)

    for name in ("a", "b", "c"):
        add(name)

    async def run() -> None:
        async def switch() -> None:
            for _ in range(20):
                stack.disable("b")
                await asyncio.sleep(0)
                stack.enable("b")
                await asyncio.sleep(0)

        calls = [stack.process_async(CALL, number, execute) for number in range(20)]
        await asyncio.gather(switch(), *calls)

    asyncio.run(run())
    for number in range(20):
        assert [name for state, name in order if state == number] in (["a", "b", "c"], ["a", "c"])
