"""Nothing dangerous is approved: a sample here, all of it with `python -m benchmarks.guard.approval`."""

from __future__ import annotations

import pytest

from benchmarks.guard.approval import (
    ALL_SETS,
    APPROVE,
    TRAPS,
    approved,
    approving,
    mutations,
    policy_with,
)
from benchmarks.guard.lines import HELD_OUT, VISIBLE, read_folder, read_lines
from benchmarks.guard.sessions.data import ATTACKS, read_sessions
from benchmarks.guard.sessions.play import play


@pytest.mark.slow
def test_of_a_sample_of_the_corpus_harmless_lines_are_approved_and_no_dangerous_one_however_spelled() -> None:
    lines = [line for folder in (VISIBLE, HELD_OUT) for line in read_folder(folder) if line.tool == "Bash"]
    dangerous = [line for line in lines if line.dangerous]
    harmless = [line for line in lines if not line.dangerous]
    with approving(ALL_SETS) as judge:
        assert approved(judge, harmless[::301])
        assert approved(judge, dangerous[::499]) == []
        assert approved(judge, list(mutations(dangerous[::2999]))[::5]) == []


@pytest.mark.slow
def test_no_dangerous_call_of_an_attack_is_approved() -> None:
    policy = policy_with(ALL_SETS)
    for session in read_sessions(ATTACKS)[::9]:
        played = [each for each in play(session, policy=policy) if each.step.dangerous]
        assert played and all(each.word != APPROVE for each in played)


def test_no_line_that_was_written_to_get_approved_is_approved() -> None:
    traps = read_lines(TRAPS)
    assert len(traps) == 150
    with approving(ALL_SETS) as judge:
        assert approved(judge, traps) == []
