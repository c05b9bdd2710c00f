from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import HookType, Outcome
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.observers.operation_log import log_operations


def shell(command: str, root: str = "/nowhere") -> Event:
    call = ToolCall("Bash", {"command": command}, ToolKind.SHELL)
    return Event(EventName.BEFORE_TOOL, session="s1", root=root, tool=call)


def test_the_line_has_the_five_fields_and_no_secret(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "operations.jsonl"
    outcome = log_operations(
        shell("TOKEN=abc123 ls"), {"log_file": str(log)}, (Outcome(Decision.BLOCK, "no"),)
    )
    (line,) = log.read_text().splitlines()
    entry = json.loads(line)
    assert list(entry) == ["timestamp", "session_id", "tool_name", "tool_input", "blocked"]
    assert entry["tool_input"] == {"command": "TOKEN=[redacted:token] ls"}
    assert (entry["session_id"], entry["tool_name"], entry["blocked"]) == ("s1", "Bash", True)
    assert outcome.decision is Decision.CONTINUE
    assert outcome.metrics == {"logged": True, "log_file": str(log)}


def test_the_folder_and_the_file_are_the_owners_alone(tmp_path: Path) -> None:
    log = tmp_path / "a" / "b" / "log"
    log_operations(shell("ls"), {"log_file": str(log)}, ())
    log_operations(shell("ls"), {"log_file": str(log)}, ())
    assert stat.S_IMODE(log.parent.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert len(log.read_text().splitlines()) == 2


def test_a_relative_file_is_seen_from_the_project_root(tmp_path: Path) -> None:
    log_operations(shell("ls", str(tmp_path)), {"log_file": "logs/ops.jsonl"}, ())
    assert (tmp_path / "logs" / "ops.jsonl").exists()


def test_home_is_the_users_and_not_what_a_variable_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "wrong"))
    monkeypatch.setattr("fairlead.journal.files.home", lambda: str(tmp_path))
    log_operations(shell("ls"), {"log_file": "~/ops.jsonl"}, ())
    assert (tmp_path / "ops.jsonl").exists()


def test_a_file_that_cannot_be_written_is_reported_and_blocks_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    outcome = log_operations(shell("ls"), {"log_file": str(tmp_path / "pipe")}, ())
    assert outcome.decision is Decision.CONTINUE
    assert outcome.type is HookType.OBSERVABILITY
    assert outcome.metrics["logged"] is False
    assert outcome.failure is not None
    assert "Logging failed" in outcome.reason


def test_events_without_a_tool_are_logged_too(tmp_path: Path) -> None:
    log_operations(Event(EventName.SESSION_START), {"log_file": str(tmp_path / "log")}, ())
    entry = json.loads((tmp_path / "log").read_text())
    assert (entry["session_id"], entry["tool_name"], entry["tool_input"]) == (None, None, None)
