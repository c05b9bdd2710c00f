import pytest

from fairlead.model.decision import Decision
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import HookType, Outcome
from fairlead.model.verdict import Verdict

STAGE = Failure(Stage.PLANNING, FailureCode.PLANNING_FAILURE, "of a stage")
HOOK = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, "of a hook")
WATCHER = Outcome(type=HookType.OBSERVABILITY, failure=STAGE)


@pytest.mark.parametrize(
    ("verdict", "failure"),
    [
        (Verdict(), None),
        (Verdict(outcomes=(Outcome(),)), None),
        (Verdict(failures=(STAGE, HOOK)), STAGE),
        (Verdict(outcomes=(Outcome(), Outcome(failure=HOOK))), HOOK),
        (Verdict(failures=(STAGE,), outcomes=(Outcome(failure=HOOK),)), STAGE),
        (Verdict(outcomes=(WATCHER,)), None),
        (Verdict(outcomes=(WATCHER, Outcome(failure=HOOK))), HOOK),
    ],
)
def test_a_verdict_broke_down_where_a_stage_or_a_hook_with_a_say_did(
    verdict: Verdict, failure: Failure | None
) -> None:
    assert verdict.breakdown == failure


@pytest.mark.parametrize("decision", Decision)
def test_a_verdict_without_objection_or_approval_is_silent(decision: Decision) -> None:
    assert Verdict(decision).is_silent is (decision in (Decision.CONTINUE, Decision.ALLOW))


@pytest.mark.parametrize(
    "said",
    [
        {"stop": True},
        {"system_message": "x"},
        {"suppress_output": True},
        {"additional_context": "x"},
        {"extra": {"a": 1}},
        {"updated_input": {}},
        {"updated_output": ""},
    ],
)
def test_a_verdict_that_says_anything_is_not_silent(said: dict[str, object]) -> None:
    assert not Verdict().replace(**said).is_silent


def test_a_failure_is_told_with_its_stage_and_what_it_is_about() -> None:
    assert Failure(Stage.PLANNING, FailureCode.TIMEOUT, "m", {"hook": "h"}).as_json() == {
        "code": "TIMEOUT",
        "message": "m",
        "details": {"stage": "planning", "hook": "h"},
    }
