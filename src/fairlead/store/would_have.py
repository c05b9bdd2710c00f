"""What audit kept back: how often each rule would have said what, and when last."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.store.query import Query, conditions
from fairlead.store.reader import IndexReader


class KeptBack(Value):
    """Calls that one rule would have decided. A call counts for the strongest of them."""

    rule: str
    decision: str
    calls: int
    sessions: int
    last: float
    example: str
    """What the newest of them asked for."""

    def as_json(self) -> dict[str, object]:
        return {field: getattr(self, field) for field in self._fields}


def kept_back(reader: IndexReader, query: Query) -> list[KeptBack]:
    """Blocks and questions, the most frequent first."""
    where, values = conditions(query.replace(would=True))
    with reader.snapshot():
        found = reader.connection.execute(
            # SQLite takes the bare column from the row that has the maximum
            "SELECT c.would_rule, c.would, count(*), count(DISTINCT c.session), max(c.ts), c.summary "
            f"FROM calls c WHERE {where} AND c.would >= ? GROUP BY 1, 2 ORDER BY 3 DESC, 1",
            [*values, int(Decision.ASK)],
        ).fetchall()
        return [
            KeptBack(reader.name(rule), Decision(would).word, calls, sessions, last / 1000, summary)
            for rule, would, calls, sessions, last, summary in found
        ]
