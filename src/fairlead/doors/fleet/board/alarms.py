"""What must not be: broken glass, lines that are missing or doubled, messages that nobody honest sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.doors.fleet.board import spans
from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.doors.fleet.board.spans import LISTED, Span
from fairlead.doors.fleet.collecting.database import Statements
from fairlead.doors.fleet.collecting.intake import GLASS
from fairlead.model.value import Value


class _Kind(Value):
    """Where one kind of alarm stands: `moment` is the column of its time."""

    table: str
    columns: Sequence[str]
    moment: str = "found"
    where: str = "1 = 1"


_KINDS: Mapping[str, _Kind] = {
    "glass": _Kind(
        "decisions",
        ("machine", "id", "fleet_group", "rule", "person", "moment"),
        "moment",
        f"class = 'objection' AND substr(rule, 1, {len(GLASS)}) = '{GLASS}'",
    ),
    "forks": _Kind("forks", ("machine", "writer", "seq", "ids", "found")),
    "gaps": _Kind("gaps", ("machine", "writer", "first", "last", "why", "found")),
    "incidents": _Kind("incidents", ("machine", "kind", "id", "detail", "found")),
}


def alarms(centre: Centre, asked: Asked) -> object:
    """The newest of each kind, and how many there are; with `kind`, those of one from `offset` on. `text` is
    the beginning of a machine's name."""
    span, text, kind = spans.span_of(asked), asked.text("text"), asked.text("kind")
    start = asked.page()[0] if kind else 0
    with centre.database.reading() as statements:
        return {
            name: _page(statements, each, span, text=text, start=start)
            for name, each in _KINDS.items()
            if kind in ("", name)
        }


def broken_glass(statements: Statements, span: Span) -> int:
    """How often glass was broken, or somebody tried to."""
    where, values = _narrowed(_KINDS["glass"], span, "")
    return int(statements.run(f"SELECT count(*) FROM decisions WHERE {where}", values)[0][0])


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
    """What is no line of a machine knows no group."""
    where, ours = f"{kind.where} AND {kind.moment} >= ?", list[object]([span.since])
    if span.group and kind.table == "decisions":
        where, ours = f"{where} AND fleet_group = ?", [*ours, span.group]
    if text:
        where, ours = f"{where} AND substr(machine, 1, {len(text)}) = ?", [*ours, text]
    return where, ours
