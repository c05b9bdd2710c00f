"""A line is approved only if nothing about it could mean more than its commands say."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.packs.approval import loaded_files
from fairlead.sessions.memory import Memories
from fairlead.sessions.note import Kind, Note
from fairlead.sessions.notes_in_memory import NotesInMemory
from fairlead.testing import shell_event
from tests.unit.packs.approval.project_kit import approved, git, make_project, why_not

LISTED = ["npm test", "git *", "python *", "echo *", "cat *", "./run.sh *", "make *", "pytest *"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.mark.parametrize(
    "line", ["npm test", "git status && npm test", "timeout 60 npm test 2>&1", "CI=1 npm test"]
)
def test_a_line_of_listed_commands_is_approved(project: Path, line: str) -> None:
    assert not why_not(line, project, LISTED)
    assert approved(line, project, LISTED)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("npm test && rm x", "it is not listed"),
        ("npm test > out.txt", "writes, or reads from elsewhere"),
        ("npm test >> out.txt", "writes, or reads from elsewhere"),
        ("cat < /etc/passwd", "writes, or reads from elsewhere"),
        ("NODE_OPTIONS=x npm test", "it sets NODE_OPTIONS"),
        ("X=1; npm test", "it sets X"),
        ("sudo npm test", "it runs through `sudo`"),
        ("env npm test", "it runs through `env`"),
        ("bash -c 'npm test'", "it runs through `bash -c`"),
        ("echo $X", "cannot be known"),
        ("echo $(git rev-parse HEAD)", "cannot be known"),
        ("python -c 'print(1)'", "python of its own"),
        ("cat /etc/passwd", "outside the project"),
        ("cat a/../../x", "outside the project"),
        ("cd / && npm test", "outside the project"),
        ("cd tests; npm test", "in which folder"),
        ("cat .env", "secrets/"),
        ("git push --force origin main", "has to be written out"),
        ("git stash drop", "objects"),
        ("./run.sh", "was not read"),
        ("eval 'npm test'", "eval"),
        ("npm test | xargs cat", "xargs"),
    ],
)
def test_what_keeps_a_line_from_being_approved_is_said(project: Path, line: str, why: str) -> None:
    assert any(why in each for _, each in why_not(line, project, LISTED)), why_not(line, project, LISTED)
    assert not approved(line, project, LISTED)


@pytest.mark.parametrize(
    ("file", "line", "items"),
    [
        ("package.json", "npm test", ["starter/node"]),
        ("eslint.config.js", "npm run lint", ["starter/node"]),
        ("conftest.py", "pytest", ["starter/python"]),
        ("tests/test_app.py", "pytest tests/test_app.py", ["starter/python"]),
        ("Makefile", "make test", ["starter/make"]),
        ("Cargo.toml", "cargo test", ["starter/rust"]),
        ("go.mod", "go test ./...", ["starter/go"]),
        ("package.json", "npm test", ["npm test"]),
        ("conftest.py", "pytest -q", ["pytest *"]),
    ],
)
def test_what_runs_a_file_that_was_changed_since_the_last_commit_is_not_approved(
    project: Path, file: str, line: str, items: list[object]
) -> None:
    assert approved(line, project, items)
    before = (project / file).read_text()
    (project / file).write_text(
        before.replace('"scripts"', '"a": 1, "scripts"') + ("" if before[0] == "{" else "\n")
    )
    assert not approved(line, project, items)
    assert any(file in part for part, _ in why_not(line, project, items))
    git(project, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qam", "changed")
    assert approved(line, project, items)


@pytest.mark.parametrize(
    ("file", "line", "items"),
    [
        ("package.json", "npm test", ["starter/node"]),
        ("tests/test_app.py", "pytest", ["starter/python"]),
        ("pyproject.toml", "mypy src", ["starter/python"]),
        ("pkg/x_test.go", "go test ./...", ["starter/go"]),
        (".git/hooks/pre-commit", "git commit -m x", ["starter/git"]),
        (".git/config", "git commit -m x", ["starter/git"]),
    ],
)
def test_what_runs_a_file_that_the_session_wrote_is_not_approved_even_if_it_was_committed(
    project: Path, file: str, line: str, items: list[object]
) -> None:
    path = project / file
    if not path.exists():
        path.write_text("#!/bin/sh\nexit 0\n")
        path.chmod(0o755)
    assert approved(line, project, items)
    memories = Memories(NotesInMemory())
    event = shell_event(line, root=str(project), cwd=str(project), session="s")
    memories.note(event, [Note(Kind.WROTE, str(path))])
    assert not approved(line, project, items, memories)


def test_nothing_is_approved_where_there_is_no_project(tmp_path: Path) -> None:
    assert not approved("ls", Path("/"), ["starter/read-only"])


@pytest.mark.parametrize("kind", ["--bare", "--quiet"])
def test_git_in_a_repository_inside_the_project_is_not_approved(project: Path, kind: str) -> None:
    (project / "inner").mkdir()
    git(project / "inner", "init", "-q", kind)
    assert approved("cd src && git status", project, ["starter/git"])
    assert not approved("cd inner && git status", project, ["starter/git"])


def test_a_link_that_leads_out_is_not_followed(project: Path) -> None:
    (project / "link").symlink_to("/etc/passwd")
    assert not approved("cat link", project, ["starter/read-only"])


@pytest.mark.parametrize("link", ["link", "src/link"])
def test_a_folder_behind_a_link_is_outside_also_for_programs_that_no_record_knows(
    project: Path, link: str
) -> None:
    (project / link).symlink_to("/etc")
    assert not approved(f"pytest {link}", project, LISTED)
    assert not approved(f"./run.sh --to={link}", project, LISTED)
    assert approved("pytest tests/test_app.py::test_one", project, LISTED)


def test_a_search_that_follows_links_stays_in_the_project(project: Path) -> None:
    (project / "src" / "link").symlink_to("../tests")
    assert approved("grep -R loop src", project, ["starter/read-only"])
    (project / "src" / "other").symlink_to("/etc")
    assert not approved("grep -R loop src", project, ["starter/read-only"])
    assert not approved("grep --dereference-rec loop src", project, ["starter/read-only"])
    assert approved("grep -r loop src", project, ["starter/read-only"])


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the files had been there for a while: then what was found out about them is remembered."""
    monkeypatch.setattr(loaded_files, "is_settled", lambda identity: True)


def with_settings(project: Path) -> Path:
    """Those of a program that the line does not name."""
    config = project / ".mocharc.json"
    config.write_text("{}")
    git(project, "add", "-A")
    git(project, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "settings")
    return config


def test_settings_that_a_runner_loads_are_asked_about_again_when_the_commit_is_another(
    project: Path, settled: None
) -> None:
    with_settings(project)
    assert approved("npm run lint", project, ["starter/node"])
    git(project, "rm", "-q", "--cached", ".mocharc.json")
    git(project, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "without it")
    assert not approved("npm run lint", project, ["starter/node"])


def test_settings_that_a_runner_loads_are_asked_about_again_when_they_are_others(
    project: Path, settled: None
) -> None:
    config = with_settings(project)
    assert approved("npm run lint", project, ["starter/node"])
    config.write_text('{"require": "./evil"}')
    assert not approved("npm run lint", project, ["starter/node"])


def test_a_rule_that_only_a_stricter_level_has_keeps_a_line_from_being_approved(
    project: Path,
) -> None:
    line = "tee .github/workflows/ci.yml"
    assert [why for _, why in why_not(line, project, [line])] == ["ci/change-pipeline objects"]
    assert not approved(line, project, [line])


@pytest.mark.parametrize(
    ("file", "line", "items"),
    [
        ("packages/ui/package.json", "pnpm --filter ui test", ["starter/node"]),
        ("apps/package.json", "npm test", ["starter/node"]),
        ("crates/core/build.rs", "cargo check", ["starter/rust"]),
        ("app/build.gradle", "gradle test", ["starter/java"]),
    ],
)
def test_what_the_packages_of_a_project_run_must_be_committed_too(
    project: Path, file: str, line: str, items: list[object]
) -> None:
    assert approved(line, project, items)
    (project / file).parent.mkdir(parents=True)
    (project / file).write_text('{"scripts": {"test": "sh evil.sh"}}')
    assert not approved(line, project, items)
    git(project, "add", "-A")
    git(project, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "a package")
    assert approved(line, project, items)
