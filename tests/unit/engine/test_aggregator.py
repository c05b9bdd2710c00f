"""Silence is the quick way through aggregation; nothing that was said may take it."""

from __future__ import annotations

import pytest

from fairlead.engine.aggregator import aggregate
from fairlead.model.decision import Decision
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.verdict import Verdict

FAILURE = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, "broke")


def test_silent_outcomes_make_a_verdict_that_says_who_was_asked() -> None:
    outcomes = (Outcome(hook="a", milliseconds=1.0), Outcome(hook="b", metrics={"n": 1}))
    assert aggregate(outcomes) == Verdict(hook="a", outcomes=outcomes)
    assert aggregate(()) == Verdict()


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ({"decision": Decision.BLOCK}, {"decision": Decision.BLOCK}),
        ({"decision": Decision.ALLOW}, {"decision": Decision.ALLOW}),
        ({"reason": "why"}, {"reason": "why"}),
        ({"rule": "x/y"}, {"rule": "x/y"}),
        ({"evidence": (Evidence("rm"),)}, {"evidence": (Evidence("rm"),)}),
        ({"alternative": "ls"}, {"alternative": "ls"}),
        ({"stop": True, "stop_reason": "done"}, {"stop": True, "stop_reason": "done"}),
        ({"system_message": "hear"}, {"system_message": "hear"}),
        ({"suppress_output": True}, {"suppress_output": True}),
        ({"additional_context": "know"}, {"additional_context": "know"}),
        ({"extra": {"k": 1}}, {"extra": {"k": 1}}),
        ({"failure": FAILURE}, {"failures": (FAILURE,)}),
    ],
)
def test_whatever_a_hook_says_is_in_the_verdict(said: dict[str, object], verdict: dict[str, object]) -> None:
    found = aggregate((Outcome(hook="a", **said),))
    assert {name: getattr(found, name) for name in verdict} == verdict
