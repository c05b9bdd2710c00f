"""Random projects, and random commands that destroy something in them: undo gives back what was there."""

import pytest

from benchmarks.undo.random_losses import play

_QUARTER = 250


@pytest.mark.slow
@pytest.mark.parametrize("quarter", range(4))
def test_a_thousand_random_losses_come_back_as_they_were(quarter: int) -> None:
    outcomes, blocked, wrong = play(range(quarter * _QUARTER, (quarter + 1) * _QUARTER))
    assert wrong == []
    assert outcomes.total() == _QUARTER
    assert outcomes["brought back"] > _QUARTER * 0.65
    assert outcomes["blocked"] < _QUARTER * 0.05, blocked
