from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.journal.writer import JournalWriter
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.writer import IndexWriter
from index_kit import Store, call, observation, write


def test_every_call_of_the_journal_is_found(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(20)), max_bytes=3000)
    assert store.writer.catch_up() == 20
    found = store.reader.calls(Query())
    assert [line.summary for line in found] == [f"git push {number}" for number in reversed(range(20))]
    assert store.writer.catch_up() == 0


def test_only_what_is_new_is_read(store: Store) -> None:
    writer = JournalWriter(str(store.journal), max_bytes=2500)
    for number in range(30):
        writer.write(call(number))
        assert store.writer.catch_up() == 1
    assert store.reader.count(Query()) == 30


def test_a_line_that_is_not_finished_is_read_when_it_is(store: Store) -> None:
    write(store.journal, call(1))
    path = store.journal / "journal.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole.replace(b'"r1"', b'"r2"').replace(b'"id":"', b'"id":"Z')[:200])
    store.writer.catch_up()
    assert store.reader.count(Query()) == 1
    path.write_bytes(whole + whole.replace(b'"r1"', b'"r2"').replace(b'"id":"', b'"id":"Z'))
    store.writer.catch_up()
    assert store.reader.count(Query()) == 2


def test_law_8_a_call_that_was_answered_twice_counts_once_in_every_count(store: Store) -> None:
    first, other = call(1, "block"), call(2)
    again = {**call(3, "continue"), "request": "r1"}
    write(store.journal, first, other)
    store.writer.catch_up()
    write(store.journal, again)
    store.writer.catch_up()
    content = store.content()
    assert len(content["calls"]) == 2
    (answered,) = store.reader.calls(Query(text="push 3"))
    assert answered.attempts == 2
    assert sum(row[-3] for row in content["days"]) == 2
    assert [row[5] for row in content["days"]] == [0]
    store.writer.rebuild()
    assert store.content() == content


def test_a_call_answered_twice_within_one_step_counts_once_too(store: Store) -> None:
    write(store.journal, call(1, "block"), {**call(2), "request": "r1"}, {**call(3), "request": "r1"})
    store.writer.catch_up()
    (answered,) = store.reader.calls(Query())
    assert answered.attempts == 3
    assert [row[-3] for row in store.content()["days"] if row[-3]] == [1]


def test_what_observers_said_is_counted_and_found_with_the_call(store: Store) -> None:
    first = call(1)
    write(store.journal, first, observation(first, 2))
    store.writer.catch_up()
    record = store.reader.record(str(first["id"]))
    assert record is not None
    assert [said["hook"] for said in record["outcomes"]] == ["guard", "log-operations"]
    assert {row[3] for row in store.content()["hooks"]} == {"guard", "log-operations"}


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_a_rebuilt_index_has_the_same_content(store: Store, step: int) -> None:
    records = []
    for number in range(60):
        made = call(number, "block" if number % 7 == 0 else "continue", session=f"s{number % 4}")
        records.append(made)
        if number % 5 == 0:
            records.append(observation(made, number, metrics={"total_tokens": number, "model": "m"}))
        if number % 11 == 10:
            records.append({**call(number + 100, "ask"), "request": f"r{number - 5}"})
    write(store.journal, *records, max_bytes=9000)
    store.writer.catch_up(step=step)
    content = store.content()
    assert store.writer.rebuild() == len(records)
    assert store.content() == content
    assert store.writer.catch_up() == 0


def test_a_renamed_segment_is_not_read_twice(store: Store) -> None:
    write(store.journal, call(1), call(2))
    store.writer.catch_up()
    (store.journal / "journal.jsonl").rename(store.journal / "journal.000001.jsonl")
    write(store.journal, call(3))
    store.writer.catch_up()
    assert store.reader.count(Query()) == 3
    record = store.reader.find(str(store.reader.calls(Query(text="push 1"))[0].id))
    assert record is not None


def test_a_line_that_came_late_into_a_renamed_segment_is_read(store: Store) -> None:
    write(store.journal, call(1))
    store.writer.catch_up()
    (store.journal / "journal.jsonl").rename(store.journal / "journal.000001.jsonl")
    write(store.journal, call(2))
    store.writer.catch_up()
    late = JournalWriter(str(store.journal / "elsewhere"))
    late.write(call(3))
    with (store.journal / "journal.000001.jsonl").open("ab") as segment:
        segment.write((store.journal / "elsewhere" / "journal.jsonl").read_bytes())
    store.writer.catch_up()
    assert store.reader.count(Query()) == 3


def test_rubbish_in_the_journal_is_passed_over(store: Store) -> None:
    write(store.journal, call(1))
    with (store.journal / "journal.jsonl").open("ab") as segment:
        segment.write(
            b'rubbish\n{"v":1,"id":"x","outcomes":7,"verdict":[],"facts":null,"ms":"x"}\n{"v":1,"id":"to'
        )
    write(store.journal, call(2, session="\ud800 half"))
    store.writer.catch_up()
    assert store.reader.count(Query()) == 3


def test_two_writers_at_once_double_nothing(store: Store, tmp_path: Path) -> None:
    other = IndexWriter(str(store.path), str(store.journal))
    for number in range(10):
        write(store.journal, call(number))
        (store.writer if number % 2 else other).catch_up()
    other.catch_up()
    store.writer.catch_up()
    other.close()
    assert store.reader.count(Query()) == 10
    assert sum(row[-3] for row in store.content()["days"]) == 10


def test_a_reader_reads_while_the_index_is_rebuilt_and_after(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(5)))
    store.writer.catch_up()
    assert store.reader.count(Query()) == 5
    write(store.journal, call(6))
    store.writer.rebuild()
    assert store.reader.count(Query()) == 6
    assert sorted(path.name for path in store.path.parent.iterdir() if "new" in path.name) == []


def test_an_index_of_another_version_is_made_anew(store: Store) -> None:
    write(store.journal, call(1))
    store.writer.catch_up()
    store.writer._connection.execute("PRAGMA user_version = 99")
    again = IndexWriter(str(store.path), str(store.journal))
    assert again.catch_up() == 1
    again.close()
    reader = IndexReader(str(store.path), str(store.journal))
    assert reader.count(Query()) == 1
    reader.close()


def test_the_index_is_the_owners_alone(store: Store) -> None:
    assert store.path.stat().st_mode & 0o777 == 0o600
    assert store.path.parent.stat().st_mode & 0o777 == 0o700


def test_progress_is_told_in_bytes(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(10)), max_bytes=2000)
    told: list[tuple[int, int]] = []
    store.writer.catch_up(lambda done, total: told.append((done, total)), step=3)
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 0


def test_the_last_report_of_tokens_stands_for_its_session(store: Store) -> None:
    first = call(1)
    reports = [
        observation(first, number, metrics={"total_tokens": 100 * number, "input_tokens": 1, "model": "m"})
        for number in (2, 3)
    ]
    write(store.journal, first, *reversed(reports))
    store.writer.catch_up()
    (session,) = store.reader.sessions(Query())
    assert (session.tokens, session.model, session.calls) == (300, "m", 1)


@pytest.mark.parametrize("content", [b"", b"rubbish" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_what_is_no_index_is_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "index" / "index.sqlite3"
    path.parent.mkdir()
    path.write_bytes(content)
    write(tmp_path / "journal", call(1))
    writer = IndexWriter(str(path), str(tmp_path / "journal"))
    assert writer.catch_up() == 1
    writer.close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_damaged_index_is_mended_by_a_rebuild(tmp_path: Path) -> None:
    path, journal = tmp_path / "index" / "index.sqlite3", tmp_path / "journal"
    write(journal, *(call(number) for number in range(300)))
    writer = IndexWriter(str(path), str(journal))
    writer.catch_up()
    writer.close()
    data = bytearray(path.read_bytes())
    data[8192:40960] = b"\xab" * (40960 - 8192)
    path.write_bytes(data)
    writer = IndexWriter(str(path), str(journal))
    assert writer.rebuild() == 300
    writer.close()
    reader = IndexReader(str(path), str(journal))
    assert reader.count(Query()) == 300
    reader.close()
