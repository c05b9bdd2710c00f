"""Which calls are counted: those of a time, and of one group or of all; and their counts, out of `hours`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.collecting.database import Rows, Statements, places_for
from fairlead.model.value import Value

WORDS: Mapping[str, str] = {
    "continue": "pass",
    "allow": "pass",
    "approve": "approve",
    "ask": "ask",
    "block": "block",
    "halt": "block",
}
"""Of the decisions of a machine, for people."""
SERIES = ("block", "ask", "approve", "pass")
LISTED = 20
_STOPS = "('ask', 'block', 'halt')"
_GROUPS_NAMED = 5


class Span(Value):
    """In milliseconds; `step` is how much one bar of a chart is."""

    since: int
    until: int
    step: int
    group: str = ""

    @property
    def where(self) -> tuple[str, tuple[object, ...]]:
        if self.group:
            return "hour >= ? AND fleet_group = ?", (self.since, self.group)
        return "hour >= ?", (self.since,)


def span_of(asked: Asked) -> Span:
    length, step = asked.span()
    now = int(time.time() * 1000)
    return Span(now - length, now, step, asked.text("group"))


def timeline(statements: Statements, span: Span, *, zone: int) -> dict[str, object]:
    """`zone` in milliseconds: bars of a day begin where the day of the reader does."""
    start = (span.since + zone) // span.step * span.step - zone
    count = max(-(-(span.until - start) // span.step), 1)
    series = {name: [0] * count for name in SERIES}
    where, values = span.where
    rows = statements.run(
        "SELECT place, decision, sum(calls) FROM"
        f" (SELECT (hour - ?) / ? AS place, decision, calls FROM hours WHERE {where}) AS bars GROUP BY 1, 2",
        [start, span.step, *values],
    )
    for place, decision, calls in rows:
        if 0 <= place < count:
            series[_word(decision)][place] += int(calls)
    return {"start": start / 1000, "step": span.step / 1000, "series": series}


def total(statements: Statements, span: Span) -> dict[str, int]:
    where, values = span.where
    kept_back = f"CASE WHEN would IN {_STOPS} THEN 1 ELSE 0 END"
    counts: Counter[str] = Counter(would=0, failed=0)
    for decision, would, failed, calls in _sums(statements, ("decision", kept_back, "failed"), where, values):
        counts[_word(decision)] += int(calls)
        counts["would"] += int(calls) if would else 0
        counts["failed"] += int(calls) if failed else 0
    return {"calls": sum(counts[name] for name in SERIES), **counts}


def by_group(statements: Statements, span: Span, groups: Sequence[str]) -> dict[str, Counter[str]]:
    """What the calls of these groups were told."""
    where, values = span.where
    ours, names = _among("fleet_group", groups)
    return _told(_sums(statements, ("fleet_group", "decision"), f"{where} AND {ours}", (*values, *names)))


def by_bundle(
    statements: Statements, span: Span, groups: Sequence[str]
) -> dict[tuple[str, int], Counter[str]]:
    """What calls were told in these groups under each version, and how many failed or were kept back."""
    where, values = span.where
    ours, names = _among("fleet_group", groups)
    columns = ("fleet_group", "bundle", "decision", "failed", "CASE WHEN would = '' THEN 0 ELSE 1 END")
    counts: dict[tuple[str, int], Counter[str]] = {}
    for group, bundle, decision, failed, would, calls in _sums(
        statements, columns, f"{where} AND {ours}", (*values, *names)
    ):
        told = counts.setdefault((group, bundle), Counter())
        told[_word(decision)] += int(calls)
        told["failed"] += int(calls) if failed else 0
        told["would"] += int(calls) if would else 0
    return counts


def rules(statements: Statements, span: Span) -> list[dict[str, object]]:
    """Those that objected, with what they said."""
    where, values = span.where
    objects = f"{where} AND rule <> '' AND decision IN ('approve', 'ask', 'block', 'halt')"
    most = _sums(statements, ("rule",), objects, values, most=LISTED)
    ours, names = _among("rule", [rule for rule, _ in most])
    told = _told(_sums(statements, ("rule", "decision"), f"{objects} AND {ours}", (*values, *names)))
    return [{"name": rule, "calls": int(calls), "decisions": dict(told[rule])} for rule, calls in most]


def kept_back(statements: Statements, span: Span) -> list[dict[str, object]]:
    """What audit mode would have stopped, by rule."""
    where, values = span.where
    stops = f"{where} AND would IN {_STOPS}"
    most = _sums(statements, ("would_rule", "would"), stops, values, most=LISTED)
    ours, names = _among("would_rule", list(dict.fromkeys(rule for rule, _, _ in most)))
    columns = ("would_rule", "would", "fleet_group")
    groups: dict[tuple[str, str], Counter[str]] = {}
    for rule, would, group, calls in _sums(statements, columns, f"{stops} AND {ours}", (*values, *names)):
        groups.setdefault((rule, would), Counter())[group] += int(calls)
    return [_kept_back(rule, would, int(calls), groups[rule, would]) for rule, would, calls in most]


def _kept_back(rule: str, would: str, calls: int, groups: Counter[str]) -> dict[str, object]:
    named = sorted(group for group, _ in groups.most_common(_GROUPS_NAMED))
    return {"rule": rule, "decision": would, "calls": calls, "groups": named, "in_groups": len(groups)}


def _sums(
    statements: Statements, columns: Sequence[str], where: str, values: Sequence[object], *, most: int = 0
) -> Rows:
    """The calls by these columns; `most` for only so many, the largest first."""
    by = ", ".join(str(place) for place in range(1, len(columns) + 1))
    largest = f" ORDER BY {len(columns) + 1} DESC, {by} LIMIT {most}" if most else ""
    return statements.run(
        f"SELECT {', '.join(columns)}, sum(calls) FROM hours WHERE {where} GROUP BY {by}{largest}", values
    )


def _among(column: str, names: Sequence[str]) -> tuple[str, Sequence[str]]:
    return (f"{column} IN {places_for(1, len(names))}", names) if names else ("1 = 0", ())


def _told(rows: Rows) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for name, decision, calls in rows:
        counts.setdefault(name, Counter())[_word(decision)] += int(calls)
    return counts


def _word(decision: str) -> str:
    return WORDS.get(decision, "pass")
