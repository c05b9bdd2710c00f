"""One call's passage: changes in place, records, observers, and around-hooks that object."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest

from fairlead.doors.library.tool_stack import ToolStack
from fairlead.engine.middleware import drive
from fairlead.model.answer import Answer, Ask, Block, Execution, State
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.verdict import Verdict


def ls() -> ToolCall:
    return ToolCall("bash", {"command": "ls"}, ToolKind.SHELL, id="c1")


def execute(call: ToolCall, state: object) -> Execution:
    return Execution(call, f"ran {call.input['command']}")


def careful(stack: ToolStack, call: ToolCall | None = None) -> list[Execution]:
    """The result without a loop and on one."""
    return [
        stack.process(call or ls(), None, execute, careful=True),
        asyncio.run(stack.process_async(call or ls(), None, execute, careful=True)),
    ]


def told_by(stack: ToolStack, call: ToolCall | None = None) -> tuple[Execution, Verdict]:
    told: list[Verdict] = []
    stack.tell = lambda call, verdict: told.append(verdict)
    result = stack.process(call or ls(), None, execute)
    (verdict,) = told
    return result, verdict


def in_place(call: ToolCall) -> None:
    call.input["command"] = "rm"  # type: ignore[index]


def test_law_1_a_change_in_place_refuses_the_call_on_every_way() -> None:
    plain, long = ToolStack(), ToolStack()
    for stack in (plain, long):
        stack.before(name="sneak")(in_place)
    long.after()(lambda result: None)
    for stack in (plain, long):
        for result in careful(stack):
            assert (result.ok, result.output, result.decision) == (False, None, Decision.BLOCK)
            assert result.error == "a hook changed the input in place, unseen by the guards"
            assert result.hook == "engine"


def test_law_1_a_change_in_place_by_an_around_hook_is_told_as_the_engines_block() -> None:
    stack = ToolStack()

    @stack.around(name="sneak")
    def sneak(call: ToolCall) -> Generator[ToolCall, Any, None]:
        in_place(call)
        yield call

    result, verdict = told_by(stack)
    assert result.blocked
    assert (verdict.decision, verdict.rule, verdict.hook) == (
        Decision.BLOCK,
        "engine/changed-in-place",
        "engine",
    )


def test_a_call_that_a_hook_wrote_anew_is_no_change_in_place() -> None:
    stack = ToolStack()
    stack.before(type="transformation")(lambda call: call.replace(input={"command": "ls -a"}))
    stack.around()(again)
    assert [result.output for result in careful(stack)] == ["ran ls -b", "ran ls -b"]


def again(call: ToolCall) -> Generator[ToolCall, Any, None]:
    yield call.replace(input={"command": "ls -b"})


def test_a_hook_that_does_not_match_leaves_the_next_its_turn() -> None:
    stack = ToolStack()
    stack.before({"arguments": {"command": "rm"}}, priority=2)(lambda call: Block("rm"))
    stack.before({"arguments": {"command": "ls"}}, priority=1)(lambda call: Block("ls"))
    assert [result.error for result in careful(stack)] == ["ls", "ls"]


def test_an_after_hook_and_an_observer_that_do_not_match_are_left_out() -> None:
    stack, seen = ToolStack(), []
    stack.after({"arguments": {"command": "rm"}})(lambda result: Block("no"))
    stack.after({"arguments": {"command": "rm"}}, type="observability", name="a")(seen.append)
    stack.after({"arguments": {"command": "ls"}}, type="observability", name="b")(
        lambda result: seen.append(result.output)
    )
    assert [result.ok for result in careful(stack)] == [True, True]
    assert seen == ["ran ls", "ran ls"]


def test_an_around_hook_that_does_not_match_is_passed() -> None:
    stack = ToolStack()
    stack.around({"arguments": {"command": "rm"}})(again)
    assert [result.output for result in careful(stack)] == ["ran ls", "ran ls"]


def test_observers_are_told_of_and_awaited_and_what_they_raise_is_recorded() -> None:
    stack, seen = ToolStack(), []

    async def waits(result: Execution) -> None:
        await asyncio.sleep(0)
        seen.append(result.output)

    def raises(result: Execution) -> None:
        raise ValueError("x")

    def fine(call: ToolCall) -> str:
        return "whatever"

    stack.before(type="observability", name="fine")(fine)
    stack.after(type="observability", name="waits")(waits)
    stack.after(type="observability", name="raises")(raises)
    assert asyncio.run(stack.process_async(ls(), None, execute)).ok
    told: list[Verdict] = []
    stack.tell = lambda call, verdict: told.append(verdict)
    assert asyncio.run(stack.process_async(ls(), None, execute)).ok
    assert seen == ["ran ls", "ran ls"]
    outcomes = {each.hook: each for each in told[0].outcomes}
    assert list(outcomes) == ["fine", "waits", "raises"]
    assert {each.decision for each in outcomes.values()} == {Decision.CONTINUE}
    assert all(each.milliseconds > 0 for each in outcomes.values())
    assert [name for name, each in outcomes.items() if each.failure] == ["raises"]


def test_a_question_that_breaks_is_no_yes() -> None:
    def ask(call: ToolCall, reason: str) -> bool:
        raise ConnectionError("gone")

    stack = ToolStack(ask=ask)
    stack.before()(lambda call: Ask("sure?"))
    (result, _) = careful(stack)
    assert result.error == "sure? (the question could not be put: ConnectionError: gone)"


@pytest.mark.parametrize(("answer", "words"), [(False, "a human said no"), ("yes", "a human said no")])
def test_only_true_is_a_yes(answer: object, words: str) -> None:
    stack = ToolStack(ask=lambda call, reason: answer)
    stack.before(name="asks")(lambda call: Ask("sure?"))
    for result in careful(stack):
        assert (result.error, result.decision, result.hook) == (f"sure? ({words})", Decision.ASK, "asks")


def test_a_yes_of_a_human_is_recorded_as_one_and_what_others_said_stays() -> None:
    stack = ToolStack(ask=lambda call, reason: True)
    stack.before(name="quiet", priority=1)(lambda call: None)
    stack.before(name="asks")(lambda call: Ask("sure?"))
    result, verdict = told_by(stack)
    assert result.ok
    assert [(each.hook, each.decision) for each in verdict.outcomes] == [
        ("quiet", Decision.CONTINUE),
        ("asks", Decision.ALLOW),
    ]


@pytest.mark.parametrize("when", ["before the call", "after it"])
def test_an_around_hook_that_answers_without_an_objection_costs_no_call_and_doubles_none(when: str) -> None:
    stack, ran = ToolStack(), []

    def middleware(call: ToolCall, state: object, next: Any) -> Answer:
        if when == "after it":
            next(call)
        return Answer("fine")

    def count(call: ToolCall, state: object) -> Execution:
        ran.append(call)
        return execute(call, state)

    stack.push(middleware)
    assert stack.process(ls(), None, count).output == "ran ls"
    assert ran == [ls()]


def test_law_2_an_around_hook_that_breaks_and_may_does_not_cost_the_call() -> None:
    stack = ToolStack()

    @stack.around(name="breaks", on_error="allow")
    def breaks(call: ToolCall) -> Generator[ToolCall, Any, None]:
        raise ValueError("early")
        yield call

    assert [result.output for result in careful(stack)] == ["ran ls", "ran ls"]
    result, verdict = told_by(stack)
    assert result.output == "ran ls"
    assert [(each.hook, each.decision) for each in verdict.outcomes] == [("breaks", Decision.ALLOW)]


def test_a_result_that_a_guard_gave_takes_the_form_of_the_others() -> None:
    stack = ToolStack()
    stack.before(name="gives")(lambda call: ToolResult("cached", ok=False, error="stale"))
    for result in careful(stack):
        assert result == Execution(ls(), "cached", ok=False, error="stale")


def test_an_after_hook_that_gives_a_plain_result_keeps_what_else_was_known() -> None:
    stack = ToolStack()
    stack.after()(lambda result: ToolResult("less"))

    def rich(call: ToolCall, state: object) -> Execution:
        return Execution(call, "more", metadata={"k": 1})

    assert stack.process(ls(), None, rich) == Execution(ls(), "less", metadata={"k": 1})


class Count(State):
    number: int = 0


def test_a_state_that_a_hook_leaves_is_seen_by_all_that_follow() -> None:
    stack, seen = ToolStack(), []

    def more(*given: object) -> Count:
        state = given[-1]
        assert isinstance(state, Count)
        seen.append(state.number)
        return state.replace(number=state.number + 1)

    stack.before(name="a", priority=2)(lambda call, state: more(state))
    stack.before(name="b", priority=1)(lambda call, state: more(state))
    stack.around(name="c")(lambda call, state, next: (next(call, state), more(state))[1])
    stack.after(name="d")(lambda result, call, state: more(state))

    def tool(call: ToolCall, state: object) -> Execution:
        assert isinstance(state, Count)
        return Execution(call, state.number)

    passage = stack.passage(ls(), Count(), tool)
    assert drive(passage.run(ls())).output == 2
    assert (seen, passage.state.number) == ([0, 1, 2, 3], 4)


def test_law_4_what_a_tool_refuses_itself_stays_refused() -> None:
    stack = ToolStack()
    stack.after()(lambda result: Execution(ls(), "better"))

    def refuses(call: ToolCall, state: object) -> Execution:
        return Execution(call, None, ok=False, error="no", decision=Decision.BLOCK)

    for result in (
        stack.process(ls(), None, refuses),
        asyncio.run(stack.process_async(ls(), None, refuses)),
    ):
        assert (result.error, result.output) == ("no", None)
