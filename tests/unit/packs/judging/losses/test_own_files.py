"""What a session made or changed it may lose again; what was there before, it may not."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.unit.packs.session_kit import SessionOfCalls


def git(root: Path, *words: str) -> None:
    named = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    subprocess.run(["git", "-C", str(root), *named, *words], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    for name in ("src/a.py", "src/b.py", "drafted.py"):
        (root / name).write_text("1\n")
    git(root.parent, "init", "-q", str(root))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    (root / "drafted.py").write_text("the person's\n")
    (root / "notes.txt").write_text("the person's\n")
    return root


@pytest.fixture
def session(root: Path) -> SessionOfCalls:
    return SessionOfCalls(root)


def write(session: SessionOfCalls, name: str, content: str = "x = 1\n") -> None:
    assert not session.tool("Write", file_path=session.path(name), content=content).decision.objects
    session.make(name, content=content)


def edit(session: SessionOfCalls, name: str, content: str) -> None:
    path = session.path(name)
    assert not session.tool("Edit", file_path=path, old_string="1", new_string="2").decision.objects
    session.make(name, content=content)


def passes(session: SessionOfCalls, command: str) -> bool:
    return not session.run(command).decision.objects


def test_a_file_that_the_session_made_may_go(session: SessionOfCalls) -> None:
    write(session, "scratch.py")
    assert passes(session, "rm scratch.py")


def test_a_file_that_the_session_made_by_a_command_may_go(session: SessionOfCalls) -> None:
    assert passes(session, "cat > check.py <<'E'\nprint(1)\nE")
    session.make("check.py", content="print(1)\n")
    assert passes(session, "rm -f check.py")


def test_a_folder_of_nothing_but_what_the_session_made_may_go(session: SessionOfCalls) -> None:
    write(session, "examples/one.py")
    session.make("examples/made-by-its-programs.txt")
    assert passes(session, "rm -r examples")


def test_a_folder_that_was_there_before_may_not_go(session: SessionOfCalls, root: Path) -> None:
    (root / "drafts").mkdir()
    (root / "drafts/idea.py").write_text("the person's\n")
    write(session, "drafts/mine.py")
    assert not passes(session, "rm -r drafts")
    assert passes(session, "rm drafts/mine.py")


def test_what_was_moved_into_a_folder_of_the_session_may_not_go(session: SessionOfCalls, root: Path) -> None:
    old = time.time() - 3600
    os.utime(root / "notes.txt", (old, old))
    write(session, "box/one.py")
    os.rename(root / "notes.txt", root / "box/notes.txt")
    assert not passes(session, "rm -r box")


def test_what_replaced_a_file_of_the_session_by_a_move_may_not_go(
    session: SessionOfCalls, root: Path
) -> None:
    write(session, "scratch.py")
    assert passes(session, "mv notes.txt scratch.py")
    os.rename(root / "notes.txt", root / "scratch.py")
    assert not passes(session, "rm scratch.py")


def test_a_file_that_the_session_only_changed_may_not_go(session: SessionOfCalls) -> None:
    edit(session, "notes.txt", "changed\n")
    assert not passes(session, "rm notes.txt")


def test_another_session_owns_nothing(session: SessionOfCalls, root: Path) -> None:
    write(session, "scratch.py")
    assert not passes(SessionOfCalls(root, name="another"), "rm scratch.py")


@pytest.mark.parametrize(
    "command", ["git restore src/a.py", "git checkout -- src", "rm src/a.py", "git checkout HEAD -- src/a.py"]
)
def test_changes_to_a_committed_file_are_the_session_s_own(session: SessionOfCalls, command: str) -> None:
    edit(session, "src/a.py", "2\n")
    edit(session, "src/a.py", "3\n")
    assert passes(session, command)


def test_changes_after_a_commit_in_the_session_are_its_own(session: SessionOfCalls, root: Path) -> None:
    edit(session, "src/a.py", "2\n")
    git(root, "commit", "-qm", "second", "src/a.py")
    edit(session, "src/a.py", "3\n")
    assert passes(session, "git restore src/a.py")


def test_what_the_person_had_changed_before_is_lost(session: SessionOfCalls) -> None:
    edit(session, "drafted.py", "2\n")
    assert not passes(session, "git restore drafted.py")
    assert not passes(session, "git reset --hard")


def test_what_the_person_had_staged_before_is_lost(session: SessionOfCalls, root: Path) -> None:
    git(root, "add", "drafted.py")
    edit(session, "drafted.py", "2\n")
    assert not passes(session, "git checkout HEAD -- drafted.py")
    assert not passes(session, "git reset --hard")


def test_a_file_that_the_session_deleted_and_made_again_is_its_own(
    session: SessionOfCalls, root: Path
) -> None:
    assert passes(session, "rm src/b.py")
    (root / "src/b.py").unlink()
    write(session, "src/b.py", "another\n")
    assert passes(session, "git restore src/b.py")


def test_a_whole_tree_with_one_change_of_the_person_is_not_reset(session: SessionOfCalls, root: Path) -> None:
    edit(session, "src/a.py", "2\n")
    write(session, "new.py")
    assert not passes(session, "git reset --hard")
    git(root, "checkout", "-q", "drafted.py")
    assert passes(session, "git reset --hard")
    assert not passes(session, "git clean -fd")
    (root / "notes.txt").unlink()
    assert passes(session, "git clean -fd")


def test_a_work_tree_that_the_session_added_may_be_removed(session: SessionOfCalls, root: Path) -> None:
    assert passes(session, "git worktree add ../side")
    git(root, "worktree", "add", "-q", "../side")
    (root.parent / "side/new.py").write_text("4\n")
    assert passes(session, "git worktree remove --force ../side")


def test_a_work_tree_of_the_person_may_be_removed_where_all_of_it_is_committed(root: Path, tmp_path) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "side"))
    session = SessionOfCalls(root)
    assert passes(session, f"git worktree remove --force {tmp_path}/side")
    (tmp_path / "side/new.py").write_text("4\n")
    assert not passes(session, f"git worktree remove --force {tmp_path}/side")
    assert not passes(session, "git worktree remove --force ../nowhere")


def test_a_key_that_the_session_made_may_go(session: SessionOfCalls, root: Path) -> None:
    assert passes(session, "openssl genrsa -out test.key 2048")
    (root / "test.key").write_text("key\n")
    assert passes(session, "rm test.key")


def test_variables_may_not_go_whoever_made_their_file(session: SessionOfCalls, root: Path) -> None:
    assert passes(session, "cp .env.example .env")
    (root / ".env").write_text("KEY=filled in by the person\n")
    assert not passes(session, "rm .env")


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("npm install left-pad 2>&1 | tail -3", "package-lock.json"),
        ("cd web && npm i", "package-lock.json"),
        ("go get example.com/x@v1", "go.mod"),
        ("bundle add bullet", "Gemfile.lock"),
        ("cargo build", "Cargo.lock"),
    ],
)
def test_what_a_package_manager_changed_may_be_restored(root: Path, command: str, kept: str) -> None:
    (root / "web").mkdir()
    (root / kept).write_text("1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "kept")
    session = SessionOfCalls(root)
    assert passes(session, command)
    session.make(kept, content="2\n")
    assert passes(session, f"git restore {kept}")
    assert passes(session, f"git checkout -- {kept}")


def test_what_the_person_changed_before_a_package_manager_did_may_not(root: Path) -> None:
    (root / "go.mod").write_text("1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "kept")
    (root / "go.mod").write_text("the person's\n")
    session = SessionOfCalls(root)
    assert passes(session, "go mod tidy")
    session.make("go.mod", content="2\n")
    assert not passes(session, "git restore go.mod")


def test_a_look_at_packages_changes_no_file(root: Path) -> None:
    (root / "package.json").write_text("1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "kept")
    session = SessionOfCalls(root)
    assert passes(session, "npm ls")
    (root / "package.json").write_text("the person's\n")
    assert not passes(session, "git restore package.json")


def test_a_file_that_git_does_not_know_is_lost_only_to_a_commit_that_has_its_name(root: Path) -> None:
    git(root, "checkout", "-q", "--", "drafted.py")
    (root / "other.txt").write_text("committed\n")
    git(root, "add", "other.txt")
    git(root, "commit", "-qm", "second")
    git(root, "tag", "second")
    git(root, "branch", "kept")
    session = SessionOfCalls(root)
    assert passes(session, "git reset --hard HEAD~1")
    assert passes(session, "git revert --no-edit HEAD && git reset --hard HEAD~1")
    assert passes(session, "git checkout -f kept")
    assert not passes(session, "git reset --hard HEAD@{1}")
    assert not passes(session, "git reset --hard nowhere")
    assert not passes(session, "git fetch && git reset --hard origin/main")
    git(root, "reset", "-q", "--hard", "HEAD~1")
    assert passes(session, "git reset --hard HEAD")
    (root / "other.txt").write_text("the person's\n")
    assert not passes(session, "git reset --hard kept")
    assert not passes(session, "git checkout -f kept")


def test_unknown_paths_behind_two_dashes_are_lost_where_anything_is(root: Path) -> None:
    session = SessionOfCalls(root)
    assert not passes(session, "git diff --name-only | xargs -r git restore --")
    git(root, "checkout", "-q", "--", "drafted.py")
    edit(session, "src/a.py", "2\n")
    assert passes(session, "git diff --name-only | grep -v b.py | xargs -r git restore --")
    assert not passes(session, "git diff --name-only | xargs -r git restore")
    assert not passes(session, "git diff --name-only | xargs -r git -C ../other restore --")


def test_what_the_session_made_outside_the_project_may_go(session: SessionOfCalls, root: Path) -> None:
    """Nothing of it is really made: these names are nobody's."""
    assert passes(
        session, "mkdir -p ~/no-such-room/try && echo 1 > ~/no-such-room/try/a && echo 1 > ~/no-such-plan.md"
    )
    other = SessionOfCalls(root, name="another")
    for removal in ("rm ~/no-such-plan.md", "rm -rf ~/no-such-room/try"):
        assert not passes(other, removal)
        assert passes(session, removal)
    for removal in (
        "rm ~/no-such-plan.md",
        "rm -rf ~",
        "rm ~/no-such*",
        "rm ~/no-such-older.txt",
        'rm -rf ~/no-such-room/"$X"',
    ):
        assert not passes(session, removal)


def test_what_was_moved_into_a_folder_of_the_session_is_older(session: SessionOfCalls) -> None:
    assert passes(session, "mkdir ~/no-such-room")
    session.let_through("mv ~/no-such-letters ~/no-such-room/letters")
    assert not passes(session, "rm -rf ~/no-such-room")


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("npx playwright screenshot http://localhost:3000 shot.png", "shot.png"),
        ("ffmpeg -i src/a.py media/clip.gif", "media/clip.gif"),
        ("python gen.py --out=data.csv", "data.csv"),
        ("cd src && convert a.py -resize 50% small.png", "src/small.png"),
    ],
)
def test_a_file_that_a_call_named_before_it_was_there_may_go(root: Path, command: str, made: str) -> None:
    session = SessionOfCalls(root)
    assert passes(session, command)
    session.make(made, content="x")
    assert passes(session, f"rm {made}")
    assert not passes(SessionOfCalls(root, name="another"), f"rm {made}")


def test_what_was_only_looked_for_or_is_older_than_the_call_may_not(root: Path) -> None:
    session = SessionOfCalls(root)
    assert passes(session, "cat later.txt; ls later.txt; grep x later.txt")
    assert passes(session, "python gen.py notes.txt older.txt")
    session.make("later.txt", content="the person's\n")
    older = root / "older.txt"
    older.write_text("moved here by the person\n")
    os.utime(older, (time.time() - 3600,) * 2)
    for name in ("later.txt", "notes.txt", "older.txt"):
        assert not passes(session, f"rm {name}")
