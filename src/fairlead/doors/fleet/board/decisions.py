"""Decisions one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.doors.fleet.collecting.database import Statements
from fairlead.errors import UsageError
from fairlead.model.value import Value

_LOOKED_AT = 100_000
"""Lines that one answer looks at: whoever searches for what is rare is told where the next answer goes on."""
_LONGEST = 500
_COLUMNS = {"group": "fleet_group", "agent": "agent", "person": "person"}


def decisions(centre: Centre, asked: Asked) -> object:
    """The newest first, a page at a time: `before` is what the last one called `more`. `looked` is up to when
    it has looked, where that was not all the way."""
    _, count = asked.page()
    among, narrowed = _among(asked), _narrowed(asked)
    with centre.database.reading() as statements:
        limit = among.last(statements)
        bounded = narrowed.also("moment >= ?", limit) if limit is not None else narrowed
        where = among.also(bounded.text, *bounded.values)
        rows = statements.run(
            "SELECT moment, machine, fleet_group, agent, event, kind, decision, rule, would, would_rule,"
            f" failure, person, message, id FROM decisions WHERE {where.text}"
            f" ORDER BY moment DESC, machine, id LIMIT {count + 1}",
            where.values,
        )
    more = _more(rows, count, limit)
    looked = limit / 1000 if limit is not None and len(rows) <= count else None
    return {"decisions": [_shown(row) for row in rows[:count]], "more": more, "looked": looked}


def _more(rows: Sequence[Sequence[Any]], count: int, limit: int | None) -> str:
    """After the last line of a full page, or after all lines of the moment that was looked up to."""
    if len(rows) > count:
        last = rows[count - 1]
        return f"{last[0]} {last[1]} {last[13]}"
    return f"{limit - 1}  " if limit is not None else ""


class _Where(Value):
    """Conditions, and what belongs in their places."""

    text: str = "1 = 1"
    values: Sequence[object] = ()

    def also(self, text: str, *values: object) -> _Where:
        return _Where(f"{self.text} AND {text}", (*self.values, *values))

    def last(self, statements: Statements) -> int | None:
        """The moment up to which one answer looks; None for all the way."""
        one = f"ORDER BY moment DESC LIMIT 1 OFFSET {_LOOKED_AT}"
        rows = statements.run(f"SELECT moment FROM decisions WHERE {self.text} {one}", self.values)
        return int(rows[0][0]) if rows else None


def _among(asked: Asked) -> _Where:
    """What an index answers: of one machine or of all, of objections or of all, and from when to when."""
    where = _Where()
    if asked.text("machine"):
        where = where.also("machine = ?", asked.text("machine"))
    elif asked.text("only"):
        where = where.also("class = 'objection'")
    for name, sign in (("since", ">="), ("until", "<")):
        if asked.text(name):
            where = where.also(f"moment {sign} ?", asked.number(name) * 1000)
    if asked.text("before"):
        where = where.also("moment <= ?", _place(asked.text("before"))[0])
    return where


def _narrowed(asked: Asked) -> _Where:
    where = _Where()
    for name, column in _COLUMNS.items():
        if asked.text(name):
            where = where.also(f"{column} = ?", asked.text(name))
    if asked.text("rule"):
        where = where.also("(rule = ? OR would_rule = ?)", asked.text("rule"), asked.text("rule"))
    if asked.text("only"):
        where = where.also("class = 'objection'")
    if asked.text("only") == "would":
        where = where.also("would <> ''")
    if asked.text("before"):
        moment, machine, line = _place(asked.text("before"))
        where = where.also(
            "(moment < ? OR (moment = ? AND (machine, id) > (?, ?)))", moment, moment, machine, line
        )
    return where


def _place(text: str) -> tuple[int, str, str]:
    """Moment, machine and id of the line that a page ended with."""
    moment, _, rest = text.partition(" ")
    machine, _, line = rest.partition(" ")
    if not moment.isascii() or not moment.isdigit() or len(moment) > 15:
        raise UsageError(f"{text[:60]!r} is no place in the list")
    return int(moment), machine, line


def _shown(row: Sequence[Any]) -> dict[str, object]:
    names = (
        *("moment", "machine", "group", "agent", "event", "kind", "decision", "rule", "would"),
        *("would_rule", "failure", "person"),
    )
    line = json.loads(row[12]).get("line", {})
    facts = line.get("facts") if isinstance(line.get("facts"), dict) else {}
    about = facts.get("command") or facts.get("path") or ""
    return {
        **dict(zip(names, row, strict=False)),
        "moment": row[0] / 1000,
        "id": row[13],
        "about": str(about)[:_LONGEST],
    }
