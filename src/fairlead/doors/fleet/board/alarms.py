"""What must not be: broken glass, lines that are missing or doubled, messages that nobody honest sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.doors.fleet.board import spans
from fairlead.doors.fleet.board.asked import HOUR, Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.doors.fleet.board.spans import LISTED, Span
from fairlead.doors.fleet.collecting.database import Statements
from fairlead.doors.fleet.collecting.intake import GLASS
from fairlead.model.value import Value


class _Kind(Value):
    """Where one kind of alarm stands. `moment` is the column of its time, and the last of those shown."""

    table: str
    columns: Sequence[str]
    moment: str = "found"
    where: str = "1 = 1"


_GLASS = _Kind(
    "decisions",
    ("machine", "id", "fleet_group", "rule", "person", "moment"),
    "moment",
    f"class = 'objection' AND substr(rule, 1, {len(GLASS)}) = '{GLASS}'",
)
_KINDS: Mapping[str, _Kind] = {
    "forks": _Kind("forks", ("machine", "writer", "seq", "ids", "found")),
    "gaps": _Kind("gaps", ("machine", "writer", "first", "last", "why", "found")),
    "incidents": _Kind("incidents", ("machine", "kind", "id", "detail", "found")),
}
_MOST_HOURS = 100


def alarms(centre: Centre, asked: Asked) -> object:
    """The newest of each kind, and how many there are; with `kind`, those of one from `offset` on. `text` is
    the beginning of a machine's name."""
    span, text, kind = spans.span_of(asked), asked.text("text"), asked.text("kind")
    start = asked.page()[0] if kind else 0
    with centre.database.reading() as statements:
        kinds = {"glass": _broken_glass(statements, span), **_KINDS}
        return {
            name: _page(statements, each, span, text=text, start=start)
            for name, each in kinds.items()
            if kind in ("", name)
        }


def _broken_glass(statements: Statements, span: Span) -> _Kind:
    """Only in those hours that have some: to look through all lines would take long."""
    hours = spans.hours_of_glass(spans.Counts(statements, span))[:_MOST_HOURS]
    within = " OR ".join(f"(moment >= {hour} AND moment < {hour + HOUR})" for hour in hours) or "1 = 0"
    return _GLASS.replace(where=f"{_GLASS.where} AND ({within})")


def _page(statements: Statements, kind: _Kind, span: Span, *, text: str, start: int) -> dict[str, object]:
    where, values = _narrowed(kind, span, text)
    total = statements.run(f"SELECT count(*) FROM {kind.table} WHERE {where}", values)[0][0]
    rows = statements.run(
        f"SELECT {', '.join(kind.columns)} FROM {kind.table} WHERE {where}"
        f" ORDER BY {kind.moment} DESC, machine, {kind.columns[1]} LIMIT {LISTED} OFFSET {start}",
        values,
    )
    found = [{**dict(zip(kind.columns, row, strict=True)), "found": row[-1] / 1000} for row in rows]
    return {"total": total, "page": LISTED, "rows": found}


def _narrowed(kind: _Kind, span: Span, text: str) -> tuple[str, Sequence[object]]:
    where, values = f"{kind.where} AND {kind.moment} >= ?", list[object]([span.since])
    if text:
        where, values = f"{where} AND substr(machine, 1, {len(text)}) = ?", [*values, text]
    return where, values
