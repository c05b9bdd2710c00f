"""A program that a runner starts is approved where it is installed, and not put there by this session."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.sessions.memory import Memories
from fairlead.sessions.note import Kind, Note
from fairlead.sessions.notes_in_memory import NotesInMemory
from fairlead.testing import shell_event
from tests.unit.packs.approval.project_kit import approved, make_project, why_not

SETS = ["starter/node", "starter/python", "starter/read-only", "starter/git"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def wrote(project: Path, path: Path) -> Memories:
    memories = Memories(NotesInMemory())
    memories.note(
        shell_event("ls", root=str(project), cwd=str(project), session="s"), [Note(Kind.WROTE, str(path))]
    )
    return memories


def test_npx_would_fetch_what_is_not_installed(project: Path) -> None:
    assert approved("npx tsc --noEmit", project, SETS)
    (project / "node_modules/.bin/tsc").unlink()
    assert "would be fetched" in why_not("npx tsc --noEmit", project, SETS)[0][1]
    assert not approved("npx tsc --noEmit", project, SETS)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("node_modules/.bin/tsc", "npx tsc --noEmit"),
        ("node_modules/.bin/tsc", "./node_modules/.bin/tsc --noEmit"),
        ("node_modules/.bin/eslint", "npm run lint"),
        (".venv/bin/pytest", ".venv/bin/pytest -q"),
        (".venv/bin/activate", "source .venv/bin/activate && pytest -q"),
    ],
)
def test_a_tool_that_the_session_wrote_is_its_own(project: Path, file: str, line: str) -> None:
    assert approved(line, project, SETS)
    assert not approved(line, project, SETS, wrote(project, project / file))


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("node_modules/.bin/tsc", "npx tsc --noEmit"),
        (".venv/bin/pytest", ".venv/bin/pytest -q"),
        (".venv/bin/activate", ". .venv/bin/activate && pytest -q"),
    ],
)
def test_a_tool_that_is_a_link_to_a_file_of_the_project_is_not_installed(
    project: Path, file: str, line: str
) -> None:
    (project / "evil.sh").write_text("#!/bin/sh\n")
    (project / file).unlink()
    (project / file).symlink_to(project / "evil.sh")
    assert not approved(line, project, SETS)


def test_a_test_file_that_is_not_committed_is_not_run_unasked(project: Path) -> None:
    line = "npx vitest run tests/app.test.js"
    assert approved(line, project, SETS)
    (project / "tests/app.test.js").write_text("require('child_process')\n")
    assert not approved(line, project, SETS)


@pytest.mark.parametrize("name", ["config", "config.worktree", "info/attributes"])
def test_git_is_not_approved_once_the_session_wrote_its_settings(project: Path, name: str) -> None:
    assert approved("git fetch origin main", project, SETS)
    assert not approved("git fetch origin main", project, SETS, wrote(project, project / ".git" / name))
    assert not approved("git status", project, SETS, wrote(project, project / ".git" / name))
