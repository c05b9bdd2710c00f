"""Decisions: over time, one by one, what audit kept back, who broke glass; and how a rollout goes."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.machines import TROUBLES, Machine, all_machines
from fairlead.doors.fleet.collecting.database import Database, Rows, Statements
from fairlead.doors.fleet.collecting.intake import GLASS
from fairlead.errors import UsageError

_NAMES = {
    "continue": "pass",
    "allow": "pass",
    "approve": "approve",
    "ask": "ask",
    "block": "block",
    "halt": "block",
}
_SERIES = ("block", "ask", "approve", "pass")
_MOST_GROUPS = 24
_LISTED = 20


def overview(database: Database, asked: Asked) -> object:
    """What needs somebody, what happened, and how the groups are."""
    length, step = asked.span()
    group, zone = asked.text("group"), asked.number("zone") * 60_000
    now = int(time.time() * 1000)
    with database.reading() as statements:
        everyone = all_machines(statements, now=now / 1000)
        hours = _hours(statements, now - length, group)
        glass = _glass(statements, now - length, group)
        marks = _marks(statements)
    ours = [each for each in everyone if not group or each.group == group]
    return {
        "now": now / 1000,
        "machines": len(everyone),
        "shown": len(ours),
        "troubles": _troubles(ours),
        "timeline": _timeline(hours, now - length, now, step, zone),
        "total": _total(hours),
        "groups": _groups(everyone, hours if not group else None),
        "would": _would(hours),
        "rules": _rules(hours),
        "glass": glass,
        **marks,
    }


def _hours(statements: Statements, since: int, group: str) -> Rows:
    where, values = ("AND fleet_group = ?", [group]) if group else ("", [])
    return statements.run(
        "SELECT hour, fleet_group, decision, rule, would, would_rule, failed, sum(calls) FROM hours"
        f" WHERE hour >= ? {where} GROUP BY 1, 2, 3, 4, 5, 6, 7", [since, *values])  # fmt: skip


def _timeline(hours: Rows, since: int, now: int, step: int, zone: int) -> dict[str, object]:
    start = (since + zone) // step * step - zone
    count = max(-(-(now - start) // step), 1)
    series = {name: [0] * count for name in _SERIES}
    for hour, _, decision, _, _, _, _, calls in hours:
        place = (hour - start) // step
        if 0 <= place < count:
            series[_NAMES.get(decision, "pass")][place] += int(calls)
    return {"start": start / 1000, "step": step / 1000, "series": series}


def _total(hours: Rows) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for _, _, decision, _, would, _, failed, calls in hours:
        counts[_NAMES.get(decision, "pass")] += int(calls)
        counts["would"] += int(calls) if would in ("ask", "block", "halt") else 0
        counts["failed"] += int(calls) if failed else 0
    return {"calls": sum(counts[name] for name in _SERIES), **counts}


def _troubles(everyone: Sequence[Machine]) -> list[dict[str, object]]:
    """How many machines have each, the worst first."""
    counts = Counter(kind for each in everyone for kind in each.troubles)
    return [
        {"kind": kind, "text": text, "machines": counts[kind]}
        for kind, text in TROUBLES.items()
        if counts[kind]
    ]


def _groups(everyone: Sequence[Machine], hours: Rows | None) -> list[dict[str, object]]:
    calls: dict[str, Counter[str]] = {}
    for _, group, decision, _, _, _, _, number in hours or ():
        calls.setdefault(group, Counter())[_NAMES.get(decision, "pass")] += int(number)
    by_group: dict[str, list[Machine]] = {}
    for each in everyone:
        by_group.setdefault(each.group, []).append(each)
    largest = sorted(by_group.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:_MOST_GROUPS]
    return [
        {
            "name": name,
            "machines": len(members),
            "troubled": sum(bool(each.troubles) for each in members),
            "audit": sum(each.mode == "audit" for each in members),
            "bundle": max(each.bundle for each in members),
            "decisions": dict(calls.get(name, Counter())),
        }
        for name, members in largest
    ]


def _would(hours: Rows) -> list[dict[str, object]]:
    """What audit mode would have stopped, by rule."""
    counts: Counter[tuple[str, str]] = Counter()
    groups: dict[tuple[str, str], set[str]] = {}
    for _, group, _, _, would, rule, _, calls in hours:
        if would in ("ask", "block", "halt"):
            counts[rule, would] += int(calls)
            groups.setdefault((rule, would), set()).add(group)
    return [
        {"rule": rule, "decision": would, "calls": calls, "groups": sorted(groups[rule, would])}
        for (rule, would), calls in counts.most_common(_LISTED)
    ]


def _rules(hours: Rows) -> list[dict[str, object]]:
    counts: dict[str, Counter[str]] = {}
    for _, _, decision, rule, _, _, _, calls in hours:
        if rule and _NAMES.get(decision) != "pass":
            counts.setdefault(rule, Counter())[_NAMES.get(decision, "pass")] += int(calls)
    ordered = sorted(counts.items(), key=lambda pair: -pair[1].total())[:_LISTED]
    return [{"name": rule, "calls": each.total(), "decisions": dict(each)} for rule, each in ordered]


def _glass(statements: Statements, since: int, group: str) -> list[dict[str, object]]:
    """Who broke glass, or tried to."""
    where, values = ("AND fleet_group = ?", [group]) if group else ("", [])
    rows = statements.run(
        "SELECT machine, id, fleet_group, moment, rule, person FROM decisions WHERE class = 'objection'"
        f" AND moment >= ? AND substr(rule, 1, {len(GLASS)}) = ? {where}"
        f" ORDER BY moment DESC LIMIT {_LISTED}",
        [since, GLASS, *values],
    )
    names = ("machine", "id", "group", "moment", "rule", "person")
    return [{**dict(zip(names, row, strict=True)), "moment": row[3] / 1000} for row in rows]


def _marks(statements: Statements) -> dict[str, object]:
    found: dict[str, object] = {}
    for table, names in (
        ("gaps", ("machine", "writer", "first", "last", "why", "found")),
        ("forks", ("machine", "writer", "seq", "ids", "found")),
        ("incidents", ("machine", "kind", "id", "detail", "found")),
    ):
        rows = statements.run(f"SELECT {', '.join(names)} FROM {table} ORDER BY found DESC LIMIT {_LISTED}")
        found[table] = [{**dict(zip(names, row, strict=True)), "found": row[-1] / 1000} for row in rows]
    return found


def decisions(database: Database, asked: Asked) -> object:
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
    with database.reading() as statements:
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


def rollouts(database: Database, asked: Asked) -> object:
    """Each group's bundles: who has which, and what its calls were told under each."""
    length, _ = asked.span()
    now = int(time.time() * 1000)
    with database.reading() as statements:
        everyone = all_machines(statements, now=now / 1000)
        rows = statements.run(
            "SELECT fleet_group, bundle, decision, failed, would, sum(calls) FROM hours WHERE hour >= ?"
            " GROUP BY 1, 2, 3, 4, 5", (now - length,))  # fmt: skip
    told: dict[tuple[str, int], Counter[str]] = {}
    for group, bundle, decision, failed, would, calls in rows:
        counts = told.setdefault((group, bundle), Counter())
        counts[_NAMES.get(decision, "pass")] += int(calls)
        counts["failed"] += int(calls) if failed else 0
        counts["would"] += int(calls) if would else 0
    members: dict[str, list[Machine]] = {}
    for each in everyone:
        members.setdefault(each.group, []).append(each)
    return [_rollout(group, members[group], told) for group in sorted(members)]


def _rollout(
    group: str, members: Sequence[Machine], told: dict[tuple[str, int], Counter[str]]
) -> dict[str, object]:
    versions = Counter(each.bundle for each in members)
    states = Counter(each.bundle_state for each in members if each.beat_at)
    return {
        "group": group,
        "machines": len(members),
        "states": dict(states),
        "bundles": [
            {"version": version, "machines": number, "calls": dict(told.get((group, version), Counter()))}
            for version, number in sorted(versions.items(), reverse=True)[:_LISTED]
        ],
    }
