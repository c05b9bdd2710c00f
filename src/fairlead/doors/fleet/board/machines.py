"""Machines: which of them need somebody, the list narrowed down, and one of them whole."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.collecting.database import Database, Statements
from fairlead.doors.fleet.collecting.heartbeats import is_well
from fairlead.errors import UsageError
from fairlead.model.value import Value

SILENT = 20 * 60_000
"""Milliseconds without a message after which a machine is called silent."""
_COLUMNS = ("machine", "fleet_group", "since", "contact", "decided", "beat_at", "host", "version", "bundle",
            "bundle_state", "mode", "off", "behind", "agents", "unguarded", "unwell")  # fmt: skip
_FACETS = ("group", "state", "version", "bundle", "mode")
_SHOWN = 40
_LINES = 100

TROUBLES = {
    "fork": "with two lines of one number",
    "gap": "with missing lines",
    "incident": "with an incident",
    "off": "switched off",
    "silent": "silent for 20 minutes or more",
    "unguarded": "with an agent that calls no hook",
    "bundle": "without the current policy",
    "unwell": "where doctor objects",
}
"""What can be wrong with a machine, the worst first, and how that is said."""


class Machine(Value):
    machine: str
    group: str
    since: int
    contact: int
    decided: int
    beat_at: int
    host: str
    version: str
    bundle: int
    bundle_state: str
    mode: str
    off: int
    behind: int
    agents: int
    unguarded: int
    unwell: int
    troubles: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        shown = {name: getattr(self, name) for name in self._fields}
        return {
            **shown,
            "contact": self.contact / 1000,
            "since": self.since / 1000,
            "beat_at": self.beat_at / 1000,
        }


def all_machines(statements: Statements, *, now: float | None = None) -> list[Machine]:
    moment = int((time.time() if now is None else now) * 1000)
    rows = statements.run(f"SELECT {', '.join(_COLUMNS)} FROM machines ORDER BY machine")
    marked = {
        "fork": _marked(statements, "SELECT DISTINCT machine FROM forks"),
        "gap": _marked(statements, "SELECT DISTINCT machine FROM gaps WHERE why = 'missing'"),
        "incident": _marked(statements, "SELECT DISTINCT machine FROM incidents"),
    }
    newest: dict[str, int] = {}
    for row in rows:
        newest[row[1]] = max(newest.get(row[1], 0), row[8])
    return [_machine(row, marked, moment) for row in rows]


def _marked(statements: Statements, statement: str) -> set[str]:
    return {machine for (machine,) in statements.run(statement)}


def _machine(row: Sequence[Any], marked: dict[str, set[str]], now: int) -> Machine:
    made = Machine(*row)
    told = made.beat_at > 0
    troubles = {
        **{kind: made.machine in machines for kind, machines in marked.items()},
        "off": bool(made.off),
        "silent": now - made.contact > SILENT,
        "unguarded": made.unguarded > 0,
        "bundle": told and made.bundle_state != "current",
        "unwell": made.unwell > 0,
    }
    return made.replace(troubles=tuple(kind for kind in TROUBLES if troubles[kind]))


def machines(database: Database, asked: Asked) -> object:
    """Those that need somebody first. `facets` count what the others leave."""
    with database.reading() as statements:
        everyone = all_machines(statements)
    chosen = {name: asked.text(name) for name in _FACETS}
    text = asked.text("text").lower()
    named = [each for each in everyone if not text or text in f"{each.machine} {each.host}".lower()]
    found = [each for each in named if _fits(each, chosen)]
    found.sort(key=lambda each: (_worst(each), each.host or each.machine))
    start, count = asked.page()
    return {
        "total": len(everyone),
        "found": len(found),
        "machines": [each.as_json() for each in found[start : start + count]],
        "facets": {name: _counted(named, chosen, name) for name in _FACETS},
    }


def _fits(machine: Machine, chosen: dict[str, str], *, but: str = "") -> bool:
    return all(value in _values(machine, name) for name, value in chosen.items() if value and name != but)


def _values(machine: Machine, facet: str) -> Sequence[str]:
    """What the machine is in a facet; it can be several things."""
    if facet == "state":
        return machine.troubles or ("well",)
    if facet == "bundle":
        return (f"{machine.bundle} {machine.bundle_state}" if machine.bundle else "none",)
    return (str(getattr(machine, facet)) or "unknown",)


def _worst(machine: Machine) -> int:
    order = list(TROUBLES)
    return order.index(machine.troubles[0]) if machine.troubles else len(order)


def _counted(everyone: Iterable[Machine], chosen: dict[str, str], facet: str) -> list[tuple[str, int]]:
    """How many there would be with each value, whatever this facet is narrowed to."""
    counts = Counter(
        value for each in everyone if _fits(each, chosen, but=facet) for value in _values(each, facet)
    )
    return counts.most_common(_SHOWN)


def one_machine(database: Database, asked: Asked, name: str) -> object:
    with database.reading() as statements:
        found = [each for each in all_machines(statements) if each.machine == name]
        if not found:
            raise UsageError(
                f"no machine {name[:80]!r} has been heard of", hint="is it enrolled, and online?"
            )
        told = statements.run("SELECT heartbeat FROM machines WHERE machine = ?", (name,))[0][0]
        return {
            **found[0].as_json(),
            "heartbeat": _shown(json.loads(told)) if told else None,
            "gaps": _listed(statements, "gaps", ("writer", "first", "last", "why", "found"), name),
            "forks": _listed(statements, "forks", ("writer", "seq", "ids", "found"), name),
            "incidents": _listed(statements, "incidents", ("kind", "id", "detail", "found"), name),
        }


def _shown(told: dict[str, Any]) -> dict[str, Any]:
    rows = [row for row in told.get("rows") or () if isinstance(row, dict)]
    return {**told, "rows": [{**row, "well": is_well(row)} for row in rows]}


def _listed(
    statements: Statements, table: str, names: Sequence[str], machine: str
) -> list[dict[str, object]]:
    rows = statements.run(
        f"SELECT {', '.join(names)} FROM {table} WHERE machine = ? ORDER BY found DESC LIMIT {_LINES}",
        (machine,),
    )
    made: list[dict[str, object]] = [dict(zip(names, row, strict=True)) for row in rows]
    return [{**each, "found": int(str(each["found"])) / 1000} for each in made]
