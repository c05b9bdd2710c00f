"""Which calls are counted: those of a time, and of one group or of all; and their counts, out of `hours`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.collecting.database import Rows, Statements, places_for
from fairlead.doors.fleet.collecting.intake import GLASS
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
_KINDS = 16
_KIND = (
    "(CASE decision WHEN 'block' THEN 0 WHEN 'halt' THEN 0 WHEN 'ask' THEN 1 WHEN 'approve' THEN 2 ELSE 3 END"
    f" + CASE WHEN would IN {_STOPS} THEN 4 ELSE 0 END + CASE WHEN failed <> 0 THEN 8 ELSE 0 END)"
)
"""What a call was told, in one number: to group by that is quicker than by several texts."""
_WORTH_AN_INDEX = 16
_GROUPS_NAMED = 5


class Span(Value):
    """In milliseconds; `step` is how much one bar of a chart is."""

    since: int
    until: int
    step: int
    group: str = ""


def span_of(asked: Asked) -> Span:
    length, step = asked.span()
    now = int(time.time() * 1000)
    return Span(now - length, now, step, asked.text("group"))


class Counts:
    """What calls were told within a span, out of the table of hours."""

    def __init__(self, statements: Statements, span: Span) -> None:
        self._statements = statements
        self.span = span
        hour = "+hour" if _is_most(statements, span) else "hour"
        self._where, self._values = f"{hour} >= ?", list[object]([span.since])
        if span.group:
            self._where, self._values = f"{self._where} AND fleet_group = ?", [*self._values, span.group]

    def sums(self, columns: Sequence[str], where: str = "1 = 1", values: Sequence[object] = ()) -> Rows:
        """The calls by these columns."""
        by = ", ".join(str(place) for place in range(1, len(columns) + 1))
        where = f"{self._where} AND {where}"
        return self._statements.run(
            f"SELECT {', '.join(columns)}, sum(calls) FROM hours WHERE {where} GROUP BY {by}",
            [*self._values, *values],
        )


def _is_most(statements: Statements, span: Span) -> bool:
    """Whether so much of the table is asked for that it is quicker read from end to end than by its index:
    the sign before a column keeps a database from that."""
    first = statements.run("SELECT min(hour) FROM hours")[0][0]
    return first is not None and (span.until - first) < _WORTH_AN_INDEX * (span.until - span.since)


def timeline(counts: Counts, *, zone: int) -> tuple[dict[str, object], dict[str, int]]:
    """The chart and its totals. `zone` in milliseconds: bars of a day begin where that of the reader does."""
    span = counts.span
    start = (span.since + zone) // span.step * span.step - zone
    count = max(-(-(span.until - start) // span.step), 1)
    series = {name: [0] * count for name in SERIES}
    total: Counter[str] = Counter(would=0, failed=0)
    for key, calls in counts.sums([f"(hour - {start}) / {span.step} * {_KINDS} + {_KIND}"]):
        place, kind = divmod(int(key), _KINDS)
        word, would, failed = SERIES[kind % 4], kind & 4, kind & 8
        total[word] += int(calls)
        total["would"] += int(calls) if would else 0
        total["failed"] += int(calls) if failed else 0
        if 0 <= place < count:
            series[word][place] += int(calls)
    shown = {"start": start / 1000, "step": span.step / 1000, "series": series}
    return shown, {"calls": sum(total[name] for name in SERIES), **total}


def by_group(counts: Counts, groups: Sequence[str]) -> dict[str, Counter[str]]:
    """What the calls of these groups were told."""
    told: dict[str, Counter[str]] = {}
    for group, decision, calls in counts.sums(("fleet_group", "decision"), *_among("fleet_group", groups)):
        told.setdefault(group, Counter())[_word(decision)] += int(calls)
    return told


def by_bundle(counts: Counts, groups: Sequence[str]) -> dict[tuple[str, int], Counter[str]]:
    """What calls were told in these groups under each version, and how many failed or were kept back."""
    columns = ("fleet_group", "bundle", "decision", "failed", "CASE WHEN would = '' THEN 0 ELSE 1 END")
    found: dict[tuple[str, int], Counter[str]] = {}
    for group, bundle, decision, failed, would, calls in counts.sums(columns, *_among("fleet_group", groups)):
        told = found.setdefault((group, bundle), Counter())
        told[_word(decision)] += int(calls)
        told["failed"] += int(calls) if failed else 0
        told["would"] += int(calls) if would else 0
    return found


def rules(counts: Counts) -> tuple[list[dict[str, object]], int]:
    """Those that objected most, with what they said; and how often glass was broken, or somebody tried to."""
    told: dict[str, Counter[str]] = {}
    glass = 0
    for rule, decision, calls in counts.sums(("rule", "decision"), "rule <> ''"):
        glass += int(calls) if rule.startswith(GLASS) else 0
        if _word(decision) != "pass":
            told.setdefault(rule, Counter())[_word(decision)] += int(calls)
    most = sorted(told.items(), key=lambda pair: (-pair[1].total(), pair[0]))[:LISTED]
    return [{"name": rule, "calls": each.total(), "decisions": dict(each)} for rule, each in most], glass


def kept_back(counts: Counts) -> list[dict[str, object]]:
    """What audit mode would have stopped, by rule."""
    found: dict[tuple[str, str], Counter[str]] = {}
    columns = ("would_rule", "would", "fleet_group")
    for rule, would, group, calls in counts.sums(columns, f"would IN {_STOPS}"):
        found.setdefault((rule, would), Counter())[group] += int(calls)
    most = sorted(found.items(), key=lambda pair: (-pair[1].total(), pair[0]))[:LISTED]
    return [_kept_back(rule, would, groups) for (rule, would), groups in most]


def _kept_back(rule: str, would: str, groups: Counter[str]) -> dict[str, object]:
    named = sorted(group for group, _ in groups.most_common(_GROUPS_NAMED))
    return {
        "rule": rule, "decision": would, "calls": groups.total(), "groups": named, "in_groups": len(groups)
    }  # fmt: skip


def hours_of_glass(counts: Counts) -> list[int]:
    """In which hours some was broken, the latest first."""
    rows = counts.sums(("hour",), f"substr(rule, 1, {len(GLASS)}) = '{GLASS}'")
    return sorted((hour for hour, _ in rows), reverse=True)


def _among(column: str, names: Sequence[str]) -> tuple[str, Sequence[str]]:
    return (f"{column} IN {places_for(1, len(names))}", names) if names else ("1 = 0", ())


def _word(decision: str) -> str:
    return WORDS.get(decision, "pass")
