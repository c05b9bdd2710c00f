from __future__ import annotations

import pytest

from fairlead.model.decision import Decision
from fairlead.model.hook import HookType, Outcome

HOW_IT_RAN = {"hook", "type", "metrics", "timeline", "exit_code", "milliseconds"}


class _Stubborn:
    """Like some arrays: to compare it, or to ask whether it is true, is an error."""

    def __eq__(self, other: object) -> bool:
        raise ValueError

    def __bool__(self) -> bool:
        raise ValueError

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("field", Outcome._fields)  # all there are, so that a new one is tried too
def test_an_outcome_says_something_when_any_field_does_that_does_not_tell_how_it_ran(field: str) -> None:
    outcome = Outcome().replace(**{field: _Stubborn()})
    assert outcome.says_nothing() is (field in HOW_IT_RAN)


def test_no_opinion_says_nothing_whoever_has_it() -> None:
    ran = Outcome(hook="x", type=HookType.VALIDATION, metrics={"a": 1}, exit_code=0, milliseconds=0.2)
    assert ran.says_nothing()
    assert not Outcome(Decision.ALLOW).says_nothing()
