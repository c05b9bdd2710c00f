"""Answers from the index: which calls, how many, how long, when last."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from fairlead.journal.line import Record
from fairlead.journal.reader import fold, read_line
from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.store.entry import request_number
from fairlead.store.query import Query, canary_conditions, conditions
from fairlead.store.schema import generation, open_to_read

_COLUMNS = ("agent", "event", "tool", "rule", "hook", "session", "root", "subagent", "degraded", "would_rule")


_SESSIONS = 10_000  # more than SQLite takes as values, and than anybody reads


class Call(Value):
    """One call as the index knows it."""

    id: str
    ts: float
    decision: Decision
    agent: str
    event: str
    tool: str
    rule: str
    hook: str
    session: str
    root: str
    subagent: str
    degraded: str
    failures: int
    attempts: int
    canary: bool
    would: str
    """The decision that audit kept back; empty for none."""
    would_rule: str
    milliseconds: float
    summary: str

    def as_json(self) -> dict[str, object]:
        fields = {field: getattr(self, field) for field in self._fields}
        return fields | {"decision": self.decision.word}


class SessionLine(Value):
    """One session of an agent: when, where, how many calls, how many of them objected to."""

    session: str
    agent: str
    root: str
    first: float
    last: float
    calls: int
    blocked: int
    asked: int
    subagents: int
    tokens: int
    model: str


class IndexReader:
    """The reading end of one index. Any number may read while one writes."""

    def __init__(self, path: str, journal: str) -> None:
        self.journal = journal
        self.connection = open_to_read(path)
        self._names: dict[int, str] = {}
        self._generation = 0

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is asked within it comes from one state of the index."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN")
        try:
            if self._generation != generation(self.connection):
                self._names, self._generation = {}, generation(self.connection)
            yield
        finally:
            self.connection.execute("COMMIT")

    def name(self, number: int) -> str:
        """The word of a number; unknown ones are looked up, since the writer adds new ones."""
        if number not in self._names:
            self._names |= dict(self.connection.execute("SELECT id, name FROM names").fetchall())
        return self._names[number]

    def calls(self, query: Query) -> list[Call]:
        """The newest first, or with `after` the oldest first."""
        where, values = conditions(query)
        order = "ASC" if query.after else "DESC"
        with self.snapshot():
            found = self.connection.execute(
                f"SELECT id, ts, decision, {', '.join(_COLUMNS)}, failures, attempts, canary, would, us, "
                f"summary FROM calls c WHERE {where} ORDER BY id {order} LIMIT ?",
                [*values, query.limit],
            )
            return [self._call(row) for row in found.fetchall()]

    def _call(self, row: Sequence[int]) -> Call:
        line_id, ts, decision, *rest = row
        failures, attempts, canary, would, us, summary = rest[len(_COLUMNS) :]
        return Call(
            id=str(line_id),
            ts=ts / 1000,
            decision=Decision(decision),
            failures=failures,
            attempts=attempts,
            canary=bool(canary),
            would=Decision(would).word if would else "",
            milliseconds=us / 1000,
            summary=str(summary),
            **{column: self.name(number) for column, number in zip(_COLUMNS, rest, strict=False)},
        )

    def newest(self, *, canaries: bool = True) -> str:
        """The id of the newest call, or nothing."""
        where, _ = conditions(Query(canaries=canaries))
        newest = f"SELECT c.id FROM calls c WHERE {where} ORDER BY c.id DESC LIMIT 1"
        found = self.connection.execute(newest).fetchone()
        return str(found[0]) if found else ""

    def records(self, query: Query) -> Iterator[Record]:
        """The whole records, oldest first, read from the journal one by one."""
        where, values = conditions(query)
        cursor = self.connection.execute(
            "SELECT s.name, c.offset, c.length FROM calls c JOIN segments s ON s.id = c.segment "
            f"WHERE {where} ORDER BY c.id LIMIT ?",
            [*values, query.limit],
        )
        for name, offset, length in cursor:
            record = read_line(os.path.join(self.journal, name), offset, length)
            if record is not None:
                yield record

    def observations(self, query: Query) -> Iterator[Record]:
        """What observers said in the query's time, about calls of its agent."""
        low, high = (query.since or 0) * 1000, (query.until or 1e15) * 1000
        cursor = self.connection.execute(
            "SELECT s.name, o.offset, o.length FROM observations o JOIN segments s ON s.id = o.segment "
            "WHERE o.ts >= ? AND o.ts < ? AND o.canary <= ? "
            "AND (? = '' OR o.agent IN (SELECT id FROM names WHERE name = ?))",
            (low, high, int(query.canaries), query.agent, query.agent),
        )
        for name, offset, length in cursor:
            record = read_line(os.path.join(self.journal, name), offset, length)
            if record is not None:
                yield record

    def moments(self, query: Query) -> Iterator[int]:
        """When each call was, in milliseconds."""
        where, values = conditions(query)
        for (moment,) in self.connection.execute(f"SELECT c.ts FROM calls c WHERE {where}", values):
            yield moment

    def count(self, query: Query) -> int:
        where, values = conditions(query)
        with self.snapshot():
            found = self.connection.execute(f"SELECT count(*) FROM calls c WHERE {where}", values)
            return int(found.fetchone()[0])

    def left_out(self, query: Query) -> int:
        """How many canaries there are among such calls that the query does not ask for."""
        if query.canaries:
            return 0
        where, values = canary_conditions(query)
        found = self.connection.execute(f"SELECT count(*) FROM calls c WHERE {where}", values)
        return int(found.fetchone()[0])

    def find(self, wanted: str) -> Record | None:
        """The whole call with this id, or whose id begins or ends with it."""
        found = self.connection.execute(
            "SELECT id FROM calls WHERE id >= ? AND id < ? LIMIT 1", (wanted, wanted + "\x7f")
        ).fetchone()
        if found is None:
            like = "%" + wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            found = self.connection.execute(
                "SELECT id FROM calls WHERE id LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT 1", (like,)
            ).fetchone()
        return self.record(found[0]) if found else None

    def record(self, line_id: str) -> Record | None:
        """The call with what observers said about it."""
        place = self.connection.execute(
            "SELECT s.name, c.offset, c.length, c.attempts FROM calls c JOIN segments s ON s.id = c.segment "
            "WHERE c.id = ?",
            (line_id,),
        ).fetchone()
        if place is None:
            return None
        name, offset, length, attempts = place
        call = read_line(os.path.join(self.journal, name), offset, length)
        if call is None:
            return None
        folded = fold([call, *self._observations(call)])
        record = folded[0] if folded else call
        return record if attempts == 1 else {**record, "attempts": attempts}

    def of_request(self, request: str) -> Record | None:
        """The call that was made under this request."""
        number = request_number({"request": request})
        found = self.connection.execute("SELECT id FROM calls WHERE request = ?", (number,)).fetchone()
        return self.record(found[0]) if found else None

    def last_of_sessions(self, query: Query) -> list[tuple[str, str]]:
        """Every session that had such calls, and the id of the last of them."""
        where, values = conditions(query)
        with self.snapshot():
            found = self.connection.execute(
                f"SELECT c.session, max(c.id) FROM calls c WHERE {where} GROUP BY c.session", values
            )
            return [(self.name(session), str(line)) for session, line in found.fetchall()]

    def _observations(self, call: Mapping[str, object]) -> Iterator[Record]:
        places = self.connection.execute(
            "SELECT s.name, o.offset, o.length FROM observations o JOIN segments s ON s.id = o.segment "
            "WHERE o.request = ?",
            (request_number(call),),
        ).fetchall()
        for name, offset, length in places:
            record = read_line(os.path.join(self.journal, name), offset, length)
            if record is not None:
                yield record

    def sessions(self, query: Query) -> list[SessionLine]:
        """The sessions that had such calls last, newest first; their counts are of all such calls. What
        tells how a call ended is no call of its own."""
        where, values = conditions(query)
        with self.snapshot():
            wanted = self._newest_sessions(where, values, query.limit)
            marks = ", ".join("?" * len(wanted))
            found = self.connection.execute(
                "SELECT c.session, max(c.agent), max(c.root), min(c.ts), max(c.ts), "
                "sum(c.after = 0 OR c.decision >= 3), "
                "sum(c.decision >= 4), sum(c.decision = 3), count(DISTINCT c.subagent), "
                "max(u.total), max(u.model) "
                "FROM calls c LEFT JOIN usage u ON u.session = c.session "
                f"WHERE c.session IN ({marks}) AND {where} GROUP BY c.session ORDER BY max(c.ts) DESC",
                [*wanted, *values],
            )
            return [self._session(row) for row in found.fetchall()]

    def _newest_sessions(self, where: str, values: list[object], limit: int) -> list[int]:
        """Read backwards only as far as it takes to see so many."""
        wanted: dict[int, None] = {}
        for (session,) in self.connection.execute(
            f"SELECT c.session FROM calls c WHERE {where} ORDER BY c.id DESC", values
        ):
            wanted[session] = None
            if len(wanted) == limit or len(wanted) == _SESSIONS:
                break
        return list(wanted)

    def _session(self, row: Sequence[int]) -> SessionLine:
        session, agent, root, first, last, calls, blocked, asked, subagents, tokens, model = row
        return SessionLine(
            self.name(session),
            self.name(agent),
            self.name(root),
            first / 1000,
            last / 1000,
            calls,
            blocked,
            asked,
            subagents - 1,
            tokens or 0,
            self.name(model) if model else "",
        )
