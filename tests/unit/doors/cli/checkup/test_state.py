"""What `doctor` says of what Fairlead keeps: the disk, the journal, the clock, the off-marker."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from fairlead.doors.cli.checkup import state
from fairlead.doors.cli.checkup.finding import Finding, Level
from fairlead.doors.cli.output import Session
from index_kit import NOW, call, write


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session(str(tmp_path / "home"))
    os.makedirs(made.places.state)
    return made


def only(found: list[Finding]) -> Finding:
    (finding,) = found
    return finding


def test_a_state_that_can_be_written_is_well_and_nothing_is_left_in_it(session: Session) -> None:
    assert only(list(state.look_at_disk(session))).level is Level.OK
    assert os.listdir(session.places.state) == []


def test_a_disk_that_is_read_only_is_named(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> tuple[int, str]:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(state.tempfile, "mkstemp", refuse)
    finding = only(list(state.look_at_disk(session)))
    assert finding.what == f"{session.places.state} cannot be written: Read-only file system"
    assert not finding.ok


@pytest.mark.parametrize(
    ("free", "files", "words"), [(10, 5, "0 MiB"), (1 << 20, 0, "no room for another file")]
)
def test_a_disk_that_is_nearly_full_is_named(
    session: Session, monkeypatch: pytest.MonkeyPatch, free: int, files: int, words: str
) -> None:
    found = os.statvfs(session.places.state)
    fields = list(found)
    fields[1], fields[4], fields[5], fields[7] = 4096, free, 1000, files
    monkeypatch.setattr(state.os, "statvfs", lambda _: os.statvfs_result(fields))
    finding = only(list(state.look_at_disk(session)))
    assert finding.what == f"the disk of {session.places.state} has {words} left"
    assert finding.fix == "fairlead log prune --older-than 30d"


def journal(session: Session) -> Path:
    return Path(session.places.state) / "journal"


def test_a_journal_that_is_not_there_yet_is_no_fault(session: Session) -> None:
    assert only(list(state.look_at_journal(session))).level is Level.OK


def test_a_journal_whose_file_is_a_folder_cannot_be_written(session: Session) -> None:
    (journal(session) / "journal.jsonl").mkdir(parents=True)
    finding = only(list(state.look_at_journal(session)))
    assert "journal.jsonl is a folder" in finding.what
    assert not finding.ok


def test_a_journal_that_is_a_link_cannot_be_written(session: Session, tmp_path: Path) -> None:
    journal(session).mkdir()
    (journal(session) / "journal.jsonl").symlink_to(tmp_path / "elsewhere")
    assert "journal.jsonl is a link" in only(list(state.look_at_journal(session))).what


def test_a_file_that_is_larger_than_any_of_ours_is_named(session: Session) -> None:
    journal(session).mkdir()
    with (journal(session) / "journal.jsonl").open("wb") as file:
        file.truncate(300 << 20)
    finding = only(list(state.look_at_journal(session)))
    assert "has 300 MiB, more than Fairlead ever writes into one file" in finding.what
    assert finding.fix.startswith("mv ")


def test_a_large_journal_is_noted_with_the_command_that_cuts_it(session: Session) -> None:
    journal(session).mkdir()
    for number in range(1, 6):
        with (journal(session) / f"journal.{number:06d}.jsonl").open("wb") as file:
            file.truncate(1 << 30)
    finding = only(list(state.look_at_journal(session)))
    assert (finding.level, finding.what) == (Level.NOTE, "the journal has 5 GiB")
    assert finding.fix == "fairlead log prune --older-than 90d"


@pytest.mark.parametrize(("now", "noted"), [(NOW - 86_400, True), (NOW + 60, False)])
def test_a_clock_that_was_set_back_is_noted(
    session: Session, monkeypatch: pytest.MonkeyPatch, now: float, noted: bool
) -> None:
    write(journal(session), call(1))
    monkeypatch.setattr(time, "time", lambda: now)
    found = {finding.id: finding.level for finding in state.look_at_journal(session)}
    assert (found.get("clock") is Level.NOTE) is noted


def test_a_machine_that_is_on_says_nothing_of_the_marker(session: Session) -> None:
    assert list(state.look_at_off(session)) == []


@pytest.mark.parametrize(
    ("content", "mode", "level", "words"),
    [
        ("0\n", 0o600, Level.BAD, "Fairlead is off for every agent until it is switched on"),
        ("0\nclaude\n", 0o600, Level.BAD, "Fairlead is off for claude"),
        ("1\n", 0o600, Level.NOTE, "has run out"),
        ("soon\n", 0o600, Level.NOTE, "does not say when it ends"),
        ("0\n", 0o666, Level.NOTE, "is not a file that nobody else can write"),
    ],
)
def test_what_the_marker_says_is_told(
    session: Session, content: str, mode: int, level: Level, words: str
) -> None:
    marker = Path(session.places.off_marker)
    marker.write_text(content)
    marker.chmod(mode)
    finding = only(list(state.look_at_off(session)))
    assert finding.level is level
    assert words in finding.what
    assert (finding.fix, finding.repair) == ("fairlead on", None)


def test_a_marker_that_is_a_folder_is_put_aside_with_what_is_in_it(session: Session) -> None:
    marker = Path(session.places.off_marker)
    (marker / "x").mkdir(parents=True)
    finding = only(list(state.look_at_off(session)))
    assert finding.repair is not None
    finding.repair()
    assert not marker.exists()
    (aside,) = Path(session.places.state).iterdir()
    assert (aside / "x").is_dir()


def test_a_marker_that_is_a_link_is_no_switch(session: Session, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("0\n")
    os.symlink(tmp_path / "x", session.places.off_marker)
    assert "is a link" in only(list(state.look_at_off(session))).what
