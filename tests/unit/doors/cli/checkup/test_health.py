from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.doors.cli.checkup import health
from fairlead.doors.cli.installation.facts import CHANGED, INSTALLED, NOT_INSTALLED, Trouble
from fairlead.doors.cli.output import Session


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("PATH", str(tmp_path / "no-programs"))
    return Session(str(tmp_path / "home"))


def found(
    monkeypatch: pytest.MonkeyPatch, state: str, *, proved: str = "", troubles: tuple[Trouble, ...] = ()
):
    row = {"agent": "claude", "state": state, "path": "/x", "proved": proved, "not_proved": "nobody asked"}
    monkeypatch.setattr(health, "agents_here", lambda session: (None, troubles, [row]))


def test_a_machine_without_agents_is_told_how_to_guard_one(session: Session, tmp_path: Path) -> None:
    agents, policy = health.health_of(session, str(tmp_path))
    assert (agents.name, agents.well, agents.fix) == ("agents", True, "fairlead install AGENT")
    assert (policy.name, policy.well) == ("policy", True)


@pytest.mark.parametrize(
    ("state", "proved", "well", "shown", "fix"),
    [
        (INSTALLED, "today", True, "guarded, proved today", ""),
        (INSTALLED, "", True, "guarded, not proved", "fairlead doctor"),
        (NOT_INSTALLED, "", True, "not guarded", "fairlead install claude"),
        (CHANGED, "", False, "changed", "fairlead doctor --fix"),
    ],
)
def test_each_agent_stands_as_status_says(
    session: Session, tmp_path: Path, monkeypatch, state: str, proved: str, well: bool, shown: str, fix: str
) -> None:
    found(monkeypatch, state, proved=proved)
    row = health.health_of(session, str(tmp_path))[0]
    assert (row.name, row.state, row.well, row.fix) == ("claude", shown, well, fix)


def test_what_is_wrong_with_the_installation_comes_first(
    session: Session, tmp_path: Path, monkeypatch
) -> None:
    found(monkeypatch, INSTALLED, troubles=(Trouble("the client is missing", "fairlead install"),))
    row = health.health_of(session, str(tmp_path))[0]
    assert (row.name, row.well, row.fix) == ("installation", False, "fairlead install")


def test_an_error_of_the_policy_is_shown_with_its_place(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "config" / "hooks"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text("event: BeforeTool\nmiddlewear: []\n")
    row = health.health_of(session, str(tmp_path))[-1]
    assert (row.name, row.well, row.fix) == ("policy", False, "fairlead policy check")
    assert "hook.meta.yaml:2" in row.detail
