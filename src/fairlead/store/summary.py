"""How many calls there were of each kind: what facets and the overview count, never line by line.

Whole days come from the counts of the index. A shorter time, and filters that the counts do not know, are
counted over rows of the index, at most so many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.store.entry import AFTER_EVENTS, DAY, HOUR
from fairlead.store.histogram import bucket, percentile
from fairlead.store.pairs import floor_below
from fairlead.store.query import Query, conditions
from fairlead.store.reader import IndexReader

FACETS = ("agent", "tool", "decision", "rule", "root")
SHORT = 2 * DAY
_KINDS = "agent, event, tool, decision, rule, root"


class Tally(Value):
    """Calls that are alike."""

    agent: str
    event: str
    tool: str
    decision: int
    rule: str
    root: str
    calls: int
    degraded: int
    failed: int


class Summary(Value):
    tallies: tuple[Tally, ...]
    looked_at: int
    """How many of the newest calls were counted; 0 for all of that time."""


def summary(reader: IndexReader, query: Query, *, now: float, looked_at: int) -> Summary:
    """Of all calls that the query asks for. What only tells that a call went on is not counted again."""
    with reader.snapshot():
        if _is_counted_by_day(query, now):
            return Summary(tuple(_by_day(reader, query)), 0)
        floor = floor_below(reader, query, looked_at)
        rows = _by_row(reader, query.replace(floor=floor))
        return Summary(tuple(rows), looked_at if floor else 0)


def facets(found: Summary, query: Query) -> dict[str, list[tuple[str, int]]]:
    """What each field could be, given what the query says of all others; the most frequent first."""
    counts: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for tally in found.tallies:
        misses = [facet for facet in FACETS if not _fits(tally, facet, query)]
        for facet in FACETS:
            if misses in ([], [facet]):
                counts[facet][_word(tally, facet)] += tally.calls
    return {
        facet: sorted(((word, n) for word, n in count.items() if word and n > 0), key=lambda pair: -pair[1])
        for facet, count in counts.items()
    }


def unfaceted(query: Query) -> Query:
    """The query without what facets say, so that they can be counted."""
    return query.replace(agent="", tool="", decision=(), rule="", root="")


def latency(reader: IndexReader, query: Query, *, now: float, looked_at: int) -> dict[str, Counter[int]]:
    """In buckets: how long calls took, by agent, and under the empty name all of them."""
    counts: dict[str, Counter[int]] = {"": Counter()}
    with reader.snapshot():
        pairs = _took_by_day if _is_counted_by_day(query, now) else _took_by_row
        for agent, number, calls in pairs(reader, query, looked_at):
            counts[""][number] += calls
            counts.setdefault(agent, Counter())[number] += calls
    return counts


def percentiles(counts: Mapping[int, int]) -> dict[str, float | None]:
    return {f"p{share}": percentile(counts, share / 100) for share in (50, 95, 99)}


def first_of(reader: IndexReader) -> float | None:
    """When the first call was that the index knows."""
    found = reader.connection.execute("SELECT ts FROM calls ORDER BY id LIMIT 1").fetchone()
    return found[0] / 1000 if found else None


def timeline(
    reader: IndexReader, query: Query, *, step: int, zone: int, looked_at: int
) -> dict[int, Counter[int]]:
    """Calls by decision for each `step` of milliseconds, as a clock shows it that is `zone` ahead of UTC.

    Steps of hours come from the counts, shorter ones from rows: of those ask for little time."""
    first, last = int((query.since or 0) * 1000), int((query.until or 1e12) * 1000)
    if step % HOUR:
        where, values = conditions(query.replace(floor=floor_below(reader, query, looked_at)))
        found = reader.connection.execute(
            f"SELECT c.ts, c.decision, 1 FROM calls c WHERE {where} AND (c.after = 0 OR c.decision >= 3)",
            values,
        )
    else:
        found = reader.connection.execute(
            f"SELECT hour * {HOUR}, decision, sum(n) FROM hours WHERE hour >= ? AND hour < ? AND canary <= ? "
            "AND (after = 0 OR decision >= 3) GROUP BY 1, 2",
            (first // HOUR, -(-last // HOUR), int(query.canaries)),
        )
    counts: dict[int, Counter[int]] = {}
    for moment, decision, calls in found:
        start = (moment + zone) // step * step - zone
        counts.setdefault(start, Counter())[decision] += calls
    return counts


def _is_counted_by_day(query: Query, now: float) -> bool:
    if query.text or query.session or query.troubled or query.would or query.until or query.before:
        return False
    return query.since is None or (now - query.since) * 1000 > SHORT


def _by_day(reader: IndexReader, query: Query) -> Iterable[Tally]:
    found = reader.connection.execute(
        f"SELECT {_KINDS}, sum(n), sum(degraded), sum(failed) FROM days WHERE day >= ? AND canary <= ? "
        "GROUP BY 1, 2, 3, 4, 5, 6",
        (_first_day(query), int(query.canaries)),
    )
    return _tallies(reader, found.fetchall())


def _by_row(reader: IndexReader, query: Query) -> Iterable[Tally]:
    where, values = conditions(query)
    found = reader.connection.execute(
        f"SELECT {_KINDS}, count(*), sum(degraded <> (SELECT id FROM names WHERE name = '')), "
        f"sum(failures > 0) FROM calls c WHERE {where} GROUP BY 1, 2, 3, 4, 5, 6",
        values,
    )
    return _tallies(reader, found.fetchall())


def _tallies(reader: IndexReader, rows: Iterable[Sequence[int]]) -> Iterable[Tally]:
    name = reader.name
    for agent, event, tool, decision, rule, root, calls, degraded, failed in rows:
        if calls and not (name(event) in AFTER_EVENTS and decision < Decision.ASK):
            yield Tally(
                name(agent), name(event), name(tool), decision, name(rule), name(root),
                calls, degraded or 0, failed or 0,
            )  # fmt: skip


def _took_by_day(reader: IndexReader, query: Query, looked_at: int) -> Iterable[tuple[str, int, int]]:
    found = reader.connection.execute(
        "SELECT agent, bucket, sum(n) FROM latency WHERE day >= ? AND canary <= ? "
        "AND hook = (SELECT id FROM names WHERE name = '') GROUP BY 1, 2",
        (_first_day(query), int(query.canaries)),
    )
    return ((reader.name(agent), number, calls) for agent, number, calls in found.fetchall())


def _took_by_row(reader: IndexReader, query: Query, looked_at: int) -> Iterable[tuple[str, int, int]]:
    where, values = conditions(query.replace(floor=floor_below(reader, query, looked_at)))
    found = reader.connection.execute(f"SELECT c.agent, c.us FROM calls c WHERE {where}", values)
    return ((reader.name(agent), bucket(took), 1) for agent, took in found)


def _first_day(query: Query) -> int:
    return 0 if query.since is None else int(query.since * 1000) // DAY


def _word(tally: Tally, facet: str) -> str:
    return Decision(tally.decision).word if facet == "decision" else str(getattr(tally, facet))


def _fits(tally: Tally, facet: str, query: Query) -> bool:
    if facet == "decision":
        return not query.decision or tally.decision in query.decision
    wanted, word = getattr(query, facet), getattr(tally, facet)
    return not wanted or wanted == word or ("*" in wanted and fnmatchcase(word, wanted))
