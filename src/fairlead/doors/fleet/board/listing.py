"""The list of machines narrowed down, a page of it at a time; and one machine whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.doors.fleet.board.machines import TROUBLES, Machine, all_machines
from fairlead.doors.fleet.collecting.database import Statements
from fairlead.doors.fleet.collecting.heartbeats import is_well
from fairlead.errors import UsageError

_FACETS = ("group", "state", "version", "bundle", "mode")
_SHOWN = 40
_LINES = 100
_ORDER = {kind: place for place, kind in enumerate(TROUBLES)}


def machines(centre: Centre, asked: Asked) -> object:
    """Those that need somebody first, the longest silent before others. `facets` count what the others leave.
    Who is not on the list of machines is shown apart: with `list=unknown`."""
    expected = centre.expected.groups()
    with centre.database.reading() as statements:
        everyone = all_machines(statements, expected)
    unknown = sum(not each.listed for each in everyone)
    ours = [each for each in everyone if each.listed is (asked.text("list") != "unknown")]
    chosen = {name: asked.text(name) for name in _FACETS}
    text = asked.text("text").lower()
    named = [each for each in ours if not text or text in f"{each.machine} {each.host}".lower()]
    found = [each for each in named if _fits(each, chosen)]
    found.sort(key=lambda each: (_worst(each), _since(each), each.host or each.machine))
    start, count = asked.page()
    return {
        "total": len(ours),
        "found": len(found),
        "list": centre.expected.as_json(unknown=unknown),
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
    return _ORDER[machine.troubles[0]] if machine.troubles else len(_ORDER)


def _since(machine: Machine) -> int:
    return machine.contact if "silent" in machine.troubles else 0


def _counted(everyone: Iterable[Machine], chosen: dict[str, str], facet: str) -> list[tuple[str, int]]:
    """How many there would be with each value, whatever this facet is narrowed to."""
    counts = Counter(
        value for each in everyone if _fits(each, chosen, but=facet) for value in _values(each, facet)
    )
    return counts.most_common(_SHOWN)


def one_machine(centre: Centre, asked: Asked, name: str) -> object:
    with centre.database.reading() as statements:
        everyone = all_machines(statements, centre.expected.groups())
        found = next((each for each in everyone if each.machine == name), None)
        if found is None:
            hint = "is it enrolled, and online?"
            raise UsageError(f"no machine {name[:80]!r} has been heard of", hint=hint)
        rows = statements.run("SELECT heartbeat FROM machines WHERE machine = ?", (name,))
        told = rows[0][0] if rows else ""
        return {
            **found.as_json(),
            "heartbeat": _shown(json.loads(told)) if told else None,
            "gaps": _marks(statements, "gaps", ("writer", "first", "last", "why", "found"), name),
            "forks": _marks(statements, "forks", ("writer", "seq", "ids", "found"), name),
            "incidents": _marks(statements, "incidents", ("kind", "id", "detail", "found"), name),
        }


def _shown(told: dict[str, Any]) -> dict[str, Any]:
    rows = [row for row in told.get("rows") or () if isinstance(row, dict)]
    return {**told, "rows": [{**row, "well": is_well(row)} for row in rows]}


def _marks(statements: Statements, table: str, names: Sequence[str], machine: str) -> list[dict[str, object]]:
    rows = statements.run(
        f"SELECT {', '.join(names)} FROM {table} WHERE machine = ? ORDER BY found DESC LIMIT {_LINES}",
        (machine,),
    )
    return [{**dict(zip(names, row, strict=True)), "found": row[-1] / 1000} for row in rows]
