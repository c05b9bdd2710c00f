import subprocess
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.repository.states import CLEAN, IGNORED, MISSING, MODIFIED, OUTSIDE, UNTRACKED
from tests.unit.packs.guard_kit import judge, shell_event


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    for name in ("src/kept.py", "src/changed.py", "alone.txt"):
        (root / name).write_text("1\n")
    (root / ".gitignore").write_text("cache/\n*.bin\n")
    git(root.parent, "init", "-q", str(root))
    git(root, "add", "-A")
    git(root, "-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-qm", "first")
    (root / "src/changed.py").write_text("2\n")
    (root / "new").mkdir()
    (root / "new/idea.py").write_text("3\n")
    (root / "cache").mkdir()
    (root / "cache/x").write_text("4\n")
    return root


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("src/kept.py", CLEAN),
        ("src/changed.py", MODIFIED),
        ("src", MODIFIED),
        ("new", UNTRACKED),
        ("new/idea.py", UNTRACKED),
        ("cache", IGNORED),
        ("gone", MISSING),
        ("new/*.py", UNTRACKED),
    ],
)
def test_git_says_whether_it_could_bring_a_path_back(project: Path, path: str, state: str) -> None:
    assert Inquiry()(str(project), [str(project / path)]) == state


def test_without_a_repository_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    assert Inquiry()(str(tmp_path), [str(tmp_path / "a")]) == OUTSIDE
    assert Inquiry()("/no/such/root", ["/no/such/root/a"]) == OUTSIDE


def test_a_repository_inside_the_project_cannot_be_brought_back(project: Path) -> None:
    git(project, "init", "-q", str(project / "cache/inner"))
    assert Inquiry()(str(project), [str(project / "cache/inner")]) == UNTRACKED


def test_the_projects_configuration_runs_no_code_inside_the_guard(project: Path) -> None:
    mark = project.parent / "ran"
    script = project.parent / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    git(project, "config", "core.fsmonitor", str(script))
    git(project, "config", "core.hooksPath", str(project.parent))
    Inquiry()(str(project), [str(project / "src")])
    assert not mark.exists()


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("rm -rf src", Decision.BLOCK),
        ("rm -rf new", Decision.BLOCK),
        ("rm src/changed.py", Decision.BLOCK),
        ("rm new/idea.py", Decision.BLOCK),
        ("rm src/kept.py", Decision.CONTINUE),
        ("rm -rf cache", Decision.CONTINUE),
        ("rm -rf gone", Decision.CONTINUE),
        ("> src/changed.py", Decision.BLOCK),
        ("find src -name '*.py' -delete", Decision.BLOCK),
        ("mv new /tmp/e && rm -rf /tmp/e", Decision.BLOCK),
    ],
)
def test_a_deletion_is_judged_by_what_git_could_bring_back(
    project: Path, command: str, decision: Decision
) -> None:
    outcome = judge(shell_event(command, root=str(project)))
    assert (outcome.decision, command) == (decision, command)


def test_a_recursive_deletion_by_pattern_is_judged_by_what_is_below(project: Path, monkeypatch) -> None:
    monkeypatch.setattr("fairlead.shell.places.targets._TEMPORARY", ())
    (project / "lib/inner").mkdir(parents=True)
    (project / "lib/inner/draft.py").write_text("5\n")
    git(project, "add", "lib")
    assert judge(shell_event("rm -r lib/*", root=str(project))).decision is Decision.BLOCK


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mkdir x && rm -rf x", Decision.CONTINUE),
        ("git clone https://example.com/x.git x; rm -rf x", Decision.CONTINUE),
        ("mkdir -p x && rm -rf x", Decision.BLOCK),
        ("rm -rf x; mkdir x", Decision.BLOCK),
        ("shred -u notes.txt", Decision.BLOCK),
        ("truncate -s0 notes.txt", Decision.BLOCK),
        ("truncate -s 1M notes.txt", Decision.CONTINUE),
        ("cp /dev/null notes.txt", Decision.BLOCK),
    ],
)
def test_without_an_answer_of_git_the_command_itself_decides(line: str, expected: Decision) -> None:
    assert judge(shell_event(line)).decision is expected
