"""What the runners of an ordinary project run interrupts nobody."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.git_traps import git
from tests.unit.packs.guard_kit import judge, shell_event

_PROJECT = tomllib.loads((Path(__file__).parent / "ordinary_recipes.toml").read_text())


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name, text in _PROJECT["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "work")
    return folder


@pytest.mark.parametrize("line", _PROJECT["lines"])
def test_the_work_of_every_day_is_not_interrupted(root: Path, line: str) -> None:
    found = judge(shell_event(line, root=str(root)))
    assert found.decision == Decision.CONTINUE, found.reason
