"""Hooks that run as another agent would run them: one batch, one step, and one answer for each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fairlead.engine.planner import Planner
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, HookType, Outcome
from fairlead.model.plan import Batch
from fairlead.testing import hook, result_event, shell_event, system_of


def quiet(*_: object) -> None:
    return None


def profiled(name: str, profile: str = "claude", **fields: object) -> Hook:
    made = hook(quiet, id=name, **fields)
    return made.replace(run=made.run.replace(profile=profile))


def ids(batches: Sequence[Batch]) -> list[list[str]]:
    return [[each.id for each in batch.hooks] for batch in batches]


HOOKS = [profiled("a"), hook(quiet, id="ours"), profiled("b"), profiled("c", "gemini"), profiled("d")]


def test_hooks_of_one_profile_share_the_batch_of_the_first() -> None:
    plan = Planner(HOOKS).plan(shell_event("ls"))
    assert ids(plan.guard) == [["a", "b", "d"], ["ours"], ["c"]]


def test_results_pass_our_hooks_backwards_and_those_of_a_profile_as_declared() -> None:
    after = EventName.AFTER_TOOL
    hooks = [each.replace(event=after) for each in HOOKS] + [hook(quiet, id="last", event=after)]
    plan = Planner(hooks).plan(result_event("Bash", {"command": "ls"}, "out"))
    assert ids(plan.result) == [["last"], ["a", "b", "d"], ["c"], ["ours"]]
    together = [hook(quiet, id=each, event=after, parallel=True) for each in "xyz"]
    plan = Planner(together).plan(result_event("Bash", {"command": "ls"}, "out"))
    assert ids(plan.result) == [["z", "y", "x"]]


def test_observers_run_at_once_but_for_those_of_a_profile() -> None:
    watching = [each.replace(type=HookType.OBSERVABILITY) for each in HOOKS]
    assert ids(Planner(watching).plan(shell_event("ls")).observe) == [["ours"], ["a", "b", "d"], ["c"]]
    assert ids(Planner(watching[2:]).plan(shell_event("ls")).observe) == [["b", "d"], ["c"]]


def test_types_of_one_profile_do_not_mix() -> None:
    hooks = [profiled("a"), profiled("b", type=HookType.AUTHORIZATION), profiled("c")]
    assert ids(Planner(hooks).plan(shell_event("ls")).guard) == [["a", "c"], ["b"]]


class Recorder:
    """Stands in for an executor: answers as told, and remembers what it was asked to run."""

    def __init__(self, answer: Capture) -> None:
        self.answer = answer
        self.asked: list[Hook] = []

    def __call__(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        self.asked.append(hook)
        return self.answer


def test_hooks_of_a_profile_are_run_as_one_and_answer_each_for_itself() -> None:
    each = (Capture(value=Outcome(Decision.ALLOW)), Capture(value=Outcome(Decision.ASK, "second")))
    run = Recorder(Capture(value=each))
    hooks = [profiled("a", timeout=2.0), profiled("b", timeout=3.0)]
    verdict = system_of(hooks).fire(shell_event("ls"), execute=run)
    assert [(outcome.hook, outcome.decision) for outcome in verdict.outcomes] == [
        ("a", Decision.ALLOW),
        ("b", Decision.ASK),
    ]
    (asked,) = run.asked
    assert (asked.id, asked.run.executor, asked.run.profile) == ("a+b", "profile", "claude")
    assert (asked.run.target, asked.timeout) == (tuple(hooks), 15.0)


@pytest.mark.parametrize("value", [None, (Capture(),), [Capture(), Capture()]])
def test_law_2_one_failure_of_a_profile_is_the_failure_of_each_hook(value: object) -> None:
    failure = Failure(Stage.EXECUTION, FailureCode.TIMEOUT, "late")
    run = Recorder(Capture(value=value, failure=failure))
    verdict = system_of([profiled("a"), profiled("b")]).fire(shell_event("ls"), execute=run)
    assert [outcome.hook for outcome in verdict.outcomes] == ["a", "b"]
    assert [outcome.failure and outcome.failure.message for outcome in verdict.outcomes] == ["late", "late"]
    assert verdict.decision is Decision.BLOCK


def test_a_profile_has_no_more_time_than_is_left_and_none_is_too_late() -> None:
    run = Recorder(Capture(value=(Capture(), Capture())))
    hooks = [profiled("a"), profiled("b")]
    system_of(hooks).fire(shell_event("ls"), seconds=4, execute=run)
    assert [each.timeout for each in run.asked] == [4.0]
    run.asked.clear()
    verdict = system_of(hooks).fire(shell_event("ls"), seconds=0, execute=run)
    assert run.asked == []
    assert [outcome.failure and outcome.failure.code for outcome in verdict.outcomes] == [
        FailureCode.TIMEOUT,
        FailureCode.TIMEOUT,
    ]


def test_law_2_a_broken_neighbour_is_not_run_and_answers_for_itself() -> None:
    failure = Failure(Stage.PLANNING, FailureCode.PLANNING_FAILURE, "no such file")
    run = Recorder(Capture(value=(Capture(value=Outcome(Decision.ALLOW)),)))
    hooks = [profiled("a").replace(broken=failure), profiled("b")]
    verdict = system_of(hooks).fire(shell_event("ls"), execute=run)
    assert [each.run.target for each in run.asked] == [(hooks[1],)]
    assert [(each.hook, each.decision) for each in verdict.outcomes] == [
        ("a", Decision.BLOCK),
        ("b", Decision.ALLOW),
    ]
    assert verdict.outcomes[0].failure is not None
    assert verdict.outcomes[0].failure.message == "no such file"


def test_results_have_three_phases_and_each_type_its_own() -> None:
    hooks = [hook(quiet, id=str(each), type=each, event=EventName.AFTER_TOOL) for each in HookType]
    plan = Planner(hooks).plan(result_event("Bash", {"command": "ls"}, "out"))
    assert ids(plan.validate) == [["validation"]]
    assert ids(plan.result) == [["safety"], ["authorization"], ["transformation"]]
    assert ids(plan.observe) == [["observability"]]
    assert (plan.transform, plan.guard) == ((), ())
