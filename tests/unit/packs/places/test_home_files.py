"""Files in a home directory that a command would replace."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.packs.judging import call_effects as call
from tests.unit.packs.guard_kit import judge, shell_event


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with notes, and with a repository beside the project."""
    folder = tmp_path / "home" / "someone"
    (folder / "project").mkdir(parents=True)
    (folder / "other" / ".git").mkdir(parents=True)
    (folder / "notes.txt").write_text("remember")
    (folder / "other" / "README.md").write_text("# Other")
    monkeypatch.setattr(call, "home_of_user", lambda: str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_temporary_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own folder is a temporary one; here it is to count as a home."""
    monkeypatch.setattr("fairlead.shell.places.targets._TEMPORARY", ())


def decision(line: str, home: Path) -> Decision:
    return judge(shell_event(line, root=str(home / "project"))).decision


@pytest.mark.parametrize("line", ["cp a.txt ~/notes.txt", "echo x > ~/notes.txt", "mv a.txt ~/notes.txt"])
def test_to_replace_a_file_of_the_home_is_asked_about(line: str, home: Path) -> None:
    assert decision(line, home) is Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "cp a.txt ~/new.txt",
        "echo x >> ~/notes.txt",
        "cp -n a.txt ~/notes.txt",
        "cp README.md ~/other/README.md",
        "cp ~/notes.txt a.txt",
    ],
)
def test_what_is_new_or_kept_or_in_a_repository_is_not(line: str, home: Path) -> None:
    assert decision(line, home) is Decision.CONTINUE
