"""Brings the index up to date with the journal, in steps that a crash can neither lose nor double.

A step is one transaction: the rows, the counts, and how far its segment was read. Several processes may try
at once; each step starts from what the last one left.
"""

from __future__ import annotations

import gc
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

from fairlead.journal.reader import Line, read_line, read_segment, segment_paths
from fairlead.store.entry import Counts, Row, canary_number, moment, request_number, row_of, usage_of
from fairlead.store.schema import create, open_index

STEP = 20_000
_MARK = 256
_AT_ONCE = 500

Progress = Callable[[int, int], None]
"""Called with the bytes that are read and the bytes that there are."""


class IndexWriter:
    """The writing end of one index."""

    def __init__(self, path: str, journal: str) -> None:
        self.path = path
        self.journal = journal
        self._connection = open_index(path)

    def close(self) -> None:
        self._connection.close()

    def catch_up(self, progress: Progress | None = None, *, step: int = STEP) -> int:
        """Reads whatever the journal has more than the index; the number of lines."""
        with _collector_paused():
            return _catch_up(self._connection, self.journal, progress, step)

    def rebuild(self, progress: Progress | None = None) -> int:
        """Makes the index anew beside the old one, then puts it in its place, whoever is reading."""
        draft = f"{self.path}.{os.getpid()}.new"
        fresh = open_index(draft)
        try:
            fresh.execute("PRAGMA synchronous = OFF")
            create(fresh)
            with _collector_paused():
                lines = _catch_up(fresh, self.journal, progress, STEP)
            fresh.backup(self._connection)
        finally:
            fresh.close()
            for name in (draft, f"{draft}-wal", f"{draft}-shm"):
                if os.path.exists(name):
                    os.unlink(name)
        return lines


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Parsed lines are many small objects without cycles; looking for cycles takes a sixth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _catch_up(connection: sqlite3.Connection, journal: str, progress: Progress | None, step: int) -> int:
    paths = segment_paths(journal)
    total = sum(_size(path) for path in paths)
    done = lines = 0
    known = set(connection.execute("SELECT name, inode, read FROM segments").fetchall())
    for path in paths:
        while not _is_read(path, known):
            count, read = _step(connection, path, step)
            lines += count
            if progress is not None:
                progress(done + read, total)
            if not count:
                break
        done += _size(path)
    return lines


def _is_read(path: str, known: Collection[tuple[str, int, int]]) -> bool:
    """Whether nothing was written since; asking the disk is cheaper than a transaction."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return True
    return (os.path.basename(path), found.st_ino, found.st_size) in known


def _step(connection: sqlite3.Connection, path: str, step: int) -> tuple[int, int]:
    """One transaction; the number of lines in it, and how far the segment is read now."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        segment, read = _segment(connection, path)
        if segment is None or _size(path) <= read:
            connection.execute("COMMIT")
            return 0, read
        batch = _Batch(connection, segment, path)
        lines = 0
        for line in islice(read_segment(path, read), step):
            batch.add(line)
            read = line.end
            lines += 1
        if lines:
            batch.write(read)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return lines, read


def _segment(connection: sqlite3.Connection, path: str) -> tuple[int | None, int]:
    """The segment's row, wherever it was renamed to. An empty file has none yet."""
    try:
        with open(path, "rb") as file:
            inode, mark = os.fstat(file.fileno()).st_ino, file.read(_MARK)
    except FileNotFoundError:
        return None, 0
    if b"\n" not in mark and len(mark) < _MARK:
        return None, 0
    name = os.path.basename(path)
    for number, known, found, read in connection.execute(
        "SELECT id, name, mark, read FROM segments WHERE inode = ?", (inode,)
    ).fetchall():
        if mark.startswith(found):
            if known != name:
                connection.execute("UPDATE segments SET name = ? WHERE id = ?", (name, number))
            return number, read
    cursor = connection.execute(
        "INSERT INTO segments (name, inode, mark, read) VALUES (?, ?, ?, 0)",
        (name, inode, mark[: mark.find(b"\n") + 1] if b"\n" in mark else mark),
    )
    return cursor.lastrowid, 0


class _Waiting(NamedTuple):
    """A call that will be written at the end of the step; its record is not kept."""

    row: Row
    offset: int
    length: int
    attempts: int


class _Batch:
    """What one step adds."""

    def __init__(self, connection: sqlite3.Connection, segment: int, path: str) -> None:
        self._connection = connection
        self._segment = segment
        self._path = path
        self._names: dict[str, int] = {}
        self._calls: dict[int, _Waiting] = {}
        self._counts = Counts()

    def add(self, line: Line) -> None:
        if line.record is None:
            self._gap(line, 0, 1, "a line was cut short")
            return
        lost = line.record.get("lost")
        if isinstance(lost, dict):
            lines = lost.get("lines")
            self._gap(line, moment(line.record), lines if isinstance(lines, int) else 1, str(lost.get("why")))
        if "observes" in line.record:
            self._observe(line, line.record)
        else:
            self._call(line, line.record)

    def _call(self, line: Line, record: Mapping[str, object]) -> None:
        """A later answer to the same request takes the place of the earlier one, in the counts, too."""
        row = row_of(record)
        before = self._calls.pop(row.request, None)
        attempts = 1
        if before is not None:
            attempts += before.attempts
            self._uncount(self._segment, self._path, before.offset, before.length)
        self._counts.add_call(self._segment, row, record)
        self._calls[row.request] = _Waiting(row, line.offset, len(line.data), attempts)

    def _gap(self, line: Line, ts: int, lines: int, why: str) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO gaps VALUES (?, ?, ?, ?, ?)",
            (self._segment, line.offset, ts, lines, why[:200].encode("utf-8", "replace").decode("utf-8")),
        )

    def _uncount(self, segment: int, path: str, offset: int, length: int) -> None:
        record = read_line(path, offset, length)
        if record is not None:
            self._counts.add_call(segment, row_of(record), record, -1)

    def _replace_known(self) -> None:
        """Takes those calls out of the index that were answered again."""
        requests = list(self._calls)
        for start in range(0, len(requests), _AT_ONCE):
            part = requests[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            found = self._connection.execute(f"SELECT request FROM calls WHERE request IN ({marks})", part)
            for (request,) in found.fetchall():
                waiting = self._calls[request]
                attempts = waiting.attempts + self._take_back(request)
                self._calls[request] = waiting._replace(attempts=attempts)

    def _take_back(self, request: int) -> int:
        """Takes a call that is in the index out of it; how often it was answered."""
        attempts, segment, offset, length, name = self._connection.execute(
            "SELECT c.attempts, c.segment, c.offset, c.length, s.name FROM calls c "
            "JOIN segments s ON s.id = c.segment WHERE request = ?",
            (request,),
        ).fetchone()
        self._uncount(segment, os.path.join(os.path.dirname(self._path), name), offset, length)
        self._connection.execute("DELETE FROM calls WHERE request = ?", (request,))
        return int(attempts)

    def _observe(self, line: Line, record: Mapping[str, object]) -> None:
        place = (request_number(record), self._segment, line.offset, len(line.data))
        said = (moment(record), self._name(str(record.get("agent"))), canary_number(record))
        self._connection.execute(
            "INSERT OR IGNORE INTO observations VALUES (?, ?, ?, ?, ?, ?, ?)", place + said
        )
        self._counts.add_observation(self._segment, record)
        metrics = usage_of(record)
        if metrics is not None and record.get("session") and not canary_number(record):
            self._use(record, metrics)

    def _use(self, record: Mapping[str, object], metrics: Mapping[str, object]) -> None:
        fields = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "total_tokens")
        counts = [value if isinstance(value := metrics.get(field), int) else 0 for field in fields]
        session, model = str(record.get("session")), str(metrics.get("model") or "")
        self._connection.execute(
            "INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "ts = excluded.ts, segment = excluded.segment, model = excluded.model, input = excluded.input, "
            "output = excluded.output, cache_read = excluded.cache_read, cache_write = excluded.cache_write, "
            "total = excluded.total WHERE excluded.ts >= ts",
            (self._name(session), moment(record), self._segment, self._name(model), *counts),
        )

    def _name(self, word: str) -> int:
        number = self._names.get(word)
        if number is None:
            storable = word.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair is not
            self._connection.execute("INSERT OR IGNORE INTO names (name) VALUES (?)", (storable,))
            found = self._connection.execute("SELECT id FROM names WHERE name = ?", (storable,))
            number = self._names[word] = found.fetchone()[0]
        return number

    def write(self, read: int) -> None:
        self._replace_known()
        name, counts, execute_many = self._name, self._counts, self._connection.executemany
        execute_many(f"INSERT OR REPLACE INTO calls VALUES ({', '.join('?' * 25)})", self._rows())
        execute_many(
            "INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "n = n + excluded.n, degraded = degraded + excluded.degraded, failed = failed + excluded.failed",
            [
                (
                    *key[:3],
                    name(key[3]),
                    name(key[4]),
                    name(key[5]),
                    key[6],
                    name(key[7]),
                    name(key[8]),
                    *n,
                )
                for key, n in counts.calls.items()
            ],
        )
        execute_many(
            "INSERT INTO hours VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
            [(*key[:3], name(key[3]), *key[4:], n) for key, n in counts.hours.items()],
        )
        execute_many(
            "INSERT INTO hooks VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "n = n + excluded.n, failed = failed + excluded.failed",
            [(*key[:3], name(key[3]), name(key[4]), key[5], *n) for key, n in counts.hooks.items()],
        )
        execute_many(
            "INSERT INTO latency VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
            [(*key[:3], name(key[3]), name(key[4]), key[5], n) for key, n in counts.latency.items()],
        )
        last: dict[str, int] = {}
        for row, *_ in self._calls.values():
            if not row.canary:
                last[row.agent] = max(row.ts, last.get(row.agent, 0))
        execute_many(
            "INSERT INTO agents VALUES (?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
            [(name(agent), ts) for agent, ts in last.items()],
        )
        self._connection.execute("UPDATE segments SET read = ? WHERE id = ?", (read, self._segment))

    def _rows(self) -> Iterator[tuple[object, ...]]:
        name = self._name
        for row, offset, length, attempts in self._calls.values():
            yield (
                row.id, row.request, row.ts, name(row.agent), name(row.event), name(row.tool), row.decision,
                name(row.rule), name(row.hook), name(row.session), name(row.root), name(row.subagent),
                name(row.degraded), row.failures, attempts, row.canary, row.would, name(row.would_rule),
                row.pair, row.after, row.us, self._segment, offset, length,
                row.summary.encode("utf-8", "replace").decode("utf-8"),
            )  # fmt: skip


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
