from __future__ import annotations

import hashlib
import json
import os
import stat
import threading
from pathlib import Path

import pytest

from fairlead.errors import JournalError
from fairlead.journal.line import MAX_LINE
from fairlead.journal.reader import read_records
from fairlead.journal.rotation import segment_name
from fairlead.journal.writer import JournalWriter, _Pen, hash_of_last_line


def record(number: int, **more: object) -> dict[str, object]:
    return {"v": 1, "id": f"id{number}", "request": f"r{number}", "agent": "claude", **more}


def lines_of(directory: Path) -> list[bytes]:
    return (directory / "journal.jsonl").read_bytes().splitlines()


def test_a_line_is_the_record_with_its_place_in_the_chain(tmp_path: Path) -> None:
    JournalWriter(str(tmp_path)).write(record(1, text='quote " and \n newline'))
    (line,) = lines_of(tmp_path)
    written = json.loads(line)
    assert list(written)[:7] == ["v", "id", "request", "writer", "seq", "prev", "at"]
    assert (written["seq"], written["prev"], written["at"]) == (1, "", 0)
    assert written["text"] == 'quote " and \n newline'


def test_each_line_holds_the_hash_of_its_writers_previous_line(tmp_path: Path) -> None:
    writers = [JournalWriter(str(tmp_path)), JournalWriter(str(tmp_path))]
    for number in range(6):
        writers[number % 2].write(record(number))
    lines = lines_of(tmp_path)
    records = [json.loads(line) for line in lines]
    assert [found["seq"] for found in records] == [1, 1, 2, 2, 3, 3]
    assert (records[0]["prev"], records[1]["prev"]) == ("", "")
    for number in range(2, 6):
        assert records[number]["prev"] == hashlib.sha256(lines[number - 2]).hexdigest()


def test_a_line_vouches_for_another_writers_line_before_it(tmp_path: Path) -> None:
    writers = [JournalWriter(str(tmp_path)), JournalWriter(str(tmp_path))]
    for number in (0, 0, 1, 0, 0):
        writers[number].write(record(number))
    lines = lines_of(tmp_path)
    after = [json.loads(line).get("after") for line in lines]
    assert after[2] == hashlib.sha256(lines[1]).hexdigest()
    assert after[3] == hashlib.sha256(lines[2]).hexdigest()
    assert [after[number] for number in (0, 1, 4)] == [None] * 3  # its own line before it is in `prev`


def test_each_line_knows_how_much_was_there_before_it(tmp_path: Path) -> None:
    writer = JournalWriter(str(tmp_path))
    for number in range(3):
        writer.write(record(number))
    offset = 0
    for line in lines_of(tmp_path):
        assert json.loads(line)["at"] == offset
        offset += len(line) + 1


def test_folders_and_files_are_the_owners_alone(tmp_path: Path) -> None:
    directory = tmp_path / "state" / "journal"
    old = os.umask(0)
    try:
        JournalWriter(str(directory)).write(record(1))
    finally:
        os.umask(old)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE(directory.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((directory / "journal.jsonl").stat().st_mode) == 0o600


def test_rights_that_are_too_wide_are_taken_away(tmp_path: Path) -> None:
    directory = tmp_path / "journal"
    directory.mkdir(0o755)
    (directory / "journal.jsonl").touch(0o644)
    JournalWriter(str(directory)).write(record(1))
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE((directory / "journal.jsonl").stat().st_mode) == 0o600


def test_a_link_in_the_journals_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match="cannot be opened"):
        JournalWriter(str(tmp_path)).write(record(1))
    assert not (tmp_path / "elsewhere").exists()


def test_a_place_that_cannot_be_made_is_a_clear_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError) as caught:
        JournalWriter(str(tmp_path / "file" / "journal")).write(record(1))
    assert str(tmp_path / "file") in str(caught.value)
    assert caught.value.hint


def test_a_pipe_in_the_journals_place_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "journal.jsonl")
    with pytest.raises(JournalError, match="is not a file of ours"):
        JournalWriter(str(tmp_path)).write(record(1))


def test_law_8_a_gap_is_recorded_in_the_next_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter(str(tmp_path))
    writer.write(record(1))
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        for number in (2, 3):
            with pytest.raises(JournalError, match="No space left"):
                writer.write(record(number))
    writer.write(record(4))
    first, after = read_records(str(tmp_path))
    assert (first["seq"], after["seq"]) == (1, 4)
    assert after["lost"] == {"lines": 2, "why": "No space left on device"}


def test_law_8_a_short_write_is_a_failure_and_spoils_no_other_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    writer = JournalWriter(str(tmp_path))
    writer.write(record(1))
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda descriptor, data: real(descriptor, data[: len(data) // 2]))
        with pytest.raises(JournalError, match="bytes were written"):
            writer.write(record(2))
    writer.write(record(3))
    assert [found["id"] for found in read_records(str(tmp_path))] == ["id1", "id3"]
    assert len(lines_of(tmp_path)) == 3


def test_a_writer_that_starts_after_a_torn_line_begins_a_new_one(tmp_path: Path) -> None:
    JournalWriter(str(tmp_path)).write(record(1))
    with open(tmp_path / "journal.jsonl", "ab") as segment:
        segment.write(b'{"v":1,"id":"to')
    JournalWriter(str(tmp_path)).write(record(2))
    assert [found["id"] for found in read_records(str(tmp_path))] == ["id1", "id2"]


def test_threads_share_a_writer_without_tearing_its_chain(tmp_path: Path) -> None:
    writer = JournalWriter(str(tmp_path), max_bytes=20_000)

    def work(name: int) -> None:
        for number in range(50):
            writer.write(record(name * 100 + number))

    threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    records = list(read_records(str(tmp_path)))
    assert [found["seq"] for found in records] == list(range(1, 301))
    assert len({found["writer"] for found in records}) == 1


def test_threads_that_write_first_at_the_same_time_are_one_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(_Pen):
        def __init__(self) -> None:
            barrier.wait(20)  # both threads have seen that there is none yet
            super().__init__()

    barrier = threading.Barrier(2)
    monkeypatch.setattr("fairlead.journal.writer._Pen", Slow)
    writer = JournalWriter(str(tmp_path))
    threads = [threading.Thread(target=writer.write, args=(record(number),)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found["seq"] for found in read_records(str(tmp_path))] == [1, 2]


def test_a_full_segment_is_set_aside_and_nothing_is_lost(tmp_path: Path) -> None:
    writer = JournalWriter(str(tmp_path), max_bytes=1000)
    for number in range(30):
        writer.write(record(number))
    names = sorted(path.name for path in tmp_path.glob("journal*.jsonl"))
    assert names[0] == segment_name(1)
    assert len(names) > 3
    assert [found["id"] for found in read_records(str(tmp_path))] == [f"id{number}" for number in range(30)]
    for name in names:
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_the_chain_goes_on_across_segments(tmp_path: Path) -> None:
    for number in range(30):
        JournalWriter(str(tmp_path), max_bytes=700).write(
            record(number)
        )  # a new writer each, as cold calls are
    hashes: list[str | None] = [None]
    for found in read_records(str(tmp_path)):
        assert found.get("after") == hashes[-1]
        line = json.dumps(found, separators=(",", ":")).encode()
        hashes.append(hashlib.sha256(line).hexdigest())


def test_a_writer_goes_on_when_its_segment_was_removed(tmp_path: Path) -> None:
    writer = JournalWriter(str(tmp_path))
    writer.write(record(1))
    (tmp_path / "journal.jsonl").unlink()
    writer.write(record(2))
    assert [found["id"] for found in read_records(str(tmp_path))] == ["id2"]


def test_a_child_of_fork_writes_its_own_chain_even_if_the_lock_was_held(tmp_path: Path) -> None:
    import multiprocessing

    writer = JournalWriter(str(tmp_path))
    writer.write(record(1))
    with writer._pen().lock:  # as if another thread were writing at the moment of the fork
        child = multiprocessing.get_context("fork").Process(target=writer.write, args=(record(2),))
        child.start()
        child.join(20)
    assert child.exitcode == 0
    writer.write(record(3))
    first, second, third = read_records(str(tmp_path))
    assert first["writer"] == third["writer"] != second["writer"]
    assert (first["seq"], second["seq"], third["seq"]) == (1, 1, 2)


def test_a_line_that_another_writer_is_just_writing_is_not_vouched_for_in_part(tmp_path: Path) -> None:
    segment = tmp_path / "journal.jsonl"
    segment.write_bytes(b"first\nsecond\nthi")
    assert hash_of_last_line(str(segment)) == hashlib.sha256(b"second").hexdigest()
    segment.write_bytes(b"first\n\nsec")
    assert hash_of_last_line(str(segment)) == hashlib.sha256(b"first").hexdigest()
    segment.write_bytes(b"fir")
    assert hash_of_last_line(str(segment)) == ""
    segment.write_bytes(b"x" * 9000 + b"\n")
    assert hash_of_last_line(str(segment)) == hashlib.sha256(b"x" * 9000).hexdigest()


def test_a_journal_that_is_one_endless_line_costs_no_more_than_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As left behind by a hostile program: sparse, two gigabytes, no newline."""
    with (tmp_path / "journal.jsonl").open("wb") as file:
        file.truncate(2 << 30)
    read = []
    pread = os.pread

    def counted(descriptor: int, count: int, offset: int) -> bytes:
        read.append(count)
        return pread(descriptor, count, offset)

    monkeypatch.setattr(os, "pread", counted)
    JournalWriter(str(tmp_path)).write(record(1))
    assert [line["id"] for line in map(json.loads, lines_of(tmp_path))] == ["id1"]
    assert sum(read) < 4 * MAX_LINE
