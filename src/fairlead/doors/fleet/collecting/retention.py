"""How long the centre keeps what, by class; what is older is taken out in small portions."""

from __future__ import annotations

import time
from collections.abc import Mapping

from fairlead.doors.fleet.collecting.database import Database
from fairlead.doors.fleet.collecting.store import HOUR

DAY = 24 * HOUR
KEPT_DAYS: Mapping[str, int] = {"pass": 30, "objection": 400, "incident": 400, "heartbeat": 400, "hours": 800}
"""Lines without an objection, lines with one, what should not be, machines that are silent, and counts."""
_PORTION = 2000
_OTHERS = {
    "incident": (("incidents", "machine, kind, id", "found"), ("forks", "machine, writer, seq", "found"),
                 ("gaps", "machine, writer, first", "found")),
    "heartbeat": (("machines", "machine", "contact"), ("writers", "machine, writer", "seen")),
    "hours": (("hours", "hour, fleet_group, bundle, decision, rule, would, would_rule, failed", "hour"),),
}  # fmt: skip


def expire(database: Database, kept: Mapping[str, int], *, now: float | None = None) -> int:
    """How many rows went. Several may do so at once."""
    moment = int((time.time() if now is None else now) * 1000)
    gone = 0
    for kind, days in {**KEPT_DAYS, **kept}.items():
        oldest = moment - days * DAY
        for table, key, column in _OTHERS.get(kind, ()):
            gone += _emptied(database, (table, key), f"{column} < ?", (oldest,))
        if kind in ("pass", "objection"):
            gone += _emptied(
                database, ("decisions", "machine, id"), "class = ? AND moment < ?", (kind, oldest)
            )
    return gone


def _emptied(database: Database, table: tuple[str, str], where: str, values: tuple[object, ...]) -> int:
    """In portions of their own, so that nobody waits for long."""
    name, key = table
    gone = 0
    while True:
        with database.writing() as statements:
            chosen = f"SELECT {key} FROM {name} WHERE {where} LIMIT {_PORTION}"
            left = statements.run(f"DELETE FROM {name} WHERE ({key}) IN ({chosen}) RETURNING 1", values)
        gone += len(left)
        if len(left) < _PORTION:
            return gone
