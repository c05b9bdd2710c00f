"""Random projects, and random commands that destroy something in them: undo gives back what was there."""

import pytest

from benchmarks.undo.random_losses import play

_SECONDS = 38
"""A thousand take less on a machine that has nothing else to do; `make bench-undo` plays more."""


@pytest.mark.slow
def test_a_thousand_random_losses_come_back_as_they_were() -> None:
    outcomes, blocked, wrong = play(range(1000), seconds=_SECONDS)
    assert wrong == []
    assert outcomes["brought back"] > outcomes.total() * 0.65
    assert outcomes["blocked"] < outcomes.total() * 0.05, blocked
