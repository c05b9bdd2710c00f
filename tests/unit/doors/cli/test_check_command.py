"""`check` also says what let a call pass that would be stopped otherwise."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairlead.doors.cli.main import fairlead
from fairlead.policy.answers.grants import Grant, Grants
from fairlead.policy.off import switch_off
from fairlead.policy.places import find_places

PUSH = "git push --force origin main"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "home"


def check(home: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(fairlead, ["--home", str(home), "check", *words], standalone_mode=False)
    assert done.exception is None, done.exception
    return done.return_value, done.stdout


def test_an_exception_is_named_where_it_let_a_call_pass(home: Path) -> None:
    assert check(home, PUSH)[0] == 2
    Grants(find_places(str(home))).give_planned(Grant("", "git/force-push"), now=time.time())
    code, told = check(home, PUSH)
    assert code == 0 and "excepted from git/force-push; `fairlead allow --list` shows by which" in told
    assert "excepted" not in check(home, "git status")[1]


def test_what_is_off_is_said_beside_the_verdict(home: Path) -> None:
    switch_off(find_places(str(home)), seconds=3600.0, agents=())
    code, told = check(home, PUSH)
    assert code == 2 and "but Fairlead is off" in told and "`fairlead on` ends that" in told


def test_the_way_to_except_it_once_is_the_exact_command(home: Path) -> None:
    assert "once: fairlead allow git/force-push --once" in check(home, PUSH)[1]
    assert "once:" not in check(home, "git status")[1]
