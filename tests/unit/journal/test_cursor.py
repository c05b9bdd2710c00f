from __future__ import annotations

from pathlib import Path

from fairlead.journal.cursor import Cursor
from fairlead.journal.writer import JournalWriter


def written(directory: Path, *names: str, max_bytes: int = 1 << 30) -> None:
    writer = JournalWriter(str(directory), max_bytes=max_bytes)
    for name in names:
        writer.write({"v": 1, "id": name, "request": name})
    writer.close()


def ids(cursor: Cursor, limit: int = 100) -> list[object]:
    return [record["id"] for record in cursor.read(limit)]


def test_what_was_not_committed_is_read_again(tmp_path: Path) -> None:
    written(tmp_path / "j", "a", "b")
    state = str(tmp_path / "state" / "cursor.json")
    cursor = Cursor(state, str(tmp_path / "j"))
    assert cursor.is_new
    assert ids(cursor) == ["a", "b"]
    assert ids(Cursor(state, str(tmp_path / "j"))) == ["a", "b"]
    cursor.commit()
    assert ids(cursor) == []
    written(tmp_path / "j", "c")
    assert ids(Cursor(state, str(tmp_path / "j"))) == ["c"]


def test_it_reads_in_parts_across_segments(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(20)]
    written(tmp_path / "j", *names, max_bytes=600)
    cursor = Cursor(str(tmp_path / "cursor.json"), str(tmp_path / "j"))
    found: list[object] = []
    while part := ids(cursor, 3):
        assert len(part) <= 3
        found += part
        cursor.commit()
    assert found == names


def test_it_can_begin_at_the_end(tmp_path: Path) -> None:
    written(tmp_path / "j", "a")
    cursor = Cursor(str(tmp_path / "cursor.json"), str(tmp_path / "j"))
    cursor.skip_all()
    written(tmp_path / "j", "b")
    assert ids(cursor) == ["b"]


def test_a_damaged_state_begins_again(tmp_path: Path) -> None:
    written(tmp_path / "j", "a")
    (tmp_path / "cursor.json").write_text("[]")
    assert ids(Cursor(str(tmp_path / "cursor.json"), str(tmp_path / "j"))) == ["a"]


def test_a_segment_that_was_renamed_is_not_read_again(tmp_path: Path) -> None:
    written(tmp_path / "j", "a", "b")
    cursor = Cursor(str(tmp_path / "cursor.json"), str(tmp_path / "j"))
    assert ids(cursor) == ["a", "b"]
    cursor.commit()
    (tmp_path / "j" / "journal.jsonl").rename(tmp_path / "j" / "journal.000001.jsonl")
    written(tmp_path / "j", "c")
    assert ids(cursor) == ["c"]


def test_a_segment_that_is_out_of_sight_for_a_moment_keeps_its_place(tmp_path: Path) -> None:
    written(tmp_path / "j", "a")
    cursor = Cursor(str(tmp_path / "cursor.json"), str(tmp_path / "j"))
    ids(cursor)
    cursor.commit()
    (tmp_path / "j" / "journal.jsonl").rename(tmp_path / "aside")
    written(tmp_path / "j", "b")
    assert ids(cursor) == ["b"]
    cursor.commit()
    (tmp_path / "aside").rename(tmp_path / "j" / "journal.000001.jsonl")
    assert ids(cursor) == []


def test_a_new_segment_with_the_inode_of_a_pruned_one_is_read_from_its_start(tmp_path: Path) -> None:
    written(tmp_path / "j", "a", "b")
    cursor = Cursor(str(tmp_path / "cursor.json"), str(tmp_path / "j"))
    ids(cursor)
    cursor.commit()
    segment = tmp_path / "j" / "journal.jsonl"
    written(tmp_path / "other", "c", "d", "e")
    segment.write_bytes((tmp_path / "other" / "journal.jsonl").read_bytes())  # the same inode
    assert ids(cursor) == ["c", "d", "e"]
