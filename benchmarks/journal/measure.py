"""Prints how fast a long journal is written, indexed, searched, summed up and replayed.

`python -m benchmarks.journal.measure [LINES]`, a million if not given. CPU time is shown beside wall time: on
a busy machine only the first says something about the code.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.journal.generate import write
from fairlead.doors.hook.replay import Change, Replay
from fairlead.policy.places import find_places
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.statistics import statistics
from fairlead.store.writer import IndexWriter

REPLAYED = 100_000


def timed(work: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def best(work: Callable[[], object], times: int = 3) -> tuple[float, float]:
    return min(timed(work) for _ in range(times))


def show(name: str, spent: tuple[float, float], lines: int = 0) -> None:
    wall, cpu = spent
    rate = f"   {lines / wall:>9,.0f}/s wall {lines / cpu:>9,.0f}/s CPU" if lines else ""
    print(f"{name:<44} {wall:8.3f} s wall {cpu:8.3f} s CPU{rate}", flush=True)


def measure(lines: int, folder: Path) -> None:
    journal, index = str(folder / "journal"), str(folder / "index.sqlite3")
    show("write the journal", timed(lambda: write(journal, lines)), lines)
    writer = IndexWriter(index, journal)
    show("index it", timed(writer.catch_up), lines)
    writer.close()
    reader = IndexReader(index, journal)
    newest = time.time()
    show("stats, everything", best(lambda: statistics(reader, Query())))
    show("stats --since 7d", best(lambda: statistics(reader, Query(since=newest - 7 * 86400))))
    queries = {
        "log": Query(),
        "log --denied": Query(decision=(4, 5)),
        "log --agent cursor --since 1d": Query(agent="cursor", since=newest - 86400),
        "log --rule git/force-push": Query(rule="git/force-push"),
        "log --agent nobody (reads every row)": Query(agent="nobody"),
        "log --text 'not there' (reads every row)": Query(text="not there"),
    }
    for name, query in queries.items():
        show(name, best(lambda query=query: reader.calls(query)))  # type: ignore[misc]
    show("sessions", best(lambda: reader.sessions(Query(limit=30))))
    replayed = min(REPLAYED, lines)
    changes: Counter[Change] = Counter()
    replay = Replay(find_places(str(folder / "home")))

    def run() -> None:
        for record in reader.records(Query(limit=replayed)):
            changes[replay.judge(record).change] += 1

    show("replay", timed(run), replayed)
    print(", ".join(f"{change}: {number}" for change, number in changes.items()))
    reader.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory at most {peak:.0f} MB")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, Path(made))
