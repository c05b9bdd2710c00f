"""A hook that runs alone takes the short way; time, breakage and rewrites are the same on it."""

from __future__ import annotations

from typing import Any

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.failure import FailureCode, Stage
from fairlead.model.hook import Capture, Hook, HookType, Outcome
from fairlead.model.matching.matcher import matcher_from
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


def asked(names: list[str], name: str, outcome: Outcome | None = None, **fields: Any) -> Hook:
    """A hook that says whenever it is asked."""

    def run(*_: object) -> Outcome | None:
        names.append(name)
        return outcome

    return hook(run, id=name, **fields)


BROKEN: Any = ["no", "mapping"]


@pytest.mark.parametrize("type", [HookType.TRANSFORMATION, HookType.SAFETY])
def test_a_rewrite_into_a_broken_call_is_blocked_before_any_other_hook_sees_it(type: HookType) -> None:
    seen: list[str] = []
    rewrites = asked(seen, "rewrites", Outcome(updated_input=BROKEN), type=type)
    verdict = system_of([rewrites, asked(seen, "validates", type=HookType.VALIDATION)]).fire(
        shell_event("ls")
    )
    assert seen == ["validates", "rewrites"]
    assert (verdict.decision, verdict.hook, verdict.rule) == (
        Decision.BLOCK,
        "engine",
        "engine/invalid-rewrite",
    )
    assert verdict.reason.startswith("a hook rewrote the call into a broken one: BeforeTool input has")
    assert verdict.updated_input is None
    assert verdict.outcomes[-1].type is HookType.VALIDATION


def test_a_rewrite_into_a_broken_call_is_seen_by_no_guard() -> None:
    seen: list[str] = []
    rewrites = asked(seen, "rewrites", Outcome(updated_input=BROKEN), type=HookType.TRANSFORMATION)
    system_of([rewrites, asked(seen, "guards")]).fire(shell_event("ls"))
    assert seen == ["rewrites"]


@pytest.mark.parametrize("decision", [Decision.BLOCK, Decision.HALT])
def test_nothing_runs_after_a_hook_that_stops_the_call(decision: Decision) -> None:
    for type in (HookType.VALIDATION, HookType.TRANSFORMATION, HookType.SAFETY):
        seen: list[str] = []
        stops = asked(seen, "stops", Outcome(decision, "no"), type=type)
        later = [asked(seen, str(each), type=each) for each in HookType]
        verdict = system_of([stops.replace(priority=1), *later]).fire(shell_event("ls"))
        assert (seen[-1], verdict.decision) == ("stops", decision)


def test_a_validation_hook_looks_again_at_a_call_that_was_rewritten_and_not_at_one_that_was_not() -> None:
    for outcome, times in ((Outcome(updated_input={"command": "true"}), 2), (None, 1)):
        seen: list[str] = []
        hooks = [
            asked(seen, "validates", type=HookType.VALIDATION),
            asked(seen, "rewrites", outcome, type=HookType.TRANSFORMATION),
        ]
        system_of(hooks).fire(shell_event("ls"))
        assert seen.count("validates") == times


def test_law_1_a_yes_before_a_rewrite_is_withdrawn_and_a_question_stays() -> None:
    def once(event: Event, *_: object) -> Outcome | None:
        assert event.tool is not None
        return Outcome(Decision.APPROVE) if event.tool.input["command"] == "ls" else None

    verdict = system_of([hook(once, priority=1), hook(other_command)]).fire(shell_event("ls"))
    assert verdict.decision is Decision.CONTINUE
    assert verdict.outcomes[0].decision is Decision.CONTINUE


def test_law_1_a_call_that_guards_keep_rewriting_is_blocked() -> None:
    def longer(event: Event, *_: object) -> Outcome:
        assert event.tool is not None
        return Outcome(updated_input={"command": f"{event.tool.input['command']}x"})

    verdict = system_of([hook(longer)]).fire(shell_event("ls"))
    assert (verdict.decision, verdict.rule) == (Decision.BLOCK, "engine/unsettled-rewrite")
    assert verdict.reason == "the call was still being rewritten after 3 rounds of guards"
    assert [outcome.hook for outcome in verdict.outcomes] == ["longer"] * 3 + ["engine"]


@pytest.mark.parametrize(("seconds", "runs"), [(0.0, False), (0.5, True), (1.0, True)])
@pytest.mark.parametrize("together", [1, 2])
def test_a_hook_runs_as_long_as_any_time_is_left(seconds: float, runs: bool, together: int) -> None:
    seen: list[str] = []
    hooks = [asked(seen, f"h{each}", parallel=True) for each in range(together)]
    verdict = system_of(hooks).fire(shell_event("ls"), seconds=seconds)
    assert len(seen) == (together if runs else 0)
    assert [failure.code for failure in verdict.failures] == (
        [] if runs else [FailureCode.TIMEOUT] * together
    )
    assert verdict.outcomes[0].hook == "h0"


def test_what_came_too_late_says_so() -> None:
    (failure,) = system_of([hook(nothing, id="h")]).fire(shell_event("ls"), seconds=0).failures
    assert failure.message == "the time for this call was used up before it could run"
    assert failure.details == {"eventName": "BeforeTool", "hook": "h"}
