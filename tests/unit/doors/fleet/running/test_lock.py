"""There is one agent per folder, and only its owner can be it."""

import json
import os
import stat

from fairlead.doors.fleet.running.lock import FILE_NAME, running_agent, take_lock
from fairlead.doors.fleet.standing import Standing


def test_nobody_runs_where_nobody_ever_did(tmp_path):
    assert running_agent(str(tmp_path)) == 0


def test_the_second_gets_no_lock_and_everybody_sees_who_has_it(tmp_path):
    first = take_lock(str(tmp_path))
    assert first is not None
    assert take_lock(str(tmp_path)) is None
    assert running_agent(str(tmp_path)) == os.getpid()
    os.close(first)
    assert running_agent(str(tmp_path)) == 0


def test_nobody_else_can_hold_the_lock(tmp_path):
    (tmp_path / FILE_NAME).touch(0o666)
    descriptor = take_lock(str(tmp_path))
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
    os.close(descriptor)


def test_others_go_by_what_the_agent_said(tmp_path, monkeypatch):
    """As root every file can be opened, so the refusal is played here."""
    standing = Standing(str(tmp_path))
    standing.tell("agent", {"pid": os.getpid()})
    standing.write()

    def refused(*_):
        raise PermissionError

    monkeypatch.setattr("fairlead.doors.fleet.running.lock.os.open", refused)
    monkeypatch.setattr(
        "fairlead.doors.fleet.running.lock.read_standing", lambda _: json.loads(_text(tmp_path))
    )
    assert running_agent(str(tmp_path)) == os.getpid()


def _text(folder) -> str:
    return (folder / "status.json").read_text()
