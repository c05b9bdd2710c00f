"""What `doctor` says of the daemon and of the folder in which it listens."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fairlead.doors.cli.checkup import background
from fairlead.doors.cli.checkup.finding import Finding, Level
from fairlead.doors.cli.output import Session
from fairlead.doors.daemon import control
from fairlead.doors.daemon.lifecycle import DaemonError

INSTALLED: Any = SimpleNamespace(package="/opt/here/fairlead")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(str(tmp_path / "home"))


def only(found: list[Finding]) -> Finding:
    (finding,) = found
    return finding


def told(session: Session, monkeypatch: pytest.MonkeyPatch, **facts: object) -> list[Finding]:
    said = {
        "pid": 7,
        "version": "1",
        "package": INSTALLED.package,
        "interpreter": sys.executable,
        "problems": [],
        **facts,
    }
    monkeypatch.setattr(control, "ping", lambda _: said)
    return list(background.look_at_daemon(session, INSTALLED))


def test_a_daemon_of_the_recorded_build_is_well(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(told(session, monkeypatch)).level is Level.OK


def test_a_daemon_of_another_build_is_named_and_ended(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = only(told(session, monkeypatch, package="/opt/old/fairlead"))
    assert "runs from /opt/old/fairlead, and the client falls back to /opt/here/fairlead" in finding.what
    assert finding.fix == "fairlead daemon restart"
    ended: list[object] = []
    monkeypatch.setattr(control, "stop", ended.append)
    assert finding.repair is not None
    finding.repair()
    assert ended == [session.places]


def test_a_daemon_that_outlived_its_interpreter_is_named(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = only(told(session, monkeypatch, interpreter="/opt/here/gone/python"))
    assert "outlived its interpreter" in finding.what
    assert not finding.ok


def test_what_the_daemon_complains_of_is_passed_on(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    _, finding = told(session, monkeypatch, problems=["daemon.conf:1: 'x' is not understood"])
    assert (finding.level, finding.what) == (Level.NOTE, "daemon: daemon.conf:1: 'x' is not understood")


def test_a_daemon_that_is_silent_is_named_and_ended(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(_: object) -> None:
        raise DaemonError("the daemon does not answer: timed out")

    monkeypatch.setattr(control, "ping", silent)
    finding = only(list(background.look_at_daemon(session, INSTALLED)))
    assert finding.what == "the daemon does not answer: timed out"
    assert finding.repair is not None


def test_no_daemon_is_no_fault(session: Session) -> None:
    assert only(list(background.look_at_daemon(session, INSTALLED))).ok


def test_a_runtime_folder_that_is_not_there_yet_is_no_fault(session: Session) -> None:
    assert only(list(background.look_at_runtime_folder(session))).ok


def test_a_runtime_folder_that_is_a_link_is_named(session: Session, tmp_path: Path) -> None:
    os.makedirs(os.path.dirname(session.places.run))
    os.symlink(tmp_path, session.places.run)
    finding = only(list(background.look_at_runtime_folder(session)))
    assert (finding.what, finding.fix) == (
        f"{session.places.run} is not a folder",
        f"rm {session.places.run}",
    )


def test_a_runtime_folder_of_somebody_else_is_named(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.makedirs(session.places.run, mode=0o700)
    owner = os.getuid()
    monkeypatch.setattr(background.os, "getuid", lambda: owner + 1)
    finding = only(list(background.look_at_runtime_folder(session)))
    assert finding.what == f"{session.places.run} belongs to user {owner}"
