"""What a save holds, what it refuses, and what is left of one that failed."""

import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.undo.contents import save_content
from fairlead.undo.gathering import Wanted
from fairlead.undo.limits import Limits, NotSavedError
from fairlead.undo.manifest import FILE, LINK, BadManifestError
from fairlead.undo.saving import Losses, Purpose, save
from fairlead.undo.selection import broken_saves
from fairlead.undo.store import Saved, Store, made_at, new_id
from undo_kit import Project


def saved_entries(project: Project, id_: str) -> dict[str, object]:
    manifest = project.restoring(id_).manifest
    return {os.path.relpath(entry.path, project.folder): entry for entry in manifest.entries}


def test_a_deleted_file_is_saved_with_its_mode_and_time(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = project.write("src/secret.txt", "mine\n", 0o640)
    os.utime(path, ns=(1, 1_600_000_000_123_456_789))
    id_ = project.lose("rm -rf src")
    entry = saved_entries(project, id_)["src/secret.txt"]
    assert (entry.kind, entry.mode, entry.mtime) == (FILE, 0o640, 1_600_000_000_123_456_789)


def test_what_is_saved_is_for_its_owner_alone(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt", "mine\n", 0o666)
    project.lose("rm a.txt")
    for folder, folders, files in os.walk(project.store.folder):
        for name in folders:
            assert os.lstat(os.path.join(folder, name)).st_mode & 0o077 == 0
        for name in files:
            assert os.lstat(os.path.join(folder, name)).st_mode & 0o777 == 0o600


def test_a_link_is_saved_as_a_link_and_not_followed(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (tmp_path / "outside").write_text("not the project's\n")
    (project.folder / "link").symlink_to(tmp_path / "outside")
    id_ = project.lose("rm link")
    entry = saved_entries(project, id_)["link"]
    assert (entry.kind, entry.link, entry.data) == (LINK, str(tmp_path / "outside"), "")


def test_what_git_has_is_referred_to_and_not_copied(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(clean="committed\n", dirty="committed\n")
    project.write("dirty", "changed\n")
    entries = saved_entries(project, project.lose("rm clean dirty"))
    assert entries["clean"].blob == project.run("git rev-parse HEAD:clean").strip()
    assert entries["clean"].data == ""
    assert entries["dirty"].data
    assert entries["dirty"].blob == ""


def test_staged_content_is_copied_since_git_may_drop_it(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.write("a", "two\n")
    project.run("git add a")
    assert saved_entries(project, project.lose("rm a"))["a"].data


def test_a_committed_file_whose_object_is_gone_is_copied(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    name = project.run("git rev-parse HEAD:a").strip()
    os.unlink(project.folder / ".git/objects" / name[:2] / name[2:])
    assert saved_entries(project, project.lose("rm a"))["a"].data


@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_what_is_no_file_folder_or_link_is_not_saved_and_the_rule_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    project = Project(tmp_path)
    project.write("src/a.txt")
    if kind == "fifo":
        os.mkfifo(project.folder / "src/pipe")
    else:
        monkeypatch.chdir(project.folder)  # the name of a socket must be short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("src/s")
    said = project.judge("rm -rf src")
    assert said.decision is Decision.BLOCK
    assert "no file, folder or link" in said.reason
    assert project.store.saves() == []


def test_generated_folders_are_left_out_and_said(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("app/a.txt")
    project.write("app/node_modules/x/index.js")
    id_ = project.lose("rm -rf app")
    manifest = project.restoring(id_).manifest
    assert manifest.left_out == ((str(project.folder / "app/node_modules"), "generated"),)


def test_a_repository_inside_is_not_saved_and_the_rule_stands(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("vendor/lib/a.txt")
    project.run("git init -q vendor/lib")
    said = project.judge("rm -rf vendor")
    assert said.decision is Decision.BLOCK
    assert "a repository of its own" in said.reason


def test_five_gigabytes_are_not_saved_and_the_call_is_blocked(tmp_path: Path) -> None:
    project = Project(tmp_path)
    with open(project.folder / "big.bin", "wb") as file:
        file.truncate(5 << 30)
    said = project.judge("shred -u big.bin")
    assert said.decision is Decision.BLOCK
    assert "more than 64 MB" in said.reason
    assert project.store.saves() == []


def test_ten_thousand_small_files_are_not_saved_and_the_call_is_blocked(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for number in range(100):
        folder = project.folder / "src" / str(number)
        folder.mkdir(parents=True)
        for name in range(100):
            (folder / str(name)).write_bytes(b"x")
    said = project.judge("rm -rf src")
    assert said.decision is Decision.BLOCK
    assert "more than 2,000 files" in said.reason
    assert os.listdir(os.path.join(project.store.folder, "saves")) == []


def test_more_files_than_the_limit_are_not_saved(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for number in range(12):
        project.write(f"src/{number}.txt")
    limits = Limits(call_files=10)
    with pytest.raises(NotSavedError, match="more than 10 files"):
        save(project.store, Purpose(str(project.folder), "x"), _tree(project, "src"), limits)
    assert os.listdir(os.path.join(project.store.folder, "saves")) == []


def _tree(project: Project, name: str) -> Losses:
    return Losses((Wanted(str(project.folder / name), whole=True),))


def test_the_oldest_saves_of_a_project_make_room(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt", "x" * 1000)
    store = Store(project.store.folder, Limits(project_bytes=4000))
    kept = [save(store, Purpose(str(project.folder), "x"), _tree(project, "a.txt")).saved for _ in range(6)]
    left = [each.id for each in store.saves()]
    assert left == [each.id for each in kept[-len(left) :] if each is not None]
    assert sum(each.size for each in store.saves()) <= 4000


def test_names_of_saves_within_one_millisecond_are_in_order_of_time() -> None:
    moments = [1_763_530_722.410_001 + step / 100_000 for step in range(50)]
    names = [new_id(moment) for moment in moments]
    assert names == sorted(names)
    assert [made_at(Saved(name, "", 0, "")) // 1000 for name in names] == pytest.approx(
        [int(moment * 1_000_000) for moment in moments], abs=1
    )


def test_another_projects_saves_stay_while_the_machine_has_room(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt", "x" * 1000)
    store = Store(project.store.folder, Limits(project_bytes=2000))
    other = save(store, Purpose("/elsewhere", "x"), _tree(project, "a.txt")).saved
    for _ in range(4):
        save(store, Purpose(str(project.folder), "x"), _tree(project, "a.txt"))
    assert other in store.saves()
    assert len(store.saves()) == 2


def test_a_file_that_grows_all_the_time_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("begun\n")

    def grow(_: int) -> None:
        with open(path, "a") as file:
            file.write("more\n")

    with pytest.raises(NotSavedError, match="changes while it is saved"):
        save_content(str(path), str(tmp_path / "copy"), grow)


def test_a_file_that_grew_once_is_saved_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("begun\n")
    grown: list[int] = []

    def grow_once(size: int) -> None:
        if not grown:
            with open(path, "a") as file:
                grown.append(file.write("more\n"))

    save_content(str(path), str(tmp_path / "copy"), grow_once)
    assert (tmp_path / "copy").read_text() == "begun\nmore\n"


def test_a_full_disk_makes_no_call_pass(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("notes.txt", "x" * 300_000)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
            said = project.judge("shred -u notes.txt")
            blocked = said.decision is Decision.BLOCK and "no room" in said.reason
            code = 0 if blocked and not project.store.saves() else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert os.listdir(os.path.join(project.store.folder, "saves")) == []


def test_a_draft_that_was_killed_is_no_save_and_is_taken_away(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    child = os.fork()
    if child == 0:
        draft = project.store.draft()
        draft.put(b"half")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    saves = os.path.join(project.store.folder, "saves")
    (left,) = os.listdir(saves)
    assert project.store.saves() == []
    os.utime(os.path.join(saves, left), (0, 0))
    project.lose("rm a.txt")
    assert left not in os.listdir(saves)
    assert len(project.store.saves()) == 1


def test_a_draft_that_somebody_still_writes_stays(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    draft = project.store.draft()
    os.utime(draft.folder, (0, 0))
    project.lose("rm a.txt")
    assert os.path.isdir(draft.folder)
    draft.abandon()


def test_a_broken_manifest_is_told_and_stops_no_other(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    project.write("b.txt")
    first = project.lose("rm a.txt")
    second = project.lose("rm b.txt")
    saved = project.store.saves()[0]
    Path(saved.path, "manifest.json").write_bytes(b'{"v": 1, "id"')
    with pytest.raises(BadManifestError):
        project.store.load(saved)
    assert [each.id for each, _ in broken_saves(project.store)] == [first]
    assert (project.undo(second).acts, (project.folder / "b.txt").exists()) == (True, True)


def test_missing_data_is_told(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.txt")
    project.lose("rm a.txt")
    saved = project.store.saves()[0]
    os.unlink(saved.data("1"))
    assert [why for _, why in broken_saves(project.store)] == [
        f"the content of {project.folder}/a.txt is not there"
    ]


def _with_packed_refs(tmp_path: Path) -> Project:
    """A deleted branch whose commits are kept, among refs that git has packed."""
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.run("for tag in v1 v2 v3; do git tag -m told $tag; done; git branch side && git branch other")
    project.lose("git branch -D side")
    project.lose("git tag -d v2 v3")
    project.run("git pack-refs --all --prune")
    assert b"refs/fairlead/undo/" in (project.folder / ".git/packed-refs").read_bytes()
    return project


def test_prune_takes_refs_away_that_git_has_packed_and_no_other(tmp_path: Path) -> None:
    project = _with_packed_refs(tmp_path)
    packed = project.folder / ".git/packed-refs"
    mode = packed.stat().st_mode
    project.run("git update-ref -d refs/heads/other")
    before = project.run("git for-each-ref --format='%(refname) %(objectname) %(*objectname)'")
    project.store.prune()
    after = project.run("git for-each-ref --format='%(refname) %(objectname) %(*objectname)'")
    assert after.splitlines() == [line for line in before.splitlines() if "refs/fairlead" not in line]
    assert "refs/tags/v1" in after and "refs/heads/main" in after
    assert b"^" in packed.read_bytes() and packed.stat().st_mode == mode
    assert not (project.folder / ".git/packed-refs.lock").exists()
    project.run("git fsck --strict && git pack-refs --all")


def test_packed_refs_that_git_is_writing_are_left_alone(tmp_path: Path) -> None:
    project = _with_packed_refs(tmp_path)
    packed, lock = (project.folder / ".git" / name for name in ("packed-refs", "packed-refs.lock"))
    lock.write_bytes(b"of git")
    before = packed.read_bytes()
    assert len(project.store.prune()) == 2
    assert (packed.read_bytes(), lock.read_bytes()) == (before, b"of git")


def test_prune_takes_saves_and_private_refs_away(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.run("git branch topic")
    project.lose("git branch -D topic")
    assert "refs/fairlead/undo/" in project.run("git for-each-ref")
    assert len(project.store.prune()) == 1
    assert project.store.saves() == []
    assert "fairlead" not in project.run("git for-each-ref; find .git")


def test_a_dropped_stash_survives_a_collection_of_garbage(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.write("a", "two\n")
    project.run("git stash -q")
    id_ = project.lose("git stash drop")
    project.run("git reflog expire --expire=now --all && git gc -q --prune=now")
    project.undo(id_)
    assert project.run("git stash show -p --format= | grep '^+two'") == "+two\n"


def test_saves_touch_neither_branches_nor_index_nor_stashes(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.write("a", "two\n")
    look = (
        "git for-each-ref refs/heads refs/tags refs/stash; git stash list; cat .git/HEAD; sha1sum .git/index"
    )
    before = project.run(look)
    assert not project.judge("git reset --hard HEAD").decision.objects
    assert project.run(look) == before


def test_a_repository_whose_refs_are_a_link_is_not_written_to(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.run("git checkout -qb topic && git commit -q --allow-empty -m more && git checkout -q main")
    project.run("mv .git/refs ../refs && ln -s ../../refs .git/refs")
    said = project.judge("git branch -D topic")
    assert said.decision is Decision.BLOCK
    assert not (tmp_path / "refs/fairlead").exists()


def test_a_repository_whose_branches_are_in_a_table_is_not_saved(tmp_path: Path) -> None:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n")
    project.run("git config core.repositoryformatversion 1")
    project.run("echo '[extensions] refstorage=reftable' >> .git/config")
    said = project.judge("git stash clear")
    assert said.decision is Decision.BLOCK
    assert "in a way that is not read" in said.reason
    assert project.store.saves() == []


def test_two_processes_save_at_once_and_do_not_mix(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for number in range(4):
        project.write(f"{number}/file.txt", f"{number}\n")
    children = []
    for number in range(4):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for _ in range(5):
                    losses = _tree(project, str(number))
                    save(project.store, Purpose(str(project.folder), str(number)), losses)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    for saved in project.store.saves():
        manifest = project.store.load(saved)
        (entry,) = [entry for entry in manifest.entries if entry.data]
        assert Path(saved.data(entry.data)).read_text() == f"{manifest.what}\n"
    assert len(project.store.saves()) == 20


def test_a_harmless_call_loads_nothing_of_undo_but_its_door() -> None:
    code = (
        "import sys\n"
        "from fairlead.doors.hook.systems import Systems\n"
        "from fairlead.undo.keeper import Saver\n"
        "from fairlead.packs.guards.dangerous_commands import block_dangerous_commands as guard\n"
        "from fairlead.model.event import Event\n"
        "from fairlead.model.event_name import EventName\n"
        "from fairlead.model.tool_call import ToolCall, ToolKind\n"
        "call = ToolCall('Bash', {'command': 'ls -la && git status'}, ToolKind.SHELL)\n"
        "event = Event(EventName.BEFORE_TOOL, root='/srv/x', cwd='/srv/x', tool=call)\n"
        "guard(event, {'recoverable': 'pass', 'save': True}, (), keeper=Saver('/srv/undo'))\n"
        "print(*sorted(name for name in sys.modules if name.startswith('fairlead.undo')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["fairlead.undo", "fairlead.undo.keeper"]
