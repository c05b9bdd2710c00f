"""What comes with a folder, or is put there in a session, cannot make an approved command run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.packs.approval.starter_sets import PREFIX, SETS
from fairlead.sessions.memory import NO_MEMORIES, Memories
from fairlead.sessions.note import Kind, Note
from fairlead.sessions.notes_in_memory import NotesInMemory
from fairlead.testing import shell_event
from tests.unit.packs.approval.project_kit import approved, git, make_project

EVERY = [PREFIX + name for name in SETS]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def allowed(line: str, project: Path, memories: Memories = NO_MEMORIES) -> bool:
    return approved(line, project, EVERY, memories)


def having_written(project: Path, path: str) -> Memories:
    memories = Memories(NotesInMemory())
    event = shell_event("ls", root=str(project), cwd=str(project), session="s")
    memories.note(event, [Note(Kind.WROTE, str(project / path))])
    return memories


@pytest.mark.parametrize(
    ("hook", "line"),
    [
        ("post-index-change", "git status"),
        ("post-index-change", "git add a.txt"),
        ("reference-transaction", "git fetch origin"),
        ("reference-transaction", "git switch -c y"),
        ("pre-auto-gc", "git commit -m x"),
        ("post-checkout", "git checkout -b y"),
    ],
)
def test_a_hook_that_the_session_wrote_is_not_run_by_any_git_command(
    project: Path, hook: str, line: str
) -> None:
    assert allowed(line, project)
    assert not allowed(line, project, having_written(project, f".git/hooks/{hook}"))


def test_hooks_in_a_folder_of_the_project_count_as_well(project: Path) -> None:
    git(project, "config", "core.hooksPath", "hooks")
    assert allowed("git status", project)
    assert not allowed("git status", project, having_written(project, "hooks/post-index-change"))
    (project / "hooks").mkdir()
    (project / "hooks" / "reference-transaction").write_text("#!/bin/sh\n")
    assert not allowed("git status", project)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (".venv/bin/activate", "source .venv/bin/activate"),
        (".venv/lib/python3.12/site-packages/a.pth", "pytest"),
        ("node_modules/jest/index.js", "npm test"),
        ("node_modules/.bin/jest", "npx jest"),
    ],
)
def test_what_the_session_put_among_the_installed_is_not_run(project: Path, path: str, line: str) -> None:
    assert allowed(line, project)
    assert not allowed(line, project, having_written(project, path))


def test_the_scripts_of_an_installed_package_are_not_those_of_the_project(project: Path) -> None:
    package = project / "node_modules" / "left-pad"
    package.mkdir()
    (package / "package.json").write_text('{"scripts": {"test": "sh run-me"}}')
    assert not allowed("cd node_modules/left-pad && npm test", project)


@pytest.mark.parametrize("line", ["cat src/*.py", 'for f in src/*.py; do cat "$f"; done', "cd out && ls"])
def test_links_are_followed_whoever_names_them(project: Path, line: str) -> None:
    (project / "src" / "other.py").symlink_to("/etc/passwd")
    (project / "out").symlink_to("/etc")
    assert not allowed(line, project)


@pytest.mark.parametrize(
    "line", ["cat config/*", 'for f in config/*; do cat "$f"; done', "rg xyzzy", "grep -r xyzzy ."]
)
def test_no_pattern_comes_upon_a_secret(project: Path, line: str) -> None:
    (project / "config").mkdir()
    (project / "config" / "settings.yml").write_text("a: 1\n")
    assert allowed(line, project)
    (project / "config" / "master.key").write_text("xyzzy\n")
    assert not allowed(line, project)


def test_a_pattern_that_fits_an_option_is_none_of_the_files(project: Path) -> None:
    assert allowed("ls *.txt", project)
    (project / "-x.txt").write_text("")
    assert not allowed("ls *.txt", project)


@pytest.mark.parametrize("line", ["git status", "git add -A && git commit -m x", "npm test", "pytest -q"])
def test_in_another_work_tree_of_the_repository_the_same_is_approved(
    project: Path, tmp_path: Path, line: str
) -> None:
    git(project, "worktree", "add", "-q", str(tmp_path / "other"))
    assert allowed(line, tmp_path / "other")


def test_settings_that_work_trees_share_count_in_each(project: Path, tmp_path: Path) -> None:
    git(project, "worktree", "add", "-q", str(tmp_path / "other"))
    git(project, "config", "core.fsmonitor", "./x")
    assert not allowed("git status", tmp_path / "other")


def test_a_git_file_that_leads_to_somebody_elses_repository_is_not_followed(
    project: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / ".git").write_text(f"gitdir: {project}/.git\n")
    assert not allowed("git status", tmp_path / "other")


def test_a_remote_with_a_password_is_not_shown(project: Path) -> None:
    git(project, "remote", "add", "origin", "https://me:hunter2@example.org/x.git")
    assert not allowed("git remote -v", project)
    assert not allowed("git remote get-url origin", project)
    assert allowed("git status", project)


_OF_EVERYTHING = ("git grep -n KEY", "git log -p -3", "git show HEAD", "git diff HEAD~1")


@pytest.mark.parametrize("line", _OF_EVERYTHING)
def test_lines_of_all_files_are_shown_without_a_question_only_where_none_of_them_is_a_secret(
    project: Path, line: str
) -> None:
    assert allowed(line, project)
    git(project, "add", "--force", ".env")
    assert not allowed(line, project)


@pytest.mark.parametrize(
    "line",
    ["git grep -n loop -- src", "git log --oneline -3", "git show --stat HEAD", "git show HEAD:src/app.py"],
)
def test_a_committed_secret_does_not_matter_to_what_shows_other_files(project: Path, line: str) -> None:
    git(project, "add", "--force", ".env")
    assert allowed(line, project)
