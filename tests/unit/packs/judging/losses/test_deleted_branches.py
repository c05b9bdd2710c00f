"""A branch may go if another one leads to its commits, or if they are the session's own."""

from pathlib import Path

import pytest

from tests.git_traps import git
from tests.unit.packs.project_files.project_kit import commit, put
from tests.unit.packs.session_kit import SessionOfCalls


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """On main, with one branch that is merged and one that is not."""
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    commit(root, a_txt="1\n")
    git(root, "branch", "merged")
    git(root, "checkout", "-q", "-b", "unmerged")
    commit(root, a_txt="2\n")
    git(root, "checkout", "-q", "main")
    commit(root, b_txt="1\n")
    return root


def passes(session: SessionOfCalls, command: str) -> bool:
    return not session.run(command).decision.objects


@pytest.mark.parametrize("packed", [False, True])
def test_what_another_branch_holds_is_not_lost(root: Path, packed: bool) -> None:
    if packed:
        git(root, "pack-refs", "--all")
        git(root, "gc", "-q")
    session = SessionOfCalls(root)
    assert passes(session, "git branch -D merged")
    assert passes(session, "git branch -d merged || git branch -D merged")
    assert not passes(session, "git branch -D unmerged")
    assert not passes(session, "git branch -D merged unmerged")
    assert not passes(session, "git branch -D missing")
    assert not passes(session, "git branch -D main")
    assert not passes(session, "git branch | grep merged | xargs git branch -D")
    assert not passes(session, 'git branch -D "$B"')
    assert not passes(session, "git -C ../other branch -D merged")
    assert not passes(session, "GIT_DIR=../other/.git git branch -D merged")


def test_two_branches_that_go_together_do_not_hold_each_other(root: Path) -> None:
    git(root, "branch", "copy", "unmerged")
    session = SessionOfCalls(root)
    assert passes(session, "git branch -D unmerged")
    assert not passes(session, "git branch -D unmerged copy")
    assert not passes(session, "git branch -D unmerged; git branch -D copy")
    assert not passes(session, "git branch -f copy main; git branch -D unmerged")
    assert not passes(session, "git checkout copy && git reset --hard main; git branch -D unmerged")


def test_what_was_pushed_is_on_the_remote(root: Path) -> None:
    git(root, "update-ref", "refs/remotes/origin/unmerged", "unmerged")
    assert passes(SessionOfCalls(root), "git branch -D unmerged")


@pytest.mark.parametrize(
    "made",
    [
        "git checkout -b mine",
        "git switch -c mine",
        "git checkout -b mine unmerged",
        "git worktree add ../w -b mine main",
    ],
)
def test_a_branch_of_the_session_is_its_own(root: Path, made: str) -> None:
    session = SessionOfCalls(root)
    assert passes(session, made)
    git(root, "checkout", "-q", "-b", "mine")
    put(root, "c.txt", "1\n")
    git(root, "add", "c.txt")
    git(root, "commit", "-qm", "mine")
    git(root, "checkout", "-q", "main")
    assert passes(session, "git branch -D mine")
    assert not passes(SessionOfCalls(root), "git branch -D mine")


def test_a_name_that_was_there_before_is_not_the_sessions(root: Path) -> None:
    session = SessionOfCalls(root)
    assert passes(session, "git checkout -b unmerged")
    assert not passes(session, "git branch -D unmerged")


def test_the_last_branch_that_leads_to_older_work_stays(root: Path) -> None:
    session = SessionOfCalls(root)
    assert passes(session, "git checkout -b copy unmerged")
    git(root, "branch", "copy", "unmerged")
    git(root, "branch", "-D", "unmerged")
    assert not passes(session, "git branch -D copy")
