"""Law 4 for hooks around tool calls: what was refused stays refused, whoever comes after."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest

from fairlead.doors.library.tool_stack import ToolStack
from fairlead.model.answer import Answer, Approve, Ask, Block, Execution, Halt
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall, ToolResult
from fairlead.model.verdict import Verdict

LS = ToolCall("bash", {"command": "ls"})
RM = LS.replace(input={"command": "rm -rf /"})


class Shell:
    """A tool that remembers what it ran."""

    def __init__(self) -> None:
        self.ran: list[object] = []

    def __call__(self, call: ToolCall, state: object) -> Execution:
        self.ran.append(call.input["command"])
        return Execution(call, f"ran {call.input['command']}")


def both(stack: ToolStack, call: ToolCall = LS) -> tuple[Execution, list[object]]:
    """What came of the call, and what ran: the same on an event loop and off it."""
    here, there = Shell(), Shell()
    result: Execution = stack.process(call, None, here)
    assert asyncio.run(stack.process_async(call, None, there)) == result
    assert here.ran == there.ran
    return result, here.ran


def no_rm(call: ToolCall) -> Block | None:
    return Block("nothing is removed here") if "rm" in str(call.input["command"]) else None


def again_and_again(wanted: ToolCall) -> Any:
    def around(call: ToolCall, state: object) -> Generator[ToolCall, Execution, Execution]:
        result = yield wanted
        while not result.ok:
            result = yield wanted
            if result.blocked:
                return result
        return result

    return around


def test_law_4_a_call_that_the_guards_refused_does_not_run_when_it_is_tried_again() -> None:
    stack = ToolStack().push(again_and_again(RM))
    stack.before()(no_rm)
    result, ran = both(stack)
    assert (result.error, ran) == ("nothing is removed here", [])


def test_law_4_a_human_who_said_no_is_not_asked_until_he_says_yes() -> None:
    answers, shell = [False, True], Shell()
    stack = ToolStack(ask=lambda call, reason: answers.pop(0)).push(again_and_again(RM))
    stack.before()(lambda call: Ask("sure?") if "rm" in call.input["command"] else None)
    result = stack.process(LS, None, shell)
    assert (result.decision, shell.ran, answers) == (Decision.ASK, [], [True])


def test_law_4_a_human_is_not_asked_again_when_an_outer_hook_approves() -> None:
    answers = [False, True]
    stack = ToolStack(ask=lambda call, reason: answers.pop(0))
    stack.around(priority=1)(lambda call, state, next: (next(call), Approve("it is fine"))[1])
    stack.around(priority=0)(lambda call, state, next: Ask("sure?"))
    shell = Shell()
    assert stack.process(LS, None, shell).error == "sure? (a human said no)"
    assert (shell.ran, answers) == ([], [True])


@pytest.mark.parametrize(
    "better", [ToolResult("all is well"), Execution(LS, "all is well"), "all is well", Approve("it is fine")]
)
def test_law_4_an_outer_hook_does_not_turn_an_inner_refusal_into_a_result(better: object) -> None:
    stack = ToolStack()

    @stack.around(priority=1)
    def soothe(call: ToolCall, state: object) -> Generator[ToolCall, Execution, Any]:
        yield call
        return better

    @stack.around()
    def withhold(call: ToolCall, state: object) -> Generator[ToolCall, Execution, Block]:
        yield call
        return Block("it holds a secret")

    result, _ = both(stack)
    assert (result.error, result.output, result.ok) == ("it holds a secret", None, False)


def test_an_outer_hook_may_reword_a_refusal() -> None:
    stack = ToolStack()
    stack.around(priority=-1)(lambda call, state, next: Block("no"))

    @stack.around()
    def explain(call: ToolCall, state: object) -> Generator[ToolCall, Execution, Execution]:
        result = yield call
        return result.replace(error=f"{result.error}, see the handbook").with_metadata(seen=True)

    result, _ = both(stack)
    assert (result.error, result.metadata["seen"]) == ("no, see the handbook", True)


@pytest.mark.parametrize("answer", [Block("secret"), Halt("secret"), Ask("secret")])
def test_law_4_after_a_withheld_result_no_hook_runs_that_could_bring_it_back(answer: Answer) -> None:
    seen: list[object] = []
    stack = ToolStack()
    stack.after(priority=1)(lambda execution: seen.append(execution) or ToolResult("brought back"))
    stack.after(priority=0)(lambda execution: answer)
    stack.after(type="observability")(lambda execution: seen.append(execution.error))
    result, ran = both(stack)
    assert (result.error, result.decision, ran) == ("secret", answer.decision, ["ls"])
    assert seen == ["secret", "secret"]


def test_law_4_an_execution_that_says_blocked_is_a_refusal_like_any_other() -> None:
    stack = ToolStack()
    refused = Execution(LS, None, ok=False, error="not that", decision=Decision.BLOCK)
    stack.after(priority=1)(lambda execution: ToolResult("brought back"))
    stack.after(priority=0)(lambda execution: refused)
    assert both(stack)[0] == refused


def test_law_7_an_execution_that_says_blocked_is_told_as_a_block_of_its_hook() -> None:
    refused = Execution(LS, None, ok=False, error="not that", decision=Decision.BLOCK)
    for place in ("after", "around"):
        told: list[Verdict] = []
        stack = ToolStack(tell=lambda call, verdict, told=told: told.append(verdict))
        function = (lambda execution: refused) if place == "after" else lambda call, state, next: refused
        getattr(stack, place)(name="judge")(function)
        stack.process(LS, None, Shell())
        assert [(each.decision, each.hook, each.reason) for each in told] == [
            (Decision.BLOCK, "judge", "not that")
        ]


def test_results_of_an_around_hook_that_refused_get_no_after_hooks() -> None:
    seen: list[str] = []
    stack = ToolStack().push(lambda call, state, next: Block("no"), name="never")
    stack.after()(lambda execution: seen.append("after"))
    assert both(stack)[0].error == "no"
    assert seen == []
