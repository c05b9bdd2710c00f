"""`fleet privacy`, and what `fleet collect` and `fleet dashboard` refuse, in process."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairlead.doors.cli.main import fairlead
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.bundles.roles import Role, Roles, key_text
from fairlead.fleet.enrolment import Enrolment, write_enrolment
from index_kit import call, write


def run(home: Path, *words: str) -> Result:
    return CliRunner().invoke(fairlead, ["--home", str(home), "fleet", *words], standalone_mode=False)


def ran(home: Path, *words: str) -> str:
    result = run(home, *words)
    assert result.exception is None, result.exception
    return result.stdout


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write(tmp_path / "state" / "journal", *(call(number, "block") for number in range(4)))
    return tmp_path


def enrol(home: Path, *, decisions: bool = True) -> None:
    roles = Roles(1, bundle=Role((key_text(bytes(32)),)))
    (home / "config").mkdir(exist_ok=True)
    enrolment = Enrolment("m-1", "web", "nats://127.0.0.1:1", roles, decisions=decisions)
    write_enrolment(str(home / "config" / "fleet.yaml"), enrolment)


def take_up(home: Path, privacy: dict[str, object]) -> None:
    """As the agent leaves it behind."""
    folder = home / "state" / "fleet" / "bundles" / ("ab" * 32)
    folder.mkdir(parents=True, mode=0o700)
    manifest = Manifest("web", 4, 1_790_000_000, 1_890_000_000, {}, privacy=privacy)
    (folder / "manifest.json").write_bytes(manifest.written())
    (folder / "manifest.json").chmod(0o600)
    (home / "state" / "fleet" / "current").symlink_to(folder)


def test_a_machine_without_a_fleet_sends_nothing_and_says_what_it_would(home: Path) -> None:
    text = ran(home, "privacy")
    assert "belongs to no fleet: nothing leaves it" in text
    assert "prompts" in text


def test_the_last_lines_are_shown_as_they_leave(home: Path) -> None:
    enrol(home)
    found = json.loads(ran(home, "privacy", "--last", "2", "--json"))
    assert found["sent"] is True and found["machine"] == "m-1"
    assert [message["line"]["seq"] for message in found["messages"]] == [3, 4]
    assert all("/facts/tool/input" in message["erased"] for message in found["messages"])
    assert "git push" not in json.dumps(found["messages"])
    assert '"erased"' in ran(home, "privacy", "--last", "1")


def test_the_bundle_says_what_leaves(home: Path) -> None:
    enrol(home)
    people = base64.b64encode(b"k" * 32).decode()
    take_up(home, {"commands": ["git/*"], "fields": ["decision", "rule", "user"], "people": people})
    found = json.loads(ran(home, "privacy", "--last", "1", "--json"))
    (message,) = found["messages"]
    assert message["line"]["facts"] == {"command": "git push 3"}
    assert len(message["line"]["user"]) == 20 and "agent" not in message["line"]
    assert found["bundle"] == {"version": 4, "sha256": "ab" * 32}
    text = ran(home, "privacy")
    assert "by bundle 4" in text and "git/*" in text


def test_an_enrolment_that_keeps_decisions_here_says_so(home: Path) -> None:
    enrol(home, decisions=False)
    assert "Nothing leaves this machine" in ran(home, "privacy")


def test_what_a_bundle_says_wrongly_is_told(home: Path) -> None:
    enrol(home)
    take_up(home, {"fields": ["prompt"], "colour": 1})
    result = run(home, "privacy")
    assert "there is no field 'prompt'" in result.stderr and "colour" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["collect", "--source", "nats://127.0.0.1:1"], "which database"),
        (["collect", "--source", "nats://127.0.0.1:1", "--database", "mysql://x"], "no database"),
        (["collect", "--source", "http://x", "--database", "sqlite:x"], "no address of a broker"),
        (["collect", "--source", "nats://far.example:1", "--database", "sqlite:x"], "without TLS"),
        (
            ["collect", "--source", "nats://127.0.0.1:1", "--database", "sqlite:x", "--keep", "pas=3d"],
            "no class",
        ),
        (
            ["collect", "--source", "nats://127.0.0.1:1", "--database", "sqlite:x", "--keep", "pass=3"],
            "number of days",
        ),
        (["dashboard"], "which database"),
        (["dashboard", "--database", "x"], "no database"),
    ],
)
def test_what_cannot_be_collected_or_shown_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.delenv("FAIRLEAD_FLEET_DATABASE", raising=False)
    error = run(home, *words).exception
    assert isinstance(error, UsageError | FairleadError) and said in error.message
