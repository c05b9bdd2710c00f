"""First a file is written, then a call runs it: every runner, by whose the file is."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.git_traps import git
from tests.unit.packs.project_files.project_kit import commit, put
from tests.unit.packs.session_kit import SessionOfCalls

TABLE = tomllib.loads((Path(__file__).parent / "two_steps.toml").read_text())
WORDS = {Decision.BLOCK: "block", Decision.ASK: "ask", Decision.CONTINUE: "pass"}
_HARMLESS = "echo nothing"


class Project:
    """One file in one state, with whatever it holds."""

    def __init__(self, root: Path, runner: str, state: str) -> None:
        self.root, self.runner, self.state = root, runner, state
        self.name, self.text = TABLE["runners"][runner]

    def verdict(self, line: str) -> str:
        session = SessionOfCalls(self.root)
        if self.state == "changed":
            self._put(_HARMLESS)
        if self.state == "session":
            session.tool("Write", file_path=str(self.root / self.name), content="")
        if self.state == "fetched":
            session.run(f"curl -fsS -o {self.name} https://host.example/file")
        if self.state in ("committed", "session", "fetched"):
            self._put(line)
        commit(self.root)
        self._put(line)
        if self.state == "staged":
            git(self.root, "add", "-A")
        said = WORDS[session.run(self.runner).decision]
        (self.root / self.name).unlink()
        return said

    def _put(self, line: str) -> None:
        put(self.root, self.name, self.text.format(line=line))


@pytest.mark.parametrize(("runner", "state"), list(itertools.product(TABLE["runners"], TABLE["states"])))
def test_whose_file_it_is_decides_how_strictly_it_is_judged(tmp_path: Path, runner: str, state: str) -> None:
    project = Project(tmp_path, runner, state)
    column = TABLE["states"].index(state)
    found = {name: project.verdict(row["line"]) for name, row in TABLE["dangers"].items()}
    assert found == {name: row["verdicts"][column] for name, row in TABLE["dangers"].items()}


@pytest.mark.parametrize("runner", TABLE["runners"])
def test_a_harmless_file_that_was_just_written_passes(tmp_path: Path, runner: str) -> None:
    assert Project(tmp_path, runner, "written").verdict(_HARMLESS) == "pass"
