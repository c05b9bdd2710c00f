"""A line may put what it prints into a new temporary file, and nowhere else."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.sessions.memory import Memories
from fairlead.sessions.note import Kind, Note
from fairlead.sessions.notes_in_memory import NotesInMemory
from fairlead.testing import shell_event
from tests.unit.packs.approval.project_kit import approved, make_project

SETS = ["starter/read-only"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def path() -> Iterator[Path]:
    """A name in /tmp at which nothing is."""
    handle, name = tempfile.mkstemp(prefix="approval-", suffix=".txt", dir="/tmp")
    os.close(handle)
    file = Path(name)
    file.unlink()
    yield file
    file.unlink(missing_ok=True)


def test_a_new_temporary_file_may_be_written_and_read_in_the_line(project: Path, path: Path) -> None:
    assert approved(f"ls > {path} 2>&1; tail -3 {path}", project, SETS)


def test_a_file_that_is_there_already_is_not_overwritten_nor_read(project: Path, path: Path) -> None:
    path.write_text("somebody else's\n")
    assert not approved(f"ls > {path}", project, SETS)
    assert not approved(f"cat {path}", project, SETS)


def test_a_link_is_not_written_through(project: Path, path: Path) -> None:
    path.symlink_to(project / "a.txt")
    assert not approved(f"ls > {path}", project, SETS)
    path.unlink()
    path.symlink_to(project / "not-there")
    assert not approved(f"ls > {path}", project, SETS)


def test_what_the_session_made_it_may_write_and_read_again_but_not_run(project: Path, path: Path) -> None:
    path.write_text("ours\n")
    memories = Memories(NotesInMemory())
    event = shell_event("ls", root=str(project), cwd=str(project), session="s")
    memories.note(event, [Note(Kind.WROTE, str(path))])
    assert approved(f"ls >> {path}", project, SETS, memories)
    assert approved(f"tail -3 {path}", project, SETS, memories)
    assert not approved(f"sh {path}", project, SETS, memories)
    assert not approved(f". {path}", project, SETS, memories)


@pytest.mark.parametrize("name", ["pytest.ini", "conftest.py", "Cargo.toml", "package.json", "Makefile"])
def test_above_a_project_no_file_is_made_that_programs_would_read(name: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="approval-", dir="/tmp"))
    try:
        project = make_project(folder)
        assert not approved(f"ls > /tmp/approval-{os.getpid()}-{name}", project, SETS)
        assert approved(f"ls > /tmp/approval-{os.getpid()}.log", project, SETS)
    finally:
        shutil.rmtree(folder)
