"""What an undo brings back, and what it leaves alone."""

import ctypes
import os
import time
from collections.abc import Callable
from pathlib import Path
from stat import S_IMODE

import pytest

from fairlead.errors import FairleadError
from fairlead.undo.aftermath import note_end
from fairlead.undo.limits import Limits
from fairlead.undo.saving import Purpose
from fairlead.undo.selection import by_id, holding, last_loss, of_session, since
from fairlead.undo.snapshots import WHEN_ASKED, snapshot
from undo_kit import Project


def over(project: Project, id_: str) -> None:
    """The call is over: what changes from here on is somebody else's doing."""
    note_end(project.store, next(each for each in project.store.saves() if each.id == id_))
    time.sleep(0.02)


def test_a_file_that_was_written_anew_since_stays_and_the_old_one_goes_beside(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("notes.txt", "old\n")
    id_ = project.lose("rm notes.txt")
    over(project, id_)
    path.write_text("new\n")
    project.undo(id_)
    assert path.read_text() == "new\n"
    assert (project.folder / f"notes.txt.undo-{id_}").read_text() == "old\n"


def test_a_second_undo_puts_nothing_beside_again(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("notes.txt", "old\n")
    id_ = project.lose("rm notes.txt")
    over(project, id_)
    path.write_text("new\n")
    project.undo(id_)
    assert not project.undo(id_).acts


def test_force_replaces_what_changed_since_and_that_can_be_undone(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("notes.txt", "old\n")
    id_ = project.lose("rm notes.txt")
    over(project, id_)
    path.write_text("new\n")
    brought = project.undo(id_, force=True)
    assert path.read_text() == "old\n"
    project.undo(brought.saved_as)
    assert path.read_text() == "new\n"


def test_a_folder_in_the_place_of_a_file_stays(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("thing", "old\n")
    id_ = project.lose("rm thing")
    over(project, id_)
    project.write("thing/inside.txt", "new\n")
    project.undo(id_)
    assert (project.folder / "thing/inside.txt").read_text() == "new\n"
    assert (project.folder / f"thing.undo-{id_}").read_text() == "old\n"


def test_a_file_in_the_place_of_a_folder_stays_and_the_tree_goes_beside(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("src/deep/a.txt", "old\n")
    id_ = project.lose("rm -rf src")
    over(project, id_)
    project.write("src", "new\n")
    project.undo(id_)
    assert (project.folder / "src").read_text() == "new\n"
    assert (project.folder / f"src.undo-{id_}/deep/a.txt").read_text() == "old\n"


def test_a_folder_that_became_a_link_leads_nothing_elsewhere(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("src/a.txt", "old\n")
    id_ = project.lose("rm -rf src")
    outside = tmp_path / "outside"
    outside.mkdir()
    (project.folder / "src").symlink_to(outside)
    over(project, id_)
    project.undo(id_)
    assert os.listdir(outside) == []


def test_what_the_call_made_goes_and_comes_again(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt", "old\n")
    id_ = project.lose("mv a.txt b.txt")
    brought = project.undo(id_)
    assert sorted(os.listdir(project.folder)) == ["a.txt"]
    project.undo(brought.saved_as)
    assert sorted(os.listdir(project.folder)) == ["b.txt"]


def test_what_was_made_by_the_call_and_changed_since_stays(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt", "old\n")
    id_ = project.lose("mv a.txt b.txt")
    over(project, id_)
    project.write("b.txt", "work\n")
    project.undo(id_)
    assert (project.folder / "b.txt").read_text() == "work\n"
    assert (project.folder / "a.txt").read_text() == "old\n"


def test_a_mode_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("run.sh", mode=0o755)
    id_ = project.lose("chmod 000 run.sh")
    project.undo(id_)
    assert path.stat().st_mode & 0o777 == 0o755


def test_extended_attributes_come_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("a.txt")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError as error:
        pytest.skip(f"this file system keeps no attributes: {error}")
    project.undo(project.lose("rm a.txt"))
    assert os.getxattr(path, "user.note") == b"mine"


def test_a_branch_that_moved_since_stays_and_the_old_tip_goes_beside(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.commit(a="two\n")
    tip = project.run("git rev-parse HEAD")
    id_ = project.lose("git reset -q --hard HEAD~1")
    over(project, id_)
    project.commit(b="since\n")
    now = project.run("git rev-parse HEAD")
    project.undo(id_)
    assert project.run("git rev-parse HEAD") == now
    assert project.run(f"git rev-parse main.undo-{id_}") == tip


def test_stashes_that_came_since_stay_behind_those_that_are_back(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    for text in ("first", "second"):
        project.write("a", f"{text}\n")
        project.run(f"git stash push -q -m {text}")
    id_ = project.lose("git stash clear")
    over(project, id_)
    project.write("a", "third\n")
    project.run("git stash push -q -m third")
    project.undo(id_)
    listed = project.run("git stash list --format=%gs").split("\n")
    assert [line.rpartition(" ")[2] for line in listed if line] == ["third", "second", "first"]


def test_staged_work_that_git_dropped_is_staged_again(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.write("new.txt", "staged\n")
    project.run("git add new.txt")
    id_ = project.lose("git reset -q --hard")
    project.run("git gc -q --prune=now")
    project.undo(id_)
    assert project.run("git show :new.txt") == "staged\n"


def test_the_history_of_a_deleted_branch_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.run("git checkout -qb topic && git commit -q --allow-empty -m more && git checkout -q main")
    before = project.run("git reflog topic")
    id_ = project.lose("git branch -D topic")
    project.undo(id_)
    assert project.run("git reflog topic") == before


def test_a_lock_of_git_is_respected(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.commit(a="two\n")
    id_ = project.lose("git reset -q --hard HEAD~1")
    project.write(".git/index.lock", "")
    with pytest.raises(FairleadError, match="git is at work"):
        project.undo(id_)
    os.unlink(project.folder / ".git/index.lock")
    project.undo(id_)
    assert project.run("git status --porcelain") == ""
    assert (project.folder / "a").read_text() == "two\n"


def test_a_file_can_be_put_elsewhere(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("src/a.txt", "old\n", 0o600)
    id_ = project.lose("rm -rf src")
    project.restoring(id_).write_to(str(tmp_path / "there"))
    assert (tmp_path / "there/src/a.txt").read_text() == "old\n"
    assert not (project.folder / "src").exists()


def test_only_the_path_that_is_asked_for_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    project.write("b.txt")
    project.lose("rm a.txt b.txt")
    ((found, within),) = holding(project.store, [str(project.folder / "b.txt")])
    project.undo(found.saved.id, within=within)
    assert sorted(os.listdir(project.folder)) == ["b.txt"]


def test_the_last_loss_is_the_newest_of_which_something_is_missing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    project.write("b.txt")
    first = project.lose("rm a.txt")
    second = project.lose("rm b.txt")
    for expected in (second, first):
        found = last_loss(project.store, str(project.folder))
        assert found is not None
        assert found.saved.id == expected
        project.undo(expected)
    assert last_loss(project.store, str(project.folder)) is None


def test_saves_are_found_by_id_session_and_time(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    id_ = project.lose("rm a.txt")
    for text in (id_, id_[:12], id_[-4:]):
        found = by_id(project.store, text)
        assert found is not None
        assert found.saved.id == id_
    assert [each.saved.id for each in of_session(project.store, "s")] == [id_]
    assert of_session(project.store, "other") == []
    hour = 3600 * 10**9
    assert [each.saved.id for each in since(project.store, time.time_ns() - hour, str(project.folder))] == [
        id_
    ]
    assert since(project.store, time.time_ns() + hour, str(project.folder)) == []


def test_a_snapshot_holds_the_work_that_no_commit_has(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n", clean="clean\n")
    project.write("a", "two\n")
    project.write("new/file.txt", "new\n")
    measured = snapshot(project.store, Purpose(str(project.folder), "before"), seconds=WHEN_ASKED)
    assert measured.saved is not None
    assert measured.files == 2
    project.run("git checkout -q -- . && git clean -qfd")
    project.undo(measured.saved.id)
    assert (project.folder / "a").read_text() == "two\n"
    assert (project.folder / "new/file.txt").read_text() == "new\n"


def test_an_undo_that_was_killed_is_ended_by_the_next(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for number in range(300):
        project.write(f"src/{number}.txt", f"{number}\n")
    id_ = project.lose("rm -rf src")
    child = os.fork()
    if child == 0:
        import signal
        import threading

        threading.Timer(0.03, os.kill, (os.getpid(), signal.SIGKILL)).start()
        project.undo(id_)
        time.sleep(5)
    os.waitpid(child, 0)
    project.undo(id_)
    found = {path.name: path.read_text() for path in (project.folder / "src").iterdir()}
    assert found == {f"{number}.txt": f"{number}\n" for number in range(300)}


def test_what_is_shredded_through_a_link_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("a.txt", "mine\n")
    (project.folder / "link").symlink_to("a.txt")
    project.undo(project.lose("shred -u link"))
    assert path.read_text() == "mine\n"
    assert os.readlink(project.folder / "link") == "a.txt"


def test_a_file_that_was_only_touched_keeps_its_time(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n", b="one\n")
    os.utime(project.folder / "a", ns=(1, 1_600_000_000_000_000_001))
    project.write("b", "two\n")
    project.undo(project.lose("git checkout -q -- ."))
    assert (project.folder / "a").stat().st_mtime_ns == 1_600_000_000_000_000_001


def test_the_mode_of_an_empty_folder_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (project.folder / "empty").mkdir(mode=0o755)
    project.undo(project.lose("chmod -R go-rwx empty"))
    assert (project.folder / "empty").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    "command",
    [
        "git stash push -qu && git stash drop -q",
        "git add -A && git commit -qm x && git reset -q --hard HEAD~1",
        "git checkout -qb t && git add -A && git commit -qm w && git checkout -q main && git branch -qD t",
    ],
)
def test_work_that_is_put_away_and_lost_in_one_line_comes_back(tmp_path: Path, command: str) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.write("a", "two\n")
    project.write("new.txt", "new\n")
    project.undo(project.lose(command))
    assert (project.folder / "a").read_text() == "two\n"
    assert (project.folder / "new.txt").read_text() == "new\n"
    assert project.run("git status --porcelain") == " M a\n?? new.txt\n"


def test_a_star_takes_everything_but_the_repository(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.write("src/new.txt", "new\n")
    project.undo(project.lose("rm -rf *"))
    assert project.run("git status --porcelain") == "?? src/\n"
    assert (project.folder / "src/new.txt").read_text() == "new\n"


def test_a_mode_that_is_changed_through_a_link_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("deep/a.txt", mode=0o640)
    (project.folder / "link").symlink_to("deep/a.txt")
    project.undo(project.lose("chmod 000 link"))
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_single_path_is_not_brought_back_through_a_link(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("src/a.txt", "old\n")
    id_ = project.lose("rm -rf src")
    outside = tmp_path / "outside"
    outside.mkdir()
    (project.folder / "src").symlink_to(outside)
    brought = project.undo(id_, within=(str(project.folder / "src/a.txt"),))
    assert os.listdir(outside) == []
    assert [step.why for step in brought.steps] == ["a folder above it is a link now"]


@pytest.mark.parametrize(
    "path", ["/etc/cron.d/x", "{home}/.bashrc", "{root}/../x", "{root}/.fairlead/hooks/x"]
)
def test_a_save_that_speaks_of_anything_but_its_project_is_refused(tmp_path: Path, path: str) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    id_ = project.lose("rm a.txt")
    (saved,) = project.store.saves()
    written = path.format(home=os.path.expanduser("~"), root=project.folder)
    manifest = Path(saved.path, "manifest.json")
    manifest.write_text(manifest.read_text().replace(f"{project.folder}/a.txt", written))
    with pytest.raises(FairleadError, match="which is not its project's"):
        project.undo(id_)
    assert not os.path.lexists(written) or os.path.getmtime(written) < time.time() - 60


def test_a_save_of_the_whole_machine_is_refused(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    id_ = project.lose("rm a.txt")
    (saved,) = project.store.saves()
    manifest = Path(saved.path, "manifest.json")
    manifest.write_text(manifest.read_text().replace(f'"root":"{project.folder}"', '"root":"/"'))
    with pytest.raises(FairleadError, match="which is not its project's"):
        project.undo(id_)


@pytest.mark.parametrize(
    "command",
    [
        "find src -type f -exec rm -f {} +",
        "find src -type f -exec truncate -s 0 {} +",
        "find src -type f -exec sed -i s/old/new/ {} +",
        "find src -type f -delete",
        'find src -type f | while read -r f; do rm "$f"; done',
        "for f in src/deep/*; do : > $f; done",
        "find src -type f -print0 | xargs -0 rm -f",
        "cd src && find . -type f -exec cp /dev/null {} \\;",
    ],
)
def test_what_a_search_finds_comes_back_or_is_refused(tmp_path: Path, command: str) -> None:
    project = Project(tmp_path)
    for name in ("src/a.txt", "src/deep/b.txt"):
        project.write(name, "old\n")
    (project.folder / "link").symlink_to("src")
    said = project.judge(command)
    if said.decision.objects:
        return
    project.run(command)
    project.undo(str(said.metrics["undo"]))
    assert (project.folder / "src/a.txt").read_text() == "old\n"
    assert (project.folder / "src/deep/b.txt").read_text() == "old\n"


def test_work_that_was_staged_since_stays_staged(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.write("a", "two\n")
    project.run("git add a")
    id_ = project.lose("git reset -q --hard")
    over(project, id_)
    project.write("since.txt", "since\n")
    project.run("git add since.txt")
    project.undo(id_)
    assert project.run("git status --porcelain") == " M a\nA  since.txt\n"
    project.undo(id_, force=True)
    assert project.run("git status --porcelain") == "M  a\n?? since.txt\n"


def without_rights(work: Callable[[], object]) -> int:
    """What becomes of work by somebody to whom modes matter: root gives up what lets it pass them by."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            if os.geteuid() == 0:
                version, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
                assert ctypes.CDLL(None).capset(version, nothing) == 0
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_file_comes_back_into_a_folder_that_may_not_be_written_to_now(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("src/a")
    id_ = project.lose("rm src/a")
    over(project, id_)
    path.parent.chmod(0o555)
    assert without_rights(lambda: project.undo(id_)) == 0
    assert path.read_text() == "content\n"
    assert S_IMODE(path.parent.stat().st_mode) == 0o555


def test_what_cannot_come_back_is_told_and_stops_nothing_else(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a")
    project.write("b")
    id_ = project.lose("rm a b")
    (project.folder / f".fairlead-undo-{id_}-a").mkdir()
    brought = project.undo(id_)
    acts = {step.path: step.act for step in brought.steps}
    assert [acts[str(project.folder / name)] for name in ("a", "b")] == ["failed", "bring back"]
    assert not brought.is_whole
    assert (project.folder / "b").exists()


def test_what_somebody_does_between_two_saves_is_not_the_first_calls_doing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("src/a")
    project.write("other")
    first = project.lose("rm -rf src; mkdir src")
    project.undo(project.lose("rm other"))
    project.write("src/theirs", "new work\n")
    project.undo(first)
    assert (project.folder / "src/a").exists()
    assert (project.folder / "src/theirs").read_text() == "new work\n"


def test_a_save_that_is_brought_back_makes_no_room_for_what_it_replaces(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a", "old" * 4000)
    first = project.lose("printf '%20000s' new > a")
    size = project.store.saves()[0].size
    project.store.limits = Limits(project_bytes=size + 4000)
    with pytest.raises(FairleadError, match="more than all saves may take"):
        project.undo(first)
    project.store.limits = Limits(project_bytes=2 * size)
    project.undo(first)
    assert (project.folder / "a").read_text() == "old" * 4000
