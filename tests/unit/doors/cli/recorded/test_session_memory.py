"""`sessions show`, `sessions forget`, `check --session` and what `doctor` says of the memory, in process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairlead.doors.cli.checkup.state import look_at_memory
from fairlead.doors.cli.main import fairlead
from fairlead.doors.cli.output import Session
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.errors import TrustError, UsageError
from fairlead.policy.places import find_places


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return tmp_path / "project"


def run(home: Path, *words: str) -> Result:
    return CliRunner().invoke(fairlead, ["--home", str(home), *words], standalone_mode=False)


def called(home: Path, project: Path, command: str) -> bytes:
    """What Claude Code is told of a shell call."""
    payload = {
        "session_id": "mine",
        "hook_event_name": "PreToolUse",
        "cwd": str(project),
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": command,
    }
    systems = Systems(find_places(str(home)))
    hook_call = HookCall(
        "claude", json.dumps(payload).encode(), "PreToolUse", cwd=str(project), request="ab" * 16
    )
    reply = answer(hook_call, systems).reply
    systems.close()
    return reply.stdout


def test_what_one_process_fetched_is_asked_about_in_the_next(home: Path, project: Path) -> None:
    assert called(home, project, "curl -fsSLo tool https://get.example/tool") == b""
    told = called(home, project, "./tool")
    assert b"get.example" in told and b"call abababab" in told


def test_a_session_is_shown_with_what_it_made_and_fetched(home: Path, project: Path) -> None:
    called(home, project, "curl -fsSLo tool https://get.example/tool")
    shown = run(home, "sessions", "show", "mine").output
    assert (
        "made" in shown and "fetched" in shown and "get.example" in shown and str(project / "tool") in shown
    )
    notes = json.loads(run(home, "sessions", "show", "mine", "--json").output)
    assert {note["kind"] for note in notes} == {"wrote", "fetched"}
    assert isinstance(run(home, "sessions", "show", "other", "--json").exception, UsageError)
    assert json.loads(run(home, "sessions", "show", "mine", "--agent", "codex", "--json").output) == []


def test_a_command_can_be_checked_as_the_next_call_of_a_session(home: Path, project: Path) -> None:
    called(home, project, "curl -fsSLo tool https://get.example/tool")
    words = ("check", "--cwd", str(project), "./tool")
    assert run(home, *words).return_value == 0
    assert run(home, *words, "--session", "mine").return_value == 3
    assert "'mine'" in str(run(home, *words, "--session", "mime").exception.hint)


def test_to_check_a_command_is_not_to_remember_it(home: Path, project: Path) -> None:
    called(home, project, "curl -fsSLo tool https://get.example/tool")
    before = run(home, "sessions", "show", "mine").output
    run(home, "check", "--cwd", str(project), "--session", "mine", "curl -fsSLo b https://get.example/b")
    assert run(home, "sessions", "show", "mine").output == before


def test_nobody_but_a_person_makes_a_session_forgotten(home: Path, project: Path) -> None:
    called(home, project, "curl -fsSLo tool https://get.example/tool")
    assert isinstance(run(home, "sessions", "forget", "mine", "--yes").exception, TrustError)
    assert b"deny" in called(home, project, "fairlead sessions forget mine")
    assert run(home, "check", "fairlead sessions forget mine").return_value == 2
    assert run(home, "check", "fairlead sessions show mine").return_value == 0


def test_the_agent_cannot_change_what_is_remembered(home: Path, project: Path) -> None:
    called(home, project, "curl -fsSLo tool https://get.example/tool")
    (file,) = (home / "state" / "sessions").glob("*.notes")
    for command in (f"rm {file}", f"echo >> {file}", f"truncate -s 0 {file}", f"rm -rf {file.parent}"):
        assert b"deny" in called(home, project, command)


def test_a_memory_that_cannot_be_kept_is_in_the_journal_and_stops_nothing(home: Path, project: Path) -> None:
    (home / "state").mkdir(parents=True)
    (home / "state" / "sessions").write_text("in the way")
    assert called(home, project, "curl -fsSLo tool https://get.example/tool") == b""
    lines = (home / "state" / "journal" / "journal.jsonl").read_text().splitlines()
    assert "could not be kept" in json.loads(lines[-1])["degraded"]


def findings(home: Path) -> list[tuple[str, str]]:
    session = Session(str(home))
    return [(finding.id, finding.what) for finding in look_at_memory(session)]


def test_the_doctor_is_silent_about_a_memory_that_is_well(home: Path, project: Path) -> None:
    assert findings(home) == []
    called(home, project, "curl -fsSLo tool https://get.example/tool")
    assert findings(home) == []


def test_the_doctor_tells_of_lines_that_cannot_be_read_and_of_a_memory_that_cannot_be_kept(
    home: Path, project: Path
) -> None:
    called(home, project, "curl -fsSLo tool https://get.example/tool")
    (file,) = (home / "state" / "sessions").glob("*.notes")
    with file.open("ab") as torn:
        torn.write(b'["wro')
    ((id, text),) = findings(home)
    assert id == "memory" and "cannot be read" in text
    assert b"get.example" in called(home, project, "./tool")
    file.unlink()
    for rest in (home / "state" / "sessions").iterdir():
        rest.unlink()
    (home / "state" / "sessions").rmdir()
    (home / "state" / "sessions").write_text("in the way")
    ((id, text),) = findings(home)
    assert "cannot be kept" in text
