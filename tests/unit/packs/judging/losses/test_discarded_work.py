"""Git puts away what is in the work tree; where all of that is committed, nothing is lost."""

import subprocess
from pathlib import Path

import pytest

from tests.unit.packs.guard_kit import judge, shell_event


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """Committed files, an ignored folder, and one file that was deleted."""
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "build").mkdir()
    for name in ("src/a.py", "src/b.py", "gone.txt", "build/x"):
        (root / name).write_text("1\n")
    (root / ".gitignore").write_text("build/\n*.secret\n")
    git(root.parent, "init", "-q", str(root))
    git(root, "add", "-A")
    git(root, "-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-qm", "first")
    (root / "gone.txt").unlink()
    return root


def passes(command: str, root: Path) -> bool:
    return not judge(shell_event(command, root=str(root))).decision.objects


@pytest.mark.parametrize(
    "command",
    [
        "git restore src/a.py",
        "git restore src",
        "git restore gone.txt",
        "git checkout -- src/a.py src/b.py",
        "git checkout gone.txt",
        "git checkout .",
        "git checkout HEAD -- src",
        "git checkout HEAD~1 -- src/a.py",
        "cd src && git restore a.py",
        "git -C src restore a.py",
        "git restore --staged --worktree .",
        "git reset --hard",
        "git reset --hard HEAD && git status -s",
        "git reset --hard HEAD~1",
        "git switch --discard-changes main",
        "git clean -fd",
        "git clean -fd src",
        "git rm -rf src",
        "bash -c 'git reset --hard'",
        "git restore '*.py'",
    ],
)
def test_where_nothing_would_be_lost_git_may_put_it_away(clean: Path, command: str) -> None:
    assert passes(command, clean)


@pytest.mark.parametrize(
    "command",
    [
        "git restore src/a.py",
        "git restore src",
        "git checkout -- src/b.py src/a.py",
        "git checkout src/b.py src/a.py",
        "git checkout HEAD~1 -- src/a.py",
        "git checkout HEAD src/a.py",
        "git restore '*.py'",
        "git restore --source=HEAD src",
        "git checkout .",
        "git checkout -f",
        "git reset --hard",
        "cd src && git reset --hard",
        "git rm -rf src",
    ],
)
def test_a_change_that_is_not_committed_is_not_put_away(clean: Path, command: str) -> None:
    (clean / "src/a.py").write_text("2\n")
    assert not passes(command, clean)


@pytest.mark.parametrize(
    ("command", "lost"),
    [
        ("git clean -fd", True),
        ("git clean -fd src", True),
        ("git clean -fd build", False),
        ("git reset --hard", False),
        ("git reset --hard HEAD~1", True),
        ("git checkout HEAD~1 -- src", True),
        ("git checkout -f other", True),
        ("git checkout .", False),
        ("git restore src", False),
    ],
)
def test_a_new_file_is_lost_where_git_deletes_it_or_another_commit_may_hold_one(
    clean: Path, command: str, lost: bool
) -> None:
    (clean / "src/new.py").write_text("3\n")
    assert passes(command, clean) is not lost


def test_an_ignored_file_is_lost_where_git_deletes_it_or_another_commit_may_hold_one(clean: Path) -> None:
    (clean / "my.secret").write_text("4\n")
    assert not passes("git clean -fdx", clean)
    assert not passes("git clean -fdX", clean)
    assert not passes("git checkout HEAD~3 -- my.secret", clean)
    assert passes("git clean -fd", clean)


@pytest.mark.parametrize(
    "command",
    [
        "git stash pop; git reset --hard",
        "git stash apply && git checkout .",
        "mv notes src/a.py; git checkout src/a.py",
        "sleep 600; git reset --hard",
        "git restore nothing.py",
        "git --git-dir=/else/.git reset --hard",
        "GIT_WORK_TREE=/else git checkout .",
        "export GIT_DIR=/else/.git; git reset --hard",
        "git -c core.worktree=/else reset --hard",
        "git -C /else reset --hard",
        'cd "$UNKNOWN" && git reset --hard',
        "cd maybe; git reset --hard",
        "watch git reset --hard",
        "git submodule foreach git reset --hard",
        "git rebase -x 'git reset --hard' main",
        "trap 'git reset --hard' EXIT",
        "echo 'git reset --hard' | at noon",
        "yes | git checkout -p .",
        "git checkout --pathspec-from-file=list",
        "ssh host 'git reset --hard'",
        "git worktree remove --force ../w",
    ],
)
def test_where_the_state_of_the_work_tree_says_nothing_a_loss_is_presumed(clean: Path, command: str) -> None:
    assert not passes(command, clean)


def test_outside_a_repository_a_loss_is_presumed(tmp_path: Path) -> None:
    assert not passes("git reset --hard", tmp_path)
