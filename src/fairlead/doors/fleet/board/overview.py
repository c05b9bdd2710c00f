"""What needs somebody, what happened, and how the groups are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fairlead.doors.fleet.board import spans
from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.doors.fleet.board.machines import TROUBLES, Machine, all_machines, listed_ones

_MOST_GROUPS = 24


def overview(centre: Centre, asked: Asked) -> object:
    """Machines that are not on the list are counted apart."""
    span, zone = spans.span_of(asked), asked.number("zone") * 60_000
    expected = centre.expected.groups()
    with centre.database.reading() as statements:
        everyone = all_machines(statements, expected, now=span.until / 1000)
        counts = spans.Counts(statements, span)
        listed = listed_ones(everyone)
        largest = {} if span.group else _largest(listed)
        drawn, total = spans.timeline(counts, zone=zone)
        rules, glass = spans.rules(counts)
        groups = _groups(largest, spans.by_group(counts, list(largest)))
        would = spans.kept_back(counts)
    ours = [each for each in listed if not span.group or each.group == span.group]
    return {
        "now": span.until / 1000,
        "machines": len(listed),
        "shown": len(ours),
        "absent": sum(each.is_absent for each in ours),
        "list": centre.expected.as_json(unknown=len(everyone) - len(listed)),
        "troubles": _troubles(ours),
        "timeline": drawn,
        "total": total,
        "groups": groups,
        "more_groups": len({each.group for each in listed}) - len(largest),
        "would": would,
        "rules": rules,
        "glass": glass,
    }


def _troubles(everyone: Sequence[Machine]) -> list[dict[str, object]]:
    """How many machines have each, the worst first."""
    counts = Counter(kind for each in everyone for kind in each.troubles)
    return [
        {"kind": kind, "text": text, "machines": counts[kind]}
        for kind, text in TROUBLES.items()
        if counts[kind]
    ]


def _largest(everyone: Sequence[Machine]) -> dict[str, list[Machine]]:
    by_group: dict[str, list[Machine]] = {}
    for each in everyone:
        by_group.setdefault(each.group, []).append(each)
    return dict(sorted(by_group.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:_MOST_GROUPS])


def _groups(
    largest: Mapping[str, Sequence[Machine]], calls: Mapping[str, Counter[str]]
) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "machines": len(members),
            "troubled": sum(bool(each.troubles) for each in members),
            "audit": sum(each.mode == "audit" for each in members),
            "bundle": max(each.bundle for each in members),
            "decisions": dict(calls.get(name, Counter())),
        }
        for name, members in largest.items()
    ]
