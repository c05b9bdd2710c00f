"""What a session remembers, asked as guards ask it."""

import os
import stat
import subprocess
import sys
from threading import Thread

import pytest

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.sessions import note_files
from fairlead.sessions.memory import NO_MEMORIES, NO_MEMORY, Memories
from fairlead.sessions.note import Kind, Note, line_of, note_in
from fairlead.sessions.note_files import NoteFiles
from fairlead.sessions.notes_in_memory import NotesInMemory


def event(session: str = "s", *, agent: str = "claude", **more: object) -> Event:
    return Event(EventName.BEFORE_TOOL, agent=agent, session=session, request="r1", **more)


def wrote(path: str, *, existed: bool = False) -> Note:
    return Note(Kind.WROTE, path, existed=existed)


def fetched(path: str, source: str = "example.com") -> Note:
    return Note(Kind.FETCHED, path, source, "curl")


@pytest.fixture(params=["disk", "memory"])
def memories(request, tmp_path):
    return Memories(NoteFiles(str(tmp_path / "sessions")) if request.param == "disk" else NotesInMemory())


def test_a_session_without_notes_knows_nothing_and_opens_nothing(tmp_path):
    folder = tmp_path / "sessions"
    memory = Memories(NoteFiles(str(folder))).of(event())
    asked = (memory.wrote("/p/a"), memory.fetched("/p/a"), memory.secret_read(), memory.untrusted_text())
    assert asked == (None, None, None, None)
    assert not folder.exists()


def test_a_file_that_the_session_made_is_its_own_and_one_that_was_there_is_not(memories):
    memories.note(event(), [wrote("/p/new"), wrote("/p/old", existed=True)])
    memory = memories.of(event())
    assert memory.made("/p/new") is not None
    assert memory.made("/p/old") is None
    assert memory.wrote("/p/old").existed
    assert memory.wrote("/p/other") is None


def test_a_file_that_was_there_stays_so_however_often_it_is_written(memories):
    memories.note(event(), [wrote("/p/old", existed=True)])
    memories.note(event(), [wrote("/p/old", existed=False)])
    assert memories.of(event()).made("/p/old") is None


def test_what_is_gone_takes_the_marks_of_all_below_it_along(memories):
    memories.note(event(), [wrote("/p/d/x"), fetched("/p/d"), wrote("/p/dx")])
    memories.note(event(), [Note(Kind.GONE, "/p/d")])
    memory = memories.of(event())
    assert memory.wrote("/p/d/x") is None
    assert memory.fetched("/p/d/y") is None
    assert memory.wrote("/p/dx") is not None


def test_a_file_that_is_deleted_and_written_again_in_one_call_is_the_sessions_own(memories):
    memories.note(event(), [wrote("/p/x", existed=True)])
    memories.note(event(), [Note(Kind.GONE, "/p/x"), wrote("/p/x")])
    assert memories.of(event()).made("/p/x") is not None


def test_all_that_is_in_a_fetched_folder_was_fetched_but_what_the_session_made_there_since(memories):
    memories.note(event(), [fetched("/p/repo", "github.com")])
    memories.note(event(), [wrote("/p/repo/own.sh"), wrote("/p/repo/edited.sh", existed=True)])
    memory = memories.of(event())
    assert memory.fetched("/p/repo/deep/x.sh").source == "github.com"
    assert memory.fetched("/p/repo/edited.sh") is not None
    assert memory.fetched("/p/repo/own.sh") is None
    assert memory.fetched("/p/repository/x.sh") is None


def test_a_fetched_file_that_is_written_anew_is_no_longer_what_was_fetched(memories):
    memories.note(event(), [wrote("/p/x"), fetched("/p/x")])
    memories.note(event(), [wrote("/p/x", existed=True), Note(Kind.REPLACED, "/p/x")])
    memory = memories.of(event())
    assert memory.fetched("/p/x") is None
    assert memory.made("/p/x") is not None


def test_a_check_holds_for_what_was_fetched_before_it(memories):
    memories.note(event(), [fetched("/p/x"), Note(Kind.CHECKED, "/p/x")])
    assert memories.of(event()).checked("/p/x")
    memories.note(event(), [fetched("/p/x")])
    assert not memories.of(event()).checked("/p/x")


def test_a_note_names_the_call_that_it_is_about(memories):
    memories.note(event(), [Note(Kind.SECRET, "/p/.env", program="Read")])
    found = memories.of(event()).secret_read()
    assert (found.subject, found.program, found.call) == ("/p/.env", "Read", "r1")
    assert found.at > 0


def test_sessions_and_agents_do_not_share_what_they_remember(memories):
    memories.note(event("a"), [wrote("/p/x")])
    assert memories.of(event("b")).wrote("/p/x") is None
    assert memories.of(event("a", agent="codex")).wrote("/p/x") is None


def test_a_call_without_a_session_and_a_canary_are_not_remembered(memories):
    assert memories.of(event("")) == NO_MEMORY
    assert memories.of(event(canary=True)) == NO_MEMORY
    memories.note(event(""), [wrote("/p/x")])
    memories.note(event(canary=True), [wrote("/p/x")])
    assert memories.of(event()).wrote("/p/x") is None


def test_what_is_older_than_the_days_that_count_is_forgotten(memories, monkeypatch):
    memories.note(event(), [wrote("/p/x")])
    later = 1e9 + memories.of(event()).wrote("/p/x").at
    assert memories.of(event(), days=0) == NO_MEMORY
    monkeypatch.setattr("fairlead.sessions.memory.time.time", lambda: later)
    assert memories.of(event()).wrote("/p/x") is None
    assert memories.of(event(), days=1e6).wrote("/p/x") is not None


def test_two_memories_of_one_session_are_equal(memories):
    assert memories.of(event()) == memories.of(event())
    assert memories.of(event()) != memories.of(event("other"))


def test_doors_that_keep_no_memory_have_one_that_knows_nothing():
    assert NO_MEMORIES.note(event(), [wrote("/p/x")]) == ""
    assert NO_MEMORIES.of(event()).wrote("/p/x") is None


def test_what_is_known_is_not_written_again(tmp_path):
    memories = Memories(NoteFiles(str(tmp_path)))
    memories.note(event(), [Note(Kind.GONE, "/p/never")])
    assert not list(tmp_path.iterdir())
    for _ in range(3):
        memories.note(event(), [Note(Kind.GONE, "/p/never"), wrote("/p/x"), Note(Kind.SECRET, "/p/.env")])
    (file,) = tmp_path.iterdir()
    assert len(file.read_bytes().splitlines()) == 2


def test_only_the_user_can_read_the_files(tmp_path):
    folder = tmp_path / "a" / "sessions"
    Memories(NoteFiles(str(folder))).note(event(), [wrote("/p/x")])
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_one_process_reads_what_another_noted(tmp_path):
    one, other = (Memories(NoteFiles(str(tmp_path))) for _ in range(2))
    one.note(event(), [wrote("/p/x")])
    assert other.of(event()).wrote("/p/x") is not None
    one.note(event(), [wrote("/p/y")])
    assert other.of(event()).wrote("/p/y") is not None


def test_torn_and_foreign_lines_are_passed_over_and_what_comes_behind_counts(tmp_path):
    memories = Memories(NoteFiles(str(tmp_path)))
    memories.note(event(), [wrote("/p/x")])
    (file,) = tmp_path.iterdir()
    with file.open("ab") as torn:
        torn.write(b'[1,2]\n{"a": \xff}\n["wrote",1,"/p/torn"')
    memories.note(event(), [wrote("/p/y")])
    again = Memories(NoteFiles(str(tmp_path))).of(event())
    assert again.wrote("/p/x") and again.wrote("/p/y")
    assert again.wrote("/p/torn") is None


@pytest.mark.parametrize("line", [b"", b"[]", b"{}", b"null", b'["wrote",1,"","","","",0]', b"[" * 100_000])
def test_a_line_that_is_no_note_is_none(line):
    assert note_in(line) is None


def test_a_note_comes_back_as_it_was_written():
    note = Note(Kind.FETCHED, '/p/"\udcff\n\\é', "host", "curl", True, 12.5, "r")
    assert note_in(line_of(note)) == note


def test_a_path_that_is_too_long_is_not_kept(tmp_path):
    memories = Memories(NoteFiles(str(tmp_path)))
    memories.note(event(), [wrote("/" + "x" * 5000), wrote("/p/y")])
    assert memories.of(event()).wrote("/p/y") is not None
    assert memories.of(event()).wrote("/" + "x" * 5000) is None


def test_a_memory_that_cannot_be_kept_says_so_and_knows_nothing(tmp_path):
    place = tmp_path / "file"
    place.write_text("in the way")
    memories = Memories(NoteFiles(str(place)))
    assert "could not be kept" in memories.note(event(), [wrote("/p/x")])
    assert memories.of(event()).wrote("/p/x") is None


def test_a_link_or_a_file_that_others_may_write_counts_for_nothing(tmp_path):
    memories = Memories(NoteFiles(str(tmp_path)))
    memories.note(event(), [wrote("/p/x")])
    (file,) = tmp_path.iterdir()
    file.chmod(0o666)
    assert Memories(NoteFiles(str(tmp_path))).of(event()).wrote("/p/x") is None
    file.chmod(0o600)
    os.rename(file, tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert Memories(NoteFiles(str(tmp_path))).of(event()).wrote("/p/x") is None


def test_many_notes_keep_the_file_and_the_memory_small(tmp_path, monkeypatch):
    monkeypatch.setattr(note_files, "MOST_BYTES", 400 * 1024)
    notes = NoteFiles(str(tmp_path))
    memories = Memories(notes)
    memories.note(event(), [fetched("/p/tool")])
    for start in range(0, 12_000, 400):
        memories.note(event(), [wrote(f"/p/{'d' * 40}/{number}") for number in range(start, start + 400)])
    (file,) = (path for path in tmp_path.iterdir() if path.suffix == ".notes")
    assert file.stat().st_size <= 400 * 1024
    assert len(memories.of(event()).notes.recollect(memories.of(event()).session)) <= 1700
    again = Memories(NoteFiles(str(tmp_path))).of(event())
    assert again.wrote(f"/p/{'d' * 40}/11999") and again.fetched("/p/tool")
    assert again.wrote(f"/p/{'d' * 40}/0") is None


def test_of_too_many_sessions_the_oldest_go(tmp_path, monkeypatch):
    monkeypatch.setattr(note_files, "MOST_SESSIONS", 3)
    memories = Memories(NoteFiles(str(tmp_path)))
    for number in range(6):
        memories.note(event(f"s{number}"), [wrote("/p/x")])
        for age, path in enumerate(sorted(tmp_path.iterdir(), key=os.path.getmtime, reverse=True)):
            os.utime(path, (1e9, path.stat().st_mtime - age))
    assert len(list(tmp_path.iterdir())) == 3
    assert memories.of(event("s5")).wrote("/p/x") is not None


def test_the_notes_of_a_session_that_is_long_over_go(tmp_path):
    memories = Memories(NoteFiles(str(tmp_path)))
    memories.note(event("old"), [wrote("/p/x")])
    (file,) = tmp_path.iterdir()
    os.utime(file, (1e9, 1e9))
    memories.note(event("new"), [wrote("/p/x")])
    assert not file.exists()


def test_a_session_can_be_forgotten(tmp_path):
    notes = NoteFiles(str(tmp_path))
    memories = Memories(notes)
    memories.note(event(), [wrote("/p/x")])
    assert notes.forget(memories.of(event()).session)
    assert memories.of(event()).wrote("/p/x") is None
    assert not notes.forget(memories.of(event()).session)


def test_threads_and_processes_at_once_lose_no_note(tmp_path, monkeypatch):
    monkeypatch.setattr(note_files, "MOST_BYTES", 16 * 1024)
    code = (
        "import sys; sys.path[:0] = [p for p in sys.argv[3].split(':')]\n"
        "from fairlead.sessions import note_files\n"
        "from fairlead.sessions.note import Note, Kind\n"
        "note_files.MOST_BYTES = 16 * 1024\n"
        "note_files._LOCK_TRIES = 100_000\n"
        "files = note_files.NoteFiles(sys.argv[1])\n"
        "for n in range(150):\n"
        "    files.add('k', [Note(Kind.WROTE, f'/p/{sys.argv[2]}/{n}')])\n"
    )
    monkeypatch.setattr(note_files, "_LOCK_TRIES", 100_000)
    run = [sys.executable, "-I", "-c", code, str(tmp_path)]
    others = [subprocess.Popen([*run, name, ":".join(sys.path)]) for name in ("a", "b")]
    notes = NoteFiles(str(tmp_path))

    def work(name: str) -> None:
        for number in range(150):
            assert notes.add("k", [Note(Kind.WROTE, f"/p/{name}/{number}")]) == ""
            assert notes.recollect("k").written.get(f"/p/{name}/{number}") is not None

    threads = [Thread(target=work, args=(name,)) for name in ("c", "d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.wait() for process in others] == [0, 0]
    known = NoteFiles(str(tmp_path)).recollect("k")
    missing = [f"{n}/{i}" for n in "abcd" for i in range(150) if f"/p/{n}/{i}" not in known.written]
    assert not missing


def test_a_process_that_is_killed_while_it_writes_leaves_all_that_it_finished(tmp_path):
    code = (
        "import sys; sys.path[:0] = sys.argv[2].split(':')\n"
        "from fairlead.sessions import note_files\n"
        "from fairlead.sessions.note import Note, Kind\n"
        "note_files.MOST_BYTES = 4096\n"
        "files = note_files.NoteFiles(sys.argv[1])\n"
        "for n in range(10**9):\n"
        "    files.add('k', [Note(Kind.WROTE, f'/p/{n}')])\n"
        "    print(n, flush=True)\n"
    )
    for round_ in range(4):
        run = [sys.executable, "-I", "-c", code, str(tmp_path), ":".join(sys.path)]
        with subprocess.Popen(run, stdout=subprocess.PIPE) as process:
            for _ in range(40 + 17 * round_):
                process.stdout.readline()
            process.kill()
            finished = process.stdout.read().split()
        last = int(finished[-2]) if len(finished) > 1 else 39 + 17 * round_
        known = NoteFiles(str(tmp_path)).recollect("k")
        assert all(f"/p/{n}" in known.written for n in range(max(0, last - 600), last + 1))
        assert NoteFiles(str(tmp_path)).add("k", [Note(Kind.WROTE, "/p/after")]) == ""
        assert "/p/after" in NoteFiles(str(tmp_path)).recollect("k").written


def test_what_one_process_writes_behind_what_another_wrote_is_known_to_both(tmp_path):
    mine, others = (Memories(NoteFiles(str(tmp_path / "sessions"))) for _ in range(2))
    for number in range(3):
        mine.note(event(), [wrote(f"/p/mine-{number}")])
        others.note(event(), [wrote(f"/p/other-{number}")])
    mine.note(event(), [wrote("/p/last")])
    paths = [f"/p/{who}-{number}" for who in ("mine", "other") for number in range(3)] + ["/p/last"]
    for memories in (mine, others):
        assert all(memories.of(event()).made(path) for path in paths)


def test_a_note_of_ones_own_is_known_without_reading_the_file_again(tmp_path, monkeypatch):
    memories = Memories(NoteFiles(str(tmp_path / "sessions")))
    memories.note(event(), [wrote("/p/first")])
    assert memories.of(event()).wrote("/p/first")
    monkeypatch.setattr(NoteFiles, "_read", lambda *_: pytest.fail("the file was read"))
    memories.note(event(), [wrote("/p/second")])
    assert memories.of(event()).wrote("/p/second")


def test_guards_that_judge_one_event_share_one_look_at_the_disk(tmp_path, monkeypatch):
    memories = Memories(NoteFiles(str(tmp_path / "sessions")))
    memories.note(event(), [wrote("/p/first"), fetched("/p/tool")])
    looks = []
    recollect = NoteFiles.recollect
    monkeypatch.setattr(NoteFiles, "recollect", lambda *asked: looks.append(1) or recollect(*asked))
    judged = event()
    assert memories.judging(judged).wrote("/p/first")
    assert memories.judging(judged).all_fetched() == ["/p/tool"]
    assert len(looks) == 1


def test_the_next_event_sees_what_was_noted_since(memories):
    assert memories.judging(event()).wrote("/p/new") is None
    memories.note(event(), [wrote("/p/new")])
    assert memories.judging(event()).wrote("/p/new")


def test_a_shorter_memory_of_the_same_event_is_another_one(memories):
    judged = event()
    memories.note(judged, [wrote("/p/new")])
    assert memories.judging(judged).wrote("/p/new")
    assert memories.judging(judged, days=0.0) is NO_MEMORY
