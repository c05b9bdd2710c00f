"""Decisions one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.errors import UsageError


def decisions(centre: Centre, asked: Asked) -> object:
    """The newest first, a page at a time: `before` is what the last one called `more`."""
    _, count = asked.page()
    conditions, values = ["1 = 1"], list[Any]()
    for name, column in (
        ("group", "fleet_group"),
        ("machine", "machine"),
        ("agent", "agent"),
        ("person", "person"),
    ):
        if asked.text(name):
            conditions.append(f"{column} = ?")
            values.append(asked.text(name))
    if asked.text("rule"):
        conditions.append("(rule = ? OR would_rule = ?)")
        values += [asked.text("rule")] * 2
    if asked.text("only") == "objections":
        conditions.append("class = 'objection'")
    if asked.text("only") == "would":
        conditions.append("class = 'objection' AND would <> ''")
    for name, sign in (("since", ">="), ("until", "<")):
        if asked.text(name):
            conditions.append(f"moment {sign} ?")
            values.append(asked.number(name) * 1000)
    if asked.text("before"):
        conditions.append("(moment < ? OR (moment = ? AND (machine, id) > (?, ?)))")
        values += _place(asked.text("before"))
    with centre.database.reading() as statements:
        rows = statements.run(
            "SELECT moment, machine, fleet_group, agent, event, kind, decision, rule, would, would_rule,"
            f" failure, person, message, id FROM decisions WHERE {' AND '.join(conditions)}"
            f" ORDER BY moment DESC, machine, id LIMIT {count + 1}",
            values,
        )
    last = rows[count - 1] if len(rows) > count else None
    more = f"{last[0]} {last[1]} {last[13]}" if last else ""
    return {"decisions": [_shown(row) for row in rows[:count]], "more": more}


def _place(text: str) -> list[object]:
    """Moment, machine and id of the line that a page ended with."""
    moment, _, rest = text.partition(" ")
    machine, _, line = rest.partition(" ")
    if not moment.isascii() or not moment.isdigit() or len(moment) > 15:
        raise UsageError(f"{text[:60]!r} is no place in the list")
    return [int(moment), int(moment), machine, line]


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
        "about": str(about),
    }
