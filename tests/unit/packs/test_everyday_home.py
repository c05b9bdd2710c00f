"""Everyday lines about dotfiles, `~/.config`, archives and globs, by somebody who did not know the rules."""

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.packs.judging import call_effects as call
from tests.unit.packs.guard_kit import judge, shell_event

LINES = (Path(__file__).parents[2] / "data" / "everyday_home.txt").read_text(encoding="utf-8").splitlines()
HOME, ROOT = "/home/somebody", "/home/somebody/project"


@pytest.mark.parametrize("line", LINES)
def test_everyday_work_in_a_home_is_not_interrupted(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "home_of_user", lambda: HOME)
    found = judge(shell_event(line, root=ROOT))
    assert found.decision is Decision.CONTINUE, found.reason


def test_there_are_more_than_three_hundred_of_them() -> None:
    assert len(set(LINES)) > 300
