"""The journal under real processes: many writers, big lines, rotation, kills, full disks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from fairlead.journal.reader import read_lines, read_records
from fairlead.journal.verify import Chain, verify
from fairlead.journal.writer import JournalWriter

pytestmark = pytest.mark.slow

WRITER = """
import sys
from fairlead.journal.verify import Chain, verify
from fairlead.journal.writer import JournalWriter
directory, name, count, size, limit = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
sys.stdin.read(1)
writer = JournalWriter(directory, max_bytes=limit)
for number in range(count):
    pad = name[-1] * (size * (1 + number % 5))
    writer.write({"v": 1, "id": f"{name}.{number}", "request": f"{name}.{number}", "pad": pad})
    print(number, flush=True)
"""


def start(directory: Path, name: str, count: int, size: int, limit: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-c", WRITER, str(directory), name, str(count), str(size), str(limit)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def let_go(writers: list[subprocess.Popen[bytes]]) -> None:
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.close()


def finish(writer: subprocess.Popen[bytes]) -> bytes:
    assert writer.stdout is not None
    with writer.stdout:
        printed = writer.stdout.read()
    writer.wait()
    return printed


@pytest.mark.parametrize("size", [100, 50_000])
def test_law_8_concurrent_writers_neither_tear_nor_lose_a_line(tmp_path: Path, size: int) -> None:
    """Lines are from 100 bytes to 250 KB: far beyond PIPE_BUF."""
    writers = [start(tmp_path, f"w{name}", 60, size, 1 << 40) for name in "abcd"]
    let_go(writers)
    for writer in writers:
        finish(writer)
        assert writer.returncode == 0
    lines = list(read_lines(str(tmp_path)))
    assert all(line.record is not None for line in lines)
    for line in lines:
        assert line.record is not None
        assert len(set(str(line.record["pad"]))) == 1
    assert len(lines) == len({line.record["id"] for line in lines if line.record}) == 240


def test_law_8_rotation_under_concurrent_writers_loses_no_line(tmp_path: Path) -> None:
    writers = [start(tmp_path, f"w{name}", 300, 50, 4000) for name in "abcd"]
    let_go(writers)
    for writer in writers:
        finish(writer)
        assert writer.returncode == 0
    counts = Counter(str(record["id"]) for record in read_records(str(tmp_path)))
    assert len(counts) == 1200
    assert set(counts.values()) == {1}
    assert len(list(tmp_path.glob("journal.0*.jsonl"))) > 20


def test_law_8_a_writer_killed_at_any_moment_leaves_every_line_that_it_finished(tmp_path: Path) -> None:
    for attempt in range(5):
        directory = tmp_path / str(attempt)
        writers = [
            start(directory, "wa", 100_000, 20_000, 10_000_000),
            start(directory, "wb", 40, 2000, 1 << 40),
        ]
        let_go(writers)
        assert writers[0].stdout is not None
        for _ in range(5 + 7 * attempt):
            writers[0].stdout.readline()
        os.kill(writers[0].pid, signal.SIGKILL)
        printed = finish(writers[0])
        finish(writers[1])
        JournalWriter(str(directory)).write({"v": 1, "id": "after", "request": "after"})
        ids = {str(record["id"]) for record in read_records(str(directory))}
        finished = 5 + 7 * attempt + len(printed.splitlines()) - (not printed.endswith(b"\n"))
        assert {f"wa.{number}" for number in range(finished)} <= ids
        assert {f"wb.{number}" for number in range(40)} | {"after"} <= ids


FULL_DISK = """
import json, resource, sys
from fairlead.errors import JournalError
from fairlead.journal.verify import Chain, verify
from fairlead.journal.writer import JournalWriter
writer = JournalWriter(sys.argv[1])
writer.write({"v": 1, "id": "a", "request": "a"})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
failures = []
for name in "bc":
    try:
        writer.write({"v": 1, "id": name, "request": name, "pad": "x" * 2000})
    except JournalError as error:
        failures.append(error.message)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
writer.write({"v": 1, "id": "d", "request": "d"})
print(json.dumps(failures))
"""


def test_law_8_a_real_short_write_and_a_full_file_are_reported_and_recorded(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, check=True, timeout=60
    )
    short, full = json.loads(done.stdout)
    assert "bytes were written" in short
    assert "was not written" in full
    records = list(read_records(str(tmp_path)))
    assert [record["id"] for record in records] == ["a", "d"]
    assert records[1]["seq"] == 4
    lost = records[1]["lost"]
    assert isinstance(lost, dict)
    assert lost["lines"] == 2


@pytest.mark.parametrize("size", [100, 5_000])
def test_verify_blames_no_writer_for_writing_beside_others(tmp_path: Path, size: int) -> None:
    writers = [start(tmp_path, f"w{name}", 300, size, size * 400) for name in "abcdef"]
    let_go(writers)
    for writer in writers:
        finish(writer)
        assert writer.returncode == 0
    *findings, chain = verify(str(tmp_path))
    assert findings == []
    assert isinstance(chain, Chain)
    assert chain.lines == 1800
