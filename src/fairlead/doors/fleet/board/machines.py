"""Machines as the centre knows them: those that were heard of, and those that should have been."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairlead.doors.fleet.centre.roll_call import LATE
from fairlead.doors.fleet.collecting.database import Statements
from fairlead.model.value import Value

SILENT = int(LATE * 1000)
"""Milliseconds without a message after which a machine is called silent."""
_COLUMNS = ("machine", "fleet_group", "since", "contact", "decided", "beat_at", "host", "version", "bundle",
            "bundle_state", "mode", "off", "behind", "agents", "unguarded", "unwell")  # fmt: skip
TROUBLES = {
    "missing": "expected and never heard of",
    "silent": f"silent for {SILENT // 60_000} minutes or more",
    "fork": "with two lines of one number",
    "gap": "with missing lines",
    "incident": "with an incident",
    "off": "switched off",
    "unguarded": "with an agent that calls no hook",
    "bundle": "without the current policy",
    "unwell": "where doctor objects",
}
"""What can be wrong with a machine, and how that is said. Absence comes first: whoever says nothing could
have any of the others."""


class Machine(Value):
    machine: str
    group: str
    since: int = 0
    contact: int = 0
    decided: int = 0
    beat_at: int = 0
    host: str = ""
    version: str = ""
    bundle: int = 0
    bundle_state: str = "none"
    mode: str = ""
    off: int = 0
    behind: int = 0
    agents: int = 0
    unguarded: int = 0
    unwell: int = 0
    listed: bool = True
    """Whether it should be there; so is everybody where there is no list."""
    troubles: tuple[str, ...] = ()

    @property
    def is_absent(self) -> bool:
        return "missing" in self.troubles or "silent" in self.troubles

    def as_json(self) -> dict[str, object]:
        shown = {name: getattr(self, name) for name in self._fields}
        times = {name: shown[name] / 1000 for name in ("contact", "since", "beat_at")}
        return {**shown, **times}


def all_machines(
    statements: Statements, expected: Mapping[str, str], *, now: float | None = None
) -> list[Machine]:
    """`expected` is the group by machine; empty where nobody wrote them down."""
    moment = int((time.time() if now is None else now) * 1000)
    rows = statements.run(f"SELECT {', '.join(_COLUMNS)} FROM machines ORDER BY machine")
    marked = {
        "fork": _marked(statements, "SELECT DISTINCT machine FROM forks"),
        "gap": _marked(statements, "SELECT DISTINCT machine FROM gaps WHERE why = 'missing'"),
        "incident": _marked(statements, "SELECT DISTINCT machine FROM incidents"),
    }
    heard = [_machine(row, marked, expected, moment) for row in rows]
    return [*heard, *_never_heard(heard, expected, marked["incident"])]


def listed_ones(everyone: Iterable[Machine]) -> list[Machine]:
    return [each for each in everyone if each.listed]


def _marked(statements: Statements, statement: str) -> set[str]:
    return {machine for (machine,) in statements.run(statement)}


def _machine(
    row: Sequence[Any], marked: Mapping[str, set[str]], expected: Mapping[str, str], now: int
) -> Machine:
    """In the group that the list says; whatever it has of another group's is not its own's policy."""
    name, said, *rest = row
    group = expected.get(name, "") if expected else said
    found = dict(zip(_COLUMNS[2:], rest, strict=True))
    if group != said:
        found |= {"bundle": 0, "bundle_state": "none"}
    troubles = _troubles(name, found, marked, now)
    return Machine(
        machine=name, group=group, listed=not expected or name in expected, troubles=troubles, **found
    )


def _troubles(
    name: str, found: Mapping[str, Any], marked: Mapping[str, set[str]], now: int
) -> tuple[str, ...]:
    wrong = {
        "silent": now - found["contact"] > SILENT,
        **{kind: name in machines for kind, machines in marked.items()},
        "off": bool(found["off"]),
        "unguarded": found["unguarded"] > 0,
        "bundle": found["beat_at"] > 0 and found["bundle_state"] != "current",
        "unwell": found["unwell"] > 0,
    }
    return tuple(kind for kind, holds in wrong.items() if holds)


def _never_heard(heard: Iterable[Machine], expected: Mapping[str, str], incidents: set[str]) -> list[Machine]:
    """What came from some of them may have been such that nobody could believe it."""
    known = {each.machine for each in heard}
    alone, with_incident = ("missing",), ("missing", "incident")
    return [
        Machine(machine=name, group=group, troubles=with_incident if name in incidents else alone)
        for name, group in sorted(expected.items())
        if name not in known
    ]
