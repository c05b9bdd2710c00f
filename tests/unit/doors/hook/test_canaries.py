"""A canary is what `doctor` noted, and never what a payload says of itself."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairlead.doors.hook.call import answer
from fairlead.doors.hook.canaries import PREFIX, Canaries, noted
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.journal.reader import read_records
from fairlead.policy.answers.grants import Grants
from fairlead.policy.answers.questions import questions
from fairlead.policy.places import Places, find_places

ASKED = "event: PreToolUse\ndefault_decision: ask\nmiddleware: []\n"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return find_places(str(tmp_path / "home"))


def call(
    places: Places, command: str, session: str, *, cwd: str, agent: str = "claude", **more: object
) -> Mapping[str, object]:
    """The line of a call that was made."""
    payload = {
        "session_id": session,
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": os.urandom(8).hex(),
        **more,
    }
    systems = Systems(places)
    answer(HookCall(agent, json.dumps(payload).encode(), request=os.urandom(16).hex()), systems)
    systems.close()
    return list(read_records(os.path.join(places.state, "journal")))[-1]


def test_a_call_of_a_noted_session_is_marked_and_judged_like_any_other(
    places: Places, tmp_path: Path
) -> None:
    with noted(places) as canary:
        line = call(places, "rm -rf /", canary.name, cwd=str(tmp_path))
    plain = call(places, "rm -rf /", "s1", cwd=str(tmp_path))
    assert line["canary"] is True
    assert "canary" not in plain
    assert line["verdict"] == plain["verdict"]


@pytest.mark.parametrize(
    "session",
    [PREFIX + "0123456789abcdef", PREFIX, PREFIX + "../../../x", PREFIX + "a" * 500, "fairlead-doctor"],
)
def test_a_session_that_only_calls_itself_so_is_not_marked(
    places: Places, tmp_path: Path, session: str
) -> None:
    with noted(places):
        assert "canary" not in call(places, "ls", session, cwd=str(tmp_path))


def test_a_payload_that_says_canary_is_not_marked(places: Places, tmp_path: Path) -> None:
    line = call(places, "ls", "s1", cwd=str(tmp_path), canary=True, facts={"canary": True})
    assert "canary" not in line


def test_a_name_holds_no_longer_than_its_doctor(places: Places, tmp_path: Path) -> None:
    with noted(places) as canary:
        pass
    assert "canary" not in call(places, "ls", canary.name, cwd=str(tmp_path))


def test_a_name_that_nobody_took_away_runs_out(places: Places, tmp_path: Path) -> None:
    with noted(places) as canary:
        os.utime(canary.path, (1, 1))
        assert "canary" not in call(places, "ls", canary.name, cwd=str(tmp_path))
        with noted(places):
            assert not os.path.exists(canary.path)


def test_a_link_under_that_name_notes_nothing(places: Places, tmp_path: Path) -> None:
    with noted(places) as canary:
        os.unlink(canary.path)
        (tmp_path / "x").write_text("")
        os.symlink(tmp_path / "x", canary.path)
        assert not Canaries(places).has_session(canary.name)


def test_a_call_in_the_noted_folder_is_marked_and_no_other_folder(places: Places, tmp_path: Path) -> None:
    with noted(places) as canary:
        stage, beside = tmp_path / canary.name / "project", tmp_path / "other" / canary.name / "project"
        for folder in (stage, beside):
            folder.mkdir(parents=True)
        canary.covers(str(stage))
        assert call(places, "ls", "of-the-agent", cwd=str(stage))["canary"] is True
        assert "canary" not in call(places, "ls", "another", cwd=str(beside))


def test_a_session_that_moves_into_the_noted_folder_stays_in_its_project(
    places: Places, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    call(places, "ls", "s1", cwd=str(project))
    with noted(places) as canary:
        stage = tmp_path / canary.name / "project"
        stage.mkdir(parents=True)
        canary.covers(str(stage))
        line = call(places, "ls", "s1", cwd=str(stage))
    assert "canary" not in line
    assert line["root"] == str(project)


def test_a_canary_leaves_no_session_behind(places: Places, tmp_path: Path) -> None:
    with noted(places) as canary:
        stage = tmp_path / canary.name / "project"
        stage.mkdir(parents=True)
        canary.covers(str(stage))
        call(places, "ls", canary.name, cwd=str(tmp_path))
        call(places, "ls", "of-the-agent", cwd=str(stage))
    assert not os.path.exists(os.path.join(places.state, "sessions"))


def test_a_canary_is_judged_in_the_project_in_which_it_is_made(places: Places, tmp_path: Path) -> None:
    with noted(places) as canary:
        roots = []
        for name in ("one", "two"):
            (tmp_path / name / ".git").mkdir(parents=True)
            roots.append(call(places, "ls", canary.name, cwd=str(tmp_path / name))["root"])
    assert roots == [str(tmp_path / "one"), str(tmp_path / "two")]


def test_a_canary_asks_nobody(places: Places, tmp_path: Path) -> None:
    folder = Path(places.config) / "hooks" / "mine"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(ASKED)
    with noted(places) as canary:
        line = call(places, "deploy x", canary.name, cwd=str(tmp_path), agent="codex", turn_id="t", model="m")
    assert not questions(places)
    call(places, "deploy x", "s1", cwd=str(tmp_path), agent="codex", turn_id="t", model="m")
    verdict = line["verdict"]
    assert isinstance(verdict, dict)
    assert verdict["decision"] == "ask"
    assert len(questions(places)) == 1


def test_a_canary_uses_up_no_exception_and_has_none_of_one_time(places: Places, tmp_path: Path) -> None:
    rule = "filesystem/recursive-delete-outside-project"
    Grants(places).give(rule, once=True, now=1.0)
    with noted(places) as canary:
        line = call(places, "rm -rf /", canary.name, cwd=str(tmp_path))
    verdict = line["verdict"]
    assert isinstance(verdict, dict)
    assert verdict["decision"] == "block"
    assert [grant.used_by for grant in Grants(places).all()] == [""]


def test_a_canary_is_marked_while_fairlead_is_off_too(places: Places, tmp_path: Path) -> None:
    marker = Path(places.off_marker)
    marker.parent.mkdir(parents=True)
    marker.write_text("0\n")
    marker.chmod(0o600)
    with noted(places) as canary:
        stage = tmp_path / canary.name / "project"
        stage.mkdir(parents=True)
        canary.covers(str(stage))
        assert call(places, "ls", canary.name, cwd=str(tmp_path))["canary"] is True
        assert call(places, "ls", "of-the-agent", cwd=str(stage))["canary"] is True
    assert "canary" not in call(places, "ls", "s1", cwd=str(tmp_path))
