"""Counts and latencies of a stretch of time: whole days from the index, what is left over line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.store.entry import DAY, HOUR, Counts, row_of
from fairlead.store.histogram import percentile
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader

_EVERYTHING = 1 << 62


class Share(Value):
    """One agent, event, tool, rule, project or hook, and what it stands for in all calls."""

    name: str
    calls: int
    decisions: Mapping[str, int]
    degraded: int = 0
    failed: int = 0
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    last: float | None = None

    def as_json(self) -> dict[str, object]:
        return {field: getattr(self, field) for field in self._fields}


class Statistics(Value):
    since: float | None
    until: float | None
    total: Share
    agents: tuple[Share, ...]
    events: tuple[Share, ...]
    tools: tuple[Share, ...]
    rules: tuple[Share, ...]
    projects: tuple[Share, ...]
    hooks: tuple[Share, ...]
    tokens: Mapping[str, int]
    trend: tuple[int, ...]
    """Calls per day, or per hour when the stretch is no longer than two days; the newest last."""
    trend_step: int
    left_out: int = 0
    """Canaries in that time, when they were not asked for."""

    def as_json(self) -> dict[str, object]:
        groups = ("agents", "events", "tools", "rules", "projects", "hooks")
        return {
            "since": self.since,
            "until": self.until,
            "total": self.total.as_json(),
            **{group: [share.as_json() for share in getattr(self, group)] for group in groups},
            "tokens": dict(self.tokens),
            "trend": list(self.trend),
            "trend_step_seconds": self.trend_step // 1000,
            "canaries_left_out": self.left_out,
        }


def statistics(reader: IndexReader, query: Query) -> Statistics:
    """`query` may name an agent and a stretch of time, and ask for canaries; nothing else counts here."""
    with reader.snapshot():
        return _statistics(reader, query)


def _statistics(reader: IndexReader, query: Query) -> Statistics:
    first = None if query.since is None else int(query.since * 1000)
    last = None if query.until is None else int(query.until * 1000)
    sums = _Sums()
    whole = -_EVERYTHING if first is None else -(-first // DAY)
    end = _EVERYTHING if last is None else last // DAY
    _from_days(reader, query, (whole, end), sums)
    if first is not None and first % DAY:
        _from_lines(reader, query, (first, min(whole * DAY, last or _EVERYTHING)), sums)
    if last is not None and last % DAY and last // DAY >= whole:
        _from_lines(reader, query, (last // DAY * DAY, last), sums)
    seen = _last_seen(reader)
    return Statistics(
        query.since,
        query.until,
        sums.total(),
        sums.shares("agent", seen),
        sums.shares("event"),
        sums.shares("tool"),
        sums.shares("rule"),
        sums.shares("root"),
        sums.hooks(),
        _tokens(reader, first, last),
        *_trend(reader, query, (first, last), sums.days),
        reader.left_out(_stretch(query, first, last)),
    )


class _Sums:
    """Adds up whatever it is given."""

    def __init__(self) -> None:
        self.decisions: dict[str, dict[str, Counter[int]]] = {}
        self.troubles: dict[tuple[str, str], list[int]] = {}
        self.latency: dict[tuple[str, str], Counter[int]] = {}
        self.days: Counter[int] = Counter()
        self._failed_hooks: Counter[str] = Counter()

    def call(self, words: Mapping[str, str], day: int, decision: int, counts: tuple[int, int, int]) -> None:
        calls, degraded, failed = counts
        self.days[day] += calls
        for kind, word in (("total", ""), *words.items()):
            if word or kind in ("total", "agent"):
                self.decisions.setdefault(kind, {}).setdefault(word, Counter())[decision] += calls
                trouble = self.troubles.setdefault((kind, word), [0, 0])
                trouble[0] += degraded
                trouble[1] += failed

    def hook(self, name: str, decision: int, calls: int, failed: int) -> None:
        self.decisions.setdefault("hook", {}).setdefault(name, Counter())[decision] += calls
        self._failed_hooks[name] += failed

    def time(self, agent: str, hook: str, number: int, calls: int) -> None:
        for key in (("hook", hook),) if hook else (("total", ""), ("agent", agent)):
            self.latency.setdefault(key, Counter())[number] += calls

    def total(self) -> Share:
        return self._share("total", "", {})

    def shares(self, kind: str, seen: Mapping[str, float] | None = None) -> tuple[Share, ...]:
        made = (self._share(kind, word, seen or {}) for word in self.decisions.get(kind, {}))
        return tuple(sorted((share for share in made if share.calls), key=lambda share: -share.calls))

    def hooks(self) -> tuple[Share, ...]:
        """The slowest first."""
        shares = (share.replace(failed=self._failed_hooks[share.name]) for share in self.shares("hook"))
        return tuple(sorted(shares, key=lambda share: -(share.p95 or 0)))

    def _share(self, kind: str, word: str, seen: Mapping[str, float]) -> Share:
        decisions = self.decisions.get(kind, {}).get(word, Counter())
        degraded, failed = self.troubles.get((kind, word), [0, 0])
        times = {number: n for number, n in self.latency.get((kind, word), Counter()).items() if n > 0}
        return Share(
            word,
            sum(decisions.values()),
            {Decision(number).word: n for number, n in sorted(decisions.items()) if n},
            degraded,
            failed,
            percentile(times, 0.5),
            percentile(times, 0.95),
            percentile(times, 0.99),
            seen.get(word),
        )


def _stretch(query: Query, first: int | None, last: int | None) -> Query:
    """All that counts here of a query, for another stretch of time."""
    since, until = (None if moment is None else moment / 1000 for moment in (first, last))
    return Query(agent=query.agent, canaries=query.canaries, since=since, until=until, limit=-1)


def _from_days(reader: IndexReader, query: Query, days: tuple[int, int], sums: _Sums) -> None:
    where = "day >= ? AND day < ? AND canary <= ?"
    values: list[object] = [*days, int(query.canaries)]
    if query.agent:
        where += " AND agent IN (SELECT id FROM names WHERE name = ?)"
        values.append(query.agent)
    name, execute = reader.name, reader.connection.execute
    for day, who, event, tool, decision, rule, root, *counts in execute(
        "SELECT day, agent, event, tool, decision, rule, root, sum(n), sum(degraded), sum(failed) FROM days "
        f"WHERE {where} GROUP BY 1, 2, 3, 4, 5, 6, 7",
        values,
    ).fetchall():
        words = {"agent": name(who), "event": name(event), "tool": name(tool), "rule": name(rule)}
        sums.call(words | {"root": name(root)}, day, decision, (counts[0], counts[1], counts[2]))
    for hook, decision, calls, failed in execute(
        f"SELECT hook, decision, sum(n), sum(failed) FROM hooks WHERE {where} GROUP BY 1, 2",
        values,
    ).fetchall():
        sums.hook(name(hook), decision, calls, failed)
    for who, hook, number, calls in execute(
        f"SELECT agent, hook, bucket, sum(n) FROM latency WHERE {where} GROUP BY 1, 2, 3",
        values,
    ).fetchall():
        sums.time(name(who), name(hook), number, calls)


def _from_lines(reader: IndexReader, query: Query, part: tuple[int, int], sums: _Sums) -> None:
    """A part of a day, exactly: its lines are read again."""
    counts = Counts()
    lines = _stretch(query, *part)
    for record in reader.records(lines):
        counts.add_call(0, row_of(record), record)
    for record in reader.observations(lines):
        counts.add_observation(0, record)
    for (_, day, _, who, event, tool, decision, rule, root), n in counts.calls.items():
        words = {"agent": who, "event": event, "tool": tool, "rule": rule, "root": root}
        sums.call(words, day, decision, (n[0], n[1], n[2]))
    for (_, _, _, _, hook, decision), n in counts.hooks.items():
        sums.hook(hook, decision, n[0], n[1])
    for (_, _, _, who, hook, number), calls in counts.latency.items():
        sums.time(who, hook, number, calls)


def _last_seen(reader: IndexReader) -> dict[str, float]:
    found = reader.connection.execute("SELECT agent, last FROM agents")
    return {reader.name(agent): last / 1000 for agent, last in found.fetchall()}


def _tokens(reader: IndexReader, first: int | None, last: int | None) -> dict[str, int]:
    """Totals of the sessions whose last report lies in the stretch."""
    found = reader.connection.execute(
        "SELECT count(*), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(total) FROM usage "
        "WHERE ts >= ? AND ts < ?",
        (-_EVERYTHING if first is None else first, _EVERYTHING if last is None else last),
    ).fetchone()
    names = ("sessions", "input", "output", "cache_read", "cache_write", "total")
    return {name: value or 0 for name, value in zip(names, found, strict=True)}


def _trend(
    reader: IndexReader, query: Query, part: tuple[int | None, int | None], days: Mapping[int, int]
) -> tuple[tuple[int, ...], int]:
    first, last = part
    end = last or _now()
    if first is None or end - first > 2 * DAY:
        full = {day: n for day, n in days.items() if n}
        low = min(full, default=1) if first is None else first // DAY
        high = max(full, default=0) if last is None and first is None else (end - 1) // DAY
        return tuple(full.get(day, 0) for day in range(low, high + 1)), DAY
    hours: Counter[int] = Counter()
    for moment in reader.moments(_stretch(query, first, end)):
        hours[moment // HOUR] += 1
    return tuple(hours[hour] for hour in range(first // HOUR, (end - 1) // HOUR + 1)), HOUR


def _now() -> int:
    import time

    return int(time.time() * 1000)
