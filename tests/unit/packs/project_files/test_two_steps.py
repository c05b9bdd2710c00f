"""First a file is written, then a call runs it: every runner, by whose the file is."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.git_traps import git
from tests.unit.packs.guard_kit import judge, shell_event

TABLE = tomllib.loads((Path(__file__).parent / "two_steps.toml").read_text())
DECISIONS = {"block": Decision.BLOCK, "ask": Decision.ASK, "pass": Decision.CONTINUE}
_HARMLESS = "echo nothing"


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def lay(root: Path, state: str, *, name: str, text: str, line: str) -> None:
    """A project in which the file is in that state."""
    git(root, "init", "-q")
    before = {"changed": _HARMLESS, "committed": line}.get(state)
    if before is not None:
        put(root, name, text.format(line=before))
    put(root, "README.md", "A project.\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "work")
    put(root, name, text.format(line=line))
    if state == "staged":
        git(root, "add", "-A")


@pytest.mark.parametrize(
    ("runner", "danger", "state"),
    list(itertools.product(TABLE["runners"], TABLE["dangers"], TABLE["states"])),
)
def test_whose_file_it_is_decides_how_strictly_it_is_judged(
    tmp_path: Path, runner: str, danger: str, state: str
) -> None:
    name, text = TABLE["runners"][runner]
    row = TABLE["dangers"][danger]
    lay(tmp_path, state, name=name, text=text, line=row["line"])
    expected = row["verdicts"][TABLE["states"].index(state)]
    found = judge(shell_event(runner, root=str(tmp_path)))
    assert found.decision == DECISIONS[expected], found.reason


@pytest.mark.parametrize("runner", TABLE["runners"])
def test_a_harmless_file_that_was_just_written_passes(tmp_path: Path, runner: str) -> None:
    name, text = TABLE["runners"][runner]
    lay(tmp_path, "written", name=name, text=text, line=_HARMLESS)
    assert judge(shell_event(runner, root=str(tmp_path))).decision == Decision.CONTINUE
