"""A hook that runs alone takes the short way; time, breakage and rewrites are the same on it."""

from __future__ import annotations

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.failure import FailureCode, Stage
from fairlead.model.hook import Capture, Hook, HookType, Outcome
from fairlead.model.matcher import matcher_from
from fairlead.model.plan import Plan
from fairlead.testing import FakeClock, hook, shell_event, system_of


def nothing(*_: object) -> None:
    return None


def other_command(event: Event, *_: object) -> Outcome:
    return Outcome(updated_input={"command": "true"})


@pytest.mark.parametrize(("executor", "timeout"), [("call", 5.0), ("builtin", 30.0)])
@pytest.mark.parametrize("together", [1, 2])
def test_a_hook_has_no_more_time_than_is_left_unless_nothing_could_end_it(
    executor: str, timeout: float, together: int
) -> None:
    given: list[float] = []

    def execute(hook: Hook, *_: object) -> Capture:
        given.append(hook.timeout)
        return Capture()

    hooks = [hook(nothing, id=f"h{each}", parallel=True) for each in range(together)]
    hooks = [each.replace(run=each.run.replace(executor=executor)) for each in hooks]
    system_of(hooks).fire(shell_event("ls"), seconds=5, execute=execute)
    assert given == [timeout] * together


@pytest.mark.parametrize("executor", ["call", "builtin"])
@pytest.mark.parametrize("timeout", [30.0, 0.0])
def test_a_hook_that_comes_too_late_is_not_run(executor: str, timeout: float) -> None:
    clock = FakeClock()

    def slow(*_: object) -> None:
        clock.advance(7)

    late = hook(nothing, id="late", timeout=timeout)
    late = late.replace(run=late.run.replace(executor=executor))
    verdict = system_of([hook(slow, priority=1), late], clock=clock).fire(shell_event("ls"), seconds=5)
    assert verdict.decision is Decision.BLOCK
    assert [failure.code for failure in verdict.failures] == [FailureCode.TIMEOUT]


def test_a_plan_that_breaks_in_the_middle_is_a_failure_of_planning() -> None:
    system = system_of([hook(other_command, type=HookType.TRANSFORMATION), hook(nothing)])
    plan = system._planner.plan

    def once(event: Event) -> Plan:
        if event.tool is not None and event.tool.input == {"command": "true"}:
            raise LookupError("lost")
        return plan(event)

    system._planner.plan = once  # type: ignore[method-assign]
    verdict = system.fire(shell_event("ls"))
    assert verdict.decision is Decision.BLOCK
    assert verdict.failures[0].stage is Stage.PLANNING
    assert "LookupError: lost" in verdict.reason


def test_a_guard_that_looks_at_arguments_is_asked_about_a_call_that_was_changed_in_place() -> None:
    def in_place(event: Event, *_: object) -> None:
        assert event.tool is not None and isinstance(event.tool.input, dict)
        event.tool.input["command"] = "rm"

    def refuse(*_: object) -> Outcome:
        return Outcome(Decision.BLOCK, "no rm")

    guard = hook(refuse, matcher=matcher_from({"arguments": {"command": "rm"}}))
    changer = hook(in_place, type=HookType.VALIDATION)
    assert system_of([changer, guard]).fire(shell_event("ls")).decision is Decision.BLOCK
