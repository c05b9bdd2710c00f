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
from fairlead.model.failure import FailureCode, Stage
from fairlead.model.hook import Outcome
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


def test_an_outcome_that_rewrites_and_objects_does_both() -> None:
    stack = ToolStack()
    change = {"command": "ls -a"}
    stack.before(name="blocks")(lambda call: Outcome(Decision.BLOCK, "no", updated_input=change))
    assert [result.error for result in careful(stack)] == ["no", "no"]
    gentle = ToolStack()
    gentle.before(name="changes", type="transformation")(lambda call: Outcome(updated_input=change))
    assert [result.output for result in careful(gentle)] == ["ran ls -a", "ran ls -a"]
    _, verdict = told_by(gentle)
    assert [(each.hook, each.updated_input) for each in verdict.outcomes] == [("changes", change)]


def test_law_1_the_tool_gets_what_the_guards_made_of_a_later_rewrite() -> None:
    stack = ToolStack()

    @stack.before(name="guard")
    def shorter(call: ToolCall) -> ToolCall | None:
        return call.replace(input={"command": "ls"}) if call.input["command"] == "ls -b" else None

    stack.around()(again)
    assert [result.output for result in careful(stack)] == ["ran ls", "ran ls"]


def test_law_1_a_yes_to_the_old_call_is_withdrawn_in_the_record_and_a_question_is_not() -> None:
    for rewriting in ("before", "around"):
        stack = ToolStack(ask=lambda call, reason: True)

        @stack.before(name="yes", priority=2)
        def yes(call: ToolCall) -> Outcome | None:
            return Outcome(Decision.APPROVE) if call.input["command"] == "ls" else None

        @stack.before(name="asks", priority=1)
        def asks(call: ToolCall) -> Ask | None:
            return Ask("sure?") if call.input["command"] == "ls" else None

        if rewriting == "before":

            @stack.before(name="writes")
            def writes(call: ToolCall) -> ToolCall:
                return call.replace(input={"command": "ls -b"})

        else:
            stack.around(name="writes")(again)
        result, verdict = told_by(stack)
        assert result.output == "ran ls -b"
        first = next(each for each in verdict.outcomes if each.hook == "yes")
        assert first.decision is Decision.CONTINUE


def test_a_call_that_never_settles_names_its_rule() -> None:
    def longer(call: ToolCall) -> ToolCall:
        return call.replace(input={"command": f"{call.input['command']}x"})

    stack = ToolStack()
    stack.before(name="longer")(longer)
    result, verdict = told_by(stack)
    assert (verdict.rule, verdict.hook) == ("engine/unsettled-rewrite", "engine")
    assert result.error == "the call was still being rewritten after 3 rounds"
    around = ToolStack()

    @around.around(name="restless")
    def restless(call: ToolCall) -> Generator[ToolCall, Any, None]:
        while True:
            call = longer(call)
            if (yield call).blocked:
                return

    ran: list[object] = []
    around.before(name="seen")(lambda call: ran.append(call.input["command"]))
    result, verdict = told_by(around)
    assert (verdict.rule, verdict.hook) == ("engine/unsettled-rewrite", "engine")
    assert result.error == "the call was rewritten 3 times after its guards"
    assert ran == ["ls", "lsx", "lsxx"]


@pytest.mark.parametrize("type", ["validation", "transformation", "safety", "authorization"])
def test_in_a_stack_too_only_guards_approve(type: str) -> None:
    stack = ToolStack()
    stack.before(name="yes", type=type)(lambda call: Outcome(Decision.APPROVE))
    _, verdict = told_by(stack)
    approves = type in ("safety", "authorization")
    assert verdict.decision is (Decision.APPROVE if approves else Decision.ALLOW)


@pytest.mark.parametrize(
    ("type", "earlier"),
    [
        ("validation", []),
        ("transformation", ["validation"]),
        ("safety", ["validation", "transformation"]),
    ],
)
def test_nothing_runs_after_a_hook_that_stops_the_call(type: str, earlier: list[str]) -> None:
    stack, seen = ToolStack(), []
    stack.before(name="stops", type=type, priority=9)(lambda call: Block("no"))
    stack.before(name="v", type="validation")(lambda call: seen.append("validation"))
    stack.before(name="t", type="transformation")(lambda call: seen.append("transformation"))
    stack.before(name="s", type="safety")(lambda call: seen.append("safety"))
    assert {result.error for result in careful(stack)} == {"no"}
    assert seen == earlier * 2


def test_a_validation_hook_looks_again_at_a_call_that_was_rewritten() -> None:
    stack, seen = ToolStack(), []
    stack.before(type="validation", name="v")(lambda call: seen.append(call.input["command"]))
    stack.before(type="transformation", name="t")(lambda call: call.replace(input={"command": "ls -a"}))
    stack.process(ls(), None, execute)
    assert seen == ["ls", "ls -a"]


def test_a_validation_hook_looks_again_at_what_a_guard_rewrote() -> None:
    stack, seen = ToolStack(), []
    stack.before(type="validation", name="v")(lambda call: seen.append(call.input["command"]))
    stack.before(name="g")(lambda call: call.replace(input={"command": "ls -a"}))
    assert stack.process(ls(), None, execute).output == "ran ls -a"
    assert seen == ["ls", "ls -a"]


def test_an_empty_objection_has_a_reason_all_the_same() -> None:
    stack = ToolStack()
    stack.before(name="b")(lambda call: Outcome(Decision.BLOCK))
    assert {result.error for result in careful(stack)} == {"no reason was given"}


def test_what_a_hook_raised_says_where() -> None:
    stack = ToolStack()

    @stack.before(name="breaks")
    def breaks(call: ToolCall) -> None:
        raise LookupError("lost")

    result, verdict = told_by(stack)
    (failure,) = verdict.failures
    assert result.error == f"the hook 'breaks' could not answer: {failure.message}"
    assert failure.message.startswith(f"LookupError: lost ({__file__}:")
    assert (failure.stage, failure.code) == (Stage.EXECUTION, FailureCode.EXECUTION_FAILURE)
    assert failure.details == {"eventName": "BeforeTool", "hook": "breaks"}


def test_what_is_no_answer_is_a_failure_of_interpretation() -> None:
    stack = ToolStack()
    stack.before(name="odd")(lambda call: 42)
    (failure,) = told_by(stack)[1].failures
    assert (failure.stage, failure.code) == (Stage.INTERPRETATION, FailureCode.INTERPRETATION_FAILURE)
    assert failure.message == "it returned 42, which is no answer; return None for no opinion"


def test_a_hook_that_took_too_long_is_told_apart() -> None:
    stack = ToolStack()

    @stack.before(name="slow")
    def slow(call: ToolCall) -> None:
        raise TimeoutError("late")

    (failure,) = told_by(stack)[1].failures
    assert (failure.stage, failure.code) == (Stage.EXECUTION, FailureCode.TIMEOUT)
    assert failure.details == {"eventName": "BeforeTool", "hook": "slow"}


@pytest.mark.parametrize("answer", [None, ToolResult("less"), Execution(ls(), "less", ok=False, error="odd")])
def test_a_result_that_refuses_nothing_is_recorded_as_no_opinion(answer: object) -> None:
    after, around = ToolStack(), ToolStack()
    after.after(name="h")(lambda result: answer)
    around.push(lambda call, state, next: (next(call), answer)[1], name="h")
    for stack in (after, around):
        _, verdict = told_by(stack)
        (outcome,) = verdict.outcomes
        assert (outcome.hook, outcome.decision, outcome.reason) == ("h", Decision.CONTINUE, "")


def test_a_refusal_that_passes_an_outer_hook_is_recorded_once() -> None:
    stack = ToolStack()
    stack.push(lambda call, state, next: next(call), name="outer", priority=1)
    stack.push(lambda call, state, next: Block("no"), name="inner")
    result, verdict = told_by(stack)
    assert result.error == "no"
    assert [(each.hook, each.decision) for each in verdict.outcomes] == [
        ("inner", Decision.BLOCK),
        ("outer", Decision.CONTINUE),
    ]
