"""The memory of a session, for any sequence of notes."""

from __future__ import annotations

import tempfile
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.sessions import note_files
from fairlead.sessions.note import Kind, Note, line_of, note_in
from fairlead.sessions.note_files import NoteFiles, fold
from fairlead.sessions.recollection import Recollection

FEW = st.sampled_from(["/p", "/p/a", "/p/a/b", "/p/a/b/c", "/p/ab", "/q", "/q/x.sh"])
PATHS = st.one_of(FEW, st.text(min_size=1, max_size=40).map(lambda name: f"/{name}"))
NOTES = st.builds(
    Note,
    st.sampled_from(Kind),
    PATHS,
    st.sampled_from(["", "x.example", "github.com/a/b"]),
    st.sampled_from(["", "curl", "git clone"]),
    st.booleans(),
    st.floats(0, 1e9).map(lambda at: round(at, 3)),
    st.just("c" * 32),
)
SEQUENCES = st.lists(NOTES, max_size=60)


def answers(known: Recollection | None, paths: list[str]) -> list[object]:
    if known is None:
        return []
    asked = [(known.written.get(p), known.made(p), known.origin(p), known.checked.get(p)) for p in paths]
    return [*asked, known.secrets.last(), known.untrusted.last(), known.instructed.last(), len(known)]


@given(NOTES)
def test_a_note_that_is_kept_comes_back_as_it_was(note: Note) -> None:
    line = line_of(note)
    assert line.count(b"\n") == 1
    assert note_in(line) == note


@given(SEQUENCES, st.lists(PATHS, max_size=5))
def test_what_notes_come_to_folds_to_the_same_again(notes: list[Note], paths: list[str]) -> None:
    known = Recollection(notes)
    paths = [*paths, *(note.subject for note in notes)]
    assert answers(Recollection(known.notes()), paths) == answers(known, paths)


@given(SEQUENCES, st.integers(0, 60))
def test_to_read_in_two_parts_is_to_read_at_once(notes: list[Note], cut: int) -> None:
    lines = [line_of(note) for note in notes]
    known = fold(b"".join(lines[cut:]), fold(b"".join(lines[:cut])))
    paths = [note.subject for note in notes]
    assert answers(known, paths) == answers(fold(b"".join(lines)), paths)


@given(SEQUENCES, st.data())
def test_a_file_that_is_cut_anywhere_still_tells_its_whole_lines(
    notes: list[Note], data: st.DataObject
) -> None:
    content = b"".join(map(line_of, notes))
    end = data.draw(st.integers(0, len(content)))
    whole = content[:end].count(b"\n")
    paths = [note.subject for note in notes]
    torn = fold(content[: content[:end].rfind(b"\n") + 1])
    assert answers(torn, paths) == answers(Recollection(notes[:whole]), paths)


@given(st.binary(max_size=400))
def test_whatever_stands_in_a_file_is_read(content: bytes) -> None:
    assert len(fold(content)) <= len(content)


@given(SEQUENCES, NOTES)
def test_what_is_known_changes_no_answer(notes: list[Note], again: Note) -> None:
    known = Recollection(notes)
    if known.knows(again):
        paths = [*(note.subject for note in notes), again.subject]
        before = [(bool(known.written.get(p)), bool(known.made(p)), bool(known.origin(p))) for p in paths]
        known.add(again)
        after = [(bool(known.written.get(p)), bool(known.made(p)), bool(known.origin(p))) for p in paths]
        assert before == after


@settings(max_examples=25)
@given(st.lists(SEQUENCES, max_size=6))
def test_a_restart_after_any_write_changes_no_answer(batches: list[list[Note]]) -> None:
    with tempfile.TemporaryDirectory() as folder, patch.object(note_files, "MOST_BYTES", 2000):
        lasting = NoteFiles(folder)
        paths = [note.subject for batch in batches for note in batch]
        for batch in batches:
            assert lasting.add("k", batch) == ""
            assert answers(lasting.recollect("k"), paths) == answers(NoteFiles(folder).recollect("k"), paths)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.sampled_from(Kind), st.booleans())
def test_no_number_and_no_length_of_notes_outgrows_the_bounds(length: int, kind: Kind, odd: bool) -> None:
    name = ("\udcff" if odd else "x") * length * 25
    known = Recollection()
    for number in range(1500):
        known.add(Note(kind, f"/{number}{name}"[:1024], "s" * 100, "p" * 50, call="c" * 32, at=1.0))
    content = b"".join(map(line_of, known.notes()))
    assert len(known) <= 1400
    assert len(content) <= note_files.MOST_BYTES
