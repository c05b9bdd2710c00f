"""What a call lost, looked at and brought back from the dashboard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard_kit import Dashboard
from undo_kit import Project

pytestmark = pytest.mark.slow


@pytest.fixture
def writable(tmp_path: Path) -> Iterator[Dashboard]:
    made = Dashboard(tmp_path, writable=True)
    made.enter()
    yield made
    made.close()


def losing(dashboard: Dashboard) -> Project:
    return Project(dashboard.home.parent / "losing", saves=dashboard.home / "state" / "undo")


def test_a_look_says_what_would_be_done_and_changes_nothing(writable: Dashboard) -> None:
    project = losing(writable)
    lost = project.write("src/a.txt")
    saved = project.lose("rm -rf src")
    told = writable.ask(f"/api/saves/{saved}").json()
    assert (told["acts"], told["what"], told["root"]) == (True, "rm -rf src", str(project.folder))
    assert {"act": "bring back", "path": "src/a.txt", "why": ""} in told["steps"]
    assert not lost.exists()


def test_what_was_lost_comes_back_once(writable: Dashboard) -> None:
    project = losing(writable)
    lost = project.write("src/a.txt", "mine\n")
    saved = project.lose("rm -rf src")
    assert writable.ask(f"/api/saves/{saved}", "POST", {}).status == 200
    assert lost.read_text() == "mine\n"
    assert writable.ask(f"/api/saves/{saved}").json()["acts"] is False
    again = writable.ask(f"/api/saves/{saved}", "POST", {}).json()
    assert (again["acts"], again["undo"]) == (False, "")


def test_what_changed_since_stays_whatever_the_page_sends(writable: Dashboard) -> None:
    project = losing(writable)
    file = project.write("a.txt", "mine\n")
    saved = project.lose("rm a.txt")
    project.saver.ended(project.event("rm a.txt"))
    file.write_text("newer\n")
    told = writable.ask(f"/api/saves/{saved}", "POST", {"force": True}).json()
    assert file.read_text() == "newer\n"
    assert [step["act"] for step in told["steps"]] == ["beside"]
    assert Path(f"{file}.undo-{saved}").read_text() == "mine\n"


def test_a_dashboard_that_only_shows_brings_nothing_back(tmp_path: Path) -> None:
    dashboard = Dashboard(tmp_path)
    dashboard.enter()
    project = losing(dashboard)
    lost = project.write("src/a.txt")
    saved = project.lose("rm -rf src")
    refused = dashboard.ask(f"/api/saves/{saved}", "POST", {})
    assert refused.status == 403 and "--writable" in refused.json()["hint"]
    assert not lost.exists()
    assert dashboard.ask(f"/api/saves/{saved}").json()["acts"] is True
    dashboard.close()


@pytest.mark.parametrize("part", [slice(0, 6), slice(-4, None)])
def test_a_part_of_an_id_names_no_save(writable: Dashboard, part: slice) -> None:
    project = losing(writable)
    lost = project.write("src/a.txt")
    saved = project.lose("rm -rf src")
    for method in ("GET", "POST"):
        answer = writable.ask(f"/api/saves/{saved[part]}", method, {} if method == "POST" else None)
        assert answer.status == 400 and "not there" in answer.json()["error"]
    assert not lost.exists()


def test_a_name_that_is_no_text_is_shown_and_brought_back(writable: Dashboard) -> None:
    project = losing(writable)
    (project.folder / "src").mkdir()
    name = os.fsencode(project.folder / "src") + b"/caf\xe9"
    Path(os.fsdecode(name)).write_text("mine\n")
    saved = project.lose("rm -rf src")
    assert "src/caf\ufffd" in [step["path"] for step in writable.ask(f"/api/saves/{saved}").json()["steps"]]
    assert writable.ask(f"/api/saves/{saved}", "POST", {}).status == 200
    assert Path(os.fsdecode(name)).read_text() == "mine\n"
