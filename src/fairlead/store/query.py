"""What to look for: the filters of `log`, `stats` and the dashboard, and how they read in SQL."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.journal.ids import floor_of
from fairlead.model.value import Value

_MAX_LIKE = 200
_STANDS_ALONE = (
    "NOT (c.after = 1 AND c.pair <> 0 AND c.decision < 3 AND c.failures = 0 AND "
    "(SELECT p.after FROM calls p WHERE p.pair = c.pair AND p.pair <> 0 AND p.id < c.id "
    "ORDER BY p.id DESC LIMIT 1) IS 0)"
)


class Query(Value):
    """Empty fields do not filter. Times are seconds since the epoch; `until` is exclusive."""

    agent: str = ""
    event: str = ""
    decision: tuple[int, ...] = ()
    rule: str = ""
    hook: str = ""
    tool: str = ""
    session: str = ""
    root: str = ""
    text: str = ""
    since: float | None = None
    until: float | None = None
    before: str = ""
    """Only calls older than this id: the next page."""
    after: str = ""
    """Only calls newer than this id: what is new."""
    floor: str = ""
    """Only calls that are no older than this id: how far back is looked."""
    folded: bool = False
    """Without what only tells that a call went on which is there itself."""
    troubled: bool = False
    """Only calls that were degraded or in which something failed."""
    would: bool = False
    """Only calls of which audit kept something back; then `decision` and `rule` are what would have been."""
    canaries: bool = False
    """Along with the calls that `fairlead doctor` made."""
    limit: int = 50
    ids: tuple[str, ...] = ()
    """Only these calls."""
    summaries: tuple[str, ...] = ()
    """Only calls that the index tells of in one of these words."""


def conditions(query: Query) -> tuple[str, list[object]]:
    """The WHERE part over `calls c`, and its values. Words match whole names, or with `*` parts of them."""
    parts, values = _filters(query)
    if not query.canaries:
        parts.append("c.canary = 0")
    return (" AND ".join(parts) or "1"), values


def canary_conditions(query: Query) -> tuple[str, list[object]]:
    """The same for the canaries among such calls."""
    parts, values = _filters(query)
    return " AND ".join([*parts, "c.canary = 1"]), values


def _filters(query: Query) -> tuple[list[str], list[object]]:
    parts: list[str] = []
    values: list[object] = []
    for column in ("agent", "event", "rule", "hook", "tool", "session", "root"):
        word = getattr(query, column)
        if word:
            column = "would_rule" if column == "rule" and query.would else column
            operator, value = ("GLOB", word) if "*" in word else ("=", word)
            parts.append(f"c.{column} IN (SELECT id FROM names WHERE name {operator} ?)")
            values.append(value)
    if query.decision:
        column = "would" if query.would else "decision"
        parts.append(f"c.{column} IN ({', '.join('?' * len(query.decision))})")
        values += query.decision
    if query.would:
        parts.append("c.would > 0")
    if query.troubled:
        parts.append("(c.failures > 0 OR c.degraded <> (SELECT id FROM names WHERE name = ''))")
    if query.folded:
        parts.append(_STANDS_ALONE)
    if query.text:
        parts.append(r"c.summary LIKE ? ESCAPE '\'")
        values.append(f"%{_escaped(query.text)}%")
    for column, words in (("id", query.ids), ("summary", query.summaries)):
        if words:
            parts.append(f"c.{column} IN ({', '.join('?' * len(words))})")
            values += words
    bounds = list(_bounds(query))
    return [*parts, *(part for part, _ in bounds)], [*values, *(value for _, value in bounds)]


def _bounds(query: Query) -> Iterator[tuple[str, str]]:
    """Between which ids, and so between which times."""
    for operator, moment in ((">=", query.since), ("<", query.until)):
        if moment is not None:
            yield f"c.id {operator} ?", floor_of(moment)
    for operator, line_id in (("<", query.before), (">", query.after), (">=", query.floor)):
        if line_id:
            yield f"c.id {operator} ?", line_id


def _escaped(text: str) -> str:
    return text[:_MAX_LIKE].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
