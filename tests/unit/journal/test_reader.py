from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.journal.reader import find, fold, last, read_lines, read_records, read_segment
from fairlead.journal.writer import JournalWriter


def record(number: int, **more: object) -> dict[str, object]:
    return {"v": 1, "id": f"01ID{number:03d}", "request": f"r{number}", "outcomes": [], **more}


def test_an_absent_journal_is_an_empty_one(tmp_path: Path) -> None:
    directory = str(tmp_path / "none")
    assert list(read_lines(directory)) == []
    assert last(directory) is None
    assert find(directory, "x") is None


def test_law_8_a_call_that_was_answered_twice_counts_once() -> None:
    first = record(1, verdict={"decision": "allow"})
    again = {**record(2, verdict={"decision": "block"}), "request": "r1"}
    (call,) = fold([first, again])
    assert call["verdict"] == {"decision": "block"}  # what left last is what the agent was told
    assert call["attempts"] == 2


def test_lines_without_a_request_are_calls_of_their_own() -> None:
    assert len(fold([record(1, request=""), record(2, request="")])) == 2


@pytest.mark.parametrize("early", [False, True])
def test_what_observers_said_joins_the_call_in_either_order(early: bool) -> None:
    call = record(1, verdict={"decision": "allow"}, outcomes=[{"hook": "guard"}])
    seen = {**record(2), "request": "r1", "observes": call["id"], "outcomes": [{"hook": "log"}]}
    (folded,) = fold([seen, call] if early else [call, seen])
    assert folded["id"] == call["id"]
    assert folded["outcomes"] == [{"hook": "guard"}, {"hook": "log"}]
    assert folded["observed"] == [seen["id"]]
    assert "observes" not in folded


def test_a_torn_last_line_is_left_for_later_and_read_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"v":1,"id":"a"}\n{"v":1,"id')
    (line,) = read_lines(str(tmp_path))
    assert line.record == {"v": 1, "id": "a"}
    with path.open("ab") as segment:
        segment.write(b'":"b"}\n')
    (rest,) = read_segment(str(path), offset=len(line.data) + 1)
    assert rest.record == {"v": 1, "id": "b"}


def test_a_line_that_was_written_right_behind_a_torn_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes(b'{"v":1,"id":"a","x":"y{"v":1,"id":"b"}\nrubbish\n\n{"v":1}\n')
    lines = list(read_lines(str(tmp_path)))
    assert [line.offset for line in lines] == [0, 22, 39, 48]
    assert [line.record and line.record["id"] for line in lines] == [None, "b", None, None]


def test_text_that_looks_like_the_start_of_a_line_does_not_split_one(tmp_path: Path) -> None:
    JournalWriter(str(tmp_path)).write(record(1, text='{"v":1,"id":"evil"}'))
    (found,) = read_records(str(tmp_path))
    assert found["text"] == '{"v":1,"id":"evil"}'


def test_a_call_is_found_by_its_id_its_ends_and_its_request(tmp_path: Path) -> None:
    writer = JournalWriter(str(tmp_path), max_bytes=500)
    for number in range(20):
        writer.write(record(number, verdict={}))
    writer.write({**record(90), "request": "r7", "observes": "01ID007", "outcomes": [{"hook": "log"}]})
    for wanted in ("01ID007", "007", "r7"):
        found = find(str(tmp_path), wanted)
        assert found is not None
        assert found["id"] == "01ID007"
        assert found["outcomes"] == [{"hook": "log"}]
    assert find(str(tmp_path), "absent") is None


def test_the_last_call_is_the_one_answered_last(tmp_path: Path) -> None:
    writer = JournalWriter(str(tmp_path))
    for number in range(3):
        writer.write(record(number, verdict={}, pad="x" * 600_000))
    writer.write({**record(9), "request": "r2", "observes": "01ID002", "outcomes": [{"hook": "log"}]})
    found = last(str(tmp_path))
    assert found is not None
    assert found["id"] == "01ID002"
    assert found["outcomes"] == [{"hook": "log"}]


def test_a_file_of_anything_is_read_in_pieces_and_the_lines_around_it_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairlead.journal.reader.MAX_LINE", 1_000)
    segment = tmp_path / "journal.jsonl"
    junk = b"\xff" * 5_500
    segment.write_bytes(b'{"v":1,"id":"first"}\n' + junk + b"\n" + b'{"v":1,"id":"second"}\n')
    lines = list(read_segment(str(segment)))
    assert [line.record["id"] for line in lines if line.record] == ["first", "second"]
    assert all(len(line.data) <= 1_000 for line in lines)
    assert lines[-1].end == segment.stat().st_size
