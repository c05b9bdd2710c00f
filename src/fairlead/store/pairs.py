"""What became of calls: the events before and after a tool ran, brought together by the index alone."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.journal.ids import floor_of
from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.store.query import Query, conditions
from fairlead.store.reader import Call, IndexReader

_LOOKED_AT = 2_000
"""Refusals, the newest, of which the alarm asks what became of them."""
_NEXT = (
    "(SELECT p.id FROM calls p WHERE p.pair = c.pair AND p.pair <> 0 AND p.id > c.id ORDER BY p.id LIMIT 1)"
)
_DENIED = "(SELECT id FROM names WHERE name = 'ToolDenied')"


class After(Value):
    """The event that told how a call went on."""

    id: str
    event: str
    decision: str
    ts: float
    ran: bool

    def as_json(self) -> dict[str, object]:
        return {field: getattr(self, field) for field in self._fields}


class Page(Value):
    """Some calls, the newest first. `more` is where the next page begins, and empty after the last."""

    calls: tuple[Call, ...]
    more: str


def page(reader: IndexReader, query: Query, *, looked_at: int) -> Page:
    """At most `limit` calls of the query among the `looked_at` newest that its time allows, so that a filter
    that matches little cannot make a page read everything."""
    with reader.snapshot():
        floor = floor_below(reader, query, looked_at)
        found = reader.calls(query.replace(floor=floor, limit=query.limit))
    full = len(found) == query.limit
    return Page(tuple(found), found[-1].id if full else floor)


def floor_below(reader: IndexReader, query: Query, rows: int) -> str:
    """The oldest of so many calls, all of the query's time; empty where there are not so many."""
    where, values = conditions(
        Query(since=query.since, until=query.until, before=query.before, canaries=True)
    )
    found = reader.connection.execute(
        f"SELECT c.id FROM calls c WHERE {where} ORDER BY c.id DESC LIMIT 1 OFFSET ?", [*values, rows]
    ).fetchone()
    return str(found[0]) if found else ""


def what_became_of(reader: IndexReader, ids: Sequence[str]) -> dict[str, After]:
    """By the id of the call: the next event of the same call of a tool, where it tells how it went."""
    marks = ", ".join("?" * len(ids))
    found = reader.connection.execute(
        f"SELECT c.id, n.id, n.event, n.decision, n.ts, n.event IS NOT {_DENIED} FROM calls c JOIN calls n "
        f"ON n.id = {_NEXT} WHERE c.id IN ({marks}) AND c.pair <> 0 AND c.after = 0 AND n.after = 1",
        list(ids),
    )
    return {call: _after(reader, row) for call, *row in found.fetchall()}


def ran_although_refused(reader: IndexReader, since: float, *, limit: int) -> list[tuple[Call, After]]:
    """The newest calls that a hook stopped and whose tool ran all the same."""
    found = reader.connection.execute(
        "SELECT c.id, n.id, n.event, n.decision, n.ts, 1 FROM (SELECT id, pair FROM calls "
        "WHERE decision >= 4 AND after = 0 AND canary = 0 AND pair <> 0 AND id >= ? "
        "ORDER BY id DESC LIMIT ?) c "
        f"JOIN calls n ON n.id = {_NEXT} WHERE n.after = 1 AND n.event IS NOT {_DENIED} "
        "ORDER BY c.id DESC LIMIT ?",
        (floor_of(since), _LOOKED_AT, limit),
    ).fetchall()
    known = {call: _after(reader, row) for call, *row in found}
    return [(call, known[call.id]) for call in calls_with(reader, list(known))]


def calls_with(reader: IndexReader, ids: Sequence[str]) -> list[Call]:
    """The calls of these ids, the newest first."""
    return reader.calls(Query(ids=tuple(ids), canaries=True, limit=len(ids))) if ids else []


def _after(reader: IndexReader, row: Sequence[int]) -> After:
    id_, event, decision, ts, ran = row
    return After(str(id_), reader.name(event), Decision(decision).word, ts / 1000, bool(ran))
