"""Indexing under SIGKILL: nothing is lost, nothing is doubled."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fairlead.journal.ids import new_id, timestamp
from fairlead.journal.writer import JournalWriter
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.statistics import statistics
from fairlead.store.writer import IndexWriter

pytestmark = pytest.mark.slow

INDEX = """
import sys
from fairlead.store.writer import IndexWriter
writer = IndexWriter(sys.argv[1], sys.argv[2])
print("ready", flush=True)
writer.catch_up(step=40)
"""


def write(journal: Path, lines: int) -> None:
    writer = JournalWriter(str(journal), max_bytes=200_000)
    for number in range(lines):
        now = 1_790_000_000 + number
        outcome = {"hook": "guard", "type": "safety", "decision": "continue", "ms": 0.1, "failure": None}
        record = {
            "v": 1,
            "id": new_id(now),
            "request": f"r{number - number % 50 if number % 50 == 1 else number}",
            "ts": timestamp(now),
            "agent": "claude",
            "event": "BeforeTool",
            "session": f"s{number % 9}",
            "root": "/x",
            "facts": {"tool": {"name": "Bash", "input": {"command": f"echo {number}"}}},
            "outcomes": [outcome],
            "verdict": {"decision": "block" if number % 10 == 0 else "continue", "rule": ""},
            "ms": 0.3,
        }
        writer.write(record)
    writer.close()


def test_law_8_a_kill_at_any_moment_of_indexing_loses_and_doubles_nothing(tmp_path: Path) -> None:
    journal, path = tmp_path / "journal", str(tmp_path / "index.sqlite3")
    lines = 6000
    write(journal, lines)
    chance = random.Random(os.environ.get("PYTEST_RANDOMLY_SEED", "11"))
    kills = 0
    for _ in range(40):
        child = subprocess.Popen([sys.executable, "-c", INDEX, path, str(journal)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        with child.stdout:
            child.stdout.readline()
            time.sleep(chance.uniform(0, 0.12))  # where in the work it hits is the point, not the time
            if child.poll() is None:
                os.kill(child.pid, signal.SIGKILL)
                kills += 1
            child.wait()
        if kills >= 12:
            break
    writer = IndexWriter(path, str(journal))
    writer.catch_up()
    writer.close()
    reader = IndexReader(path, str(journal))
    repeated = lines // 50
    found = statistics(reader, Query())
    assert reader.count(Query()) == found.total.calls == lines - repeated
    assert sum(share.calls for share in found.hooks) == lines - repeated
    assert found.total.decisions["block"] == lines // 10 - repeated
    reader.close()
