"""The first page: what happened, who did it, what needs a person, and whether all is well."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

from starlette.requests import Request

from fairlead.doors.dashboard.parameters import LOOKED_AT, number
from fairlead.doors.dashboard.sources import Sources
from fairlead.errors import UsageError
from fairlead.model.decision import Decision
from fairlead.policy.answers.questions import questions
from fairlead.policy.off import ignored_marker, read_off
from fairlead.store.entry import DAY, HOUR
from fairlead.store.pairs import ran_although_refused
from fairlead.store.progress import share_read
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.summary import Summary, first_of, latency, percentiles, summary, timeline

SPANS = {
    "1h": (HOUR, HOUR // 60),
    "24h": (DAY, HOUR),
    "7d": (7 * DAY, 3 * HOUR),
    "30d": (30 * DAY, 12 * HOUR),
    "90d": (90 * DAY, DAY),
}
"""How long each is, and each of its bars, in milliseconds. `all` begins with the first call."""
_MOST_BARS = 120
_NAMED = 12
_ALARMS = 20
_NAMES = {
    Decision.CONTINUE: "pass",
    Decision.ALLOW: "pass",
    Decision.APPROVE: "approve",
    Decision.ASK: "ask",
    Decision.BLOCK: "block",
    Decision.HALT: "block",
}


def overview(sources: Sources, request: Request) -> object:
    """`span` is one of SPANS or `all`; `zone` is how many minutes the reader's clock is ahead of UTC."""
    span = request.query_params.get("span", "24h")
    zone = int(number(request.query_params.get("zone")) or 0) * 60_000
    now = time.time()
    with sources.reader() as reader, reader.snapshot():
        first = first_of(reader)
        since, step = _stretch(span, first, now)
        query = Query(since=since)
        found = summary(reader, query, now=now, looked_at=LOOKED_AT)
        took = latency(reader, query, now=now, looked_at=LOOKED_AT)
        drawn = timeline(reader, query, step=step, zone=zone, looked_at=LOOKED_AT)
        alarms = list(_alarms(sources, reader, found, since or 0))
        seen = dict(reader.connection.execute("SELECT agent, last FROM agents").fetchall())
        indexed = share_read(reader)
        last = {reader.name(agent): moment / 1000 for agent, moment in seen.items()}
    return {
        "first": first,
        "since": since,
        "now": now,
        "looked_at": found.looked_at,
        "timeline": _bars(drawn, step, zone, since, now),
        "total": {**_counts(found), **percentiles(took[""])},
        "agents": [
            {
                **share,
                **percentiles(took.get(str(share["name"]), Counter())),
                "last": last.get(str(share["name"])),
            }
            for share in _shares(found, "agent")
        ],
        "projects": _shares(found, "root"),
        "rules": _shares(found, "rule"),
        "alarms": alarms,
        "waiting": len(questions(sources.places)),
        "indexed": indexed,
    }


def health(sources: Sources, request: Request) -> object:
    """What `fairlead status` says, as it is now."""
    return [row.as_json() for row in sources.health()]


def _stretch(span: str, first: float | None, now: float) -> tuple[float | None, int]:
    if span == "all":
        days = (now - (first or now)) * 1000 / DAY
        return None, DAY if days <= _MOST_BARS else DAY * -(-int(days) // _MOST_BARS)
    if span not in SPANS:
        raise UsageError(f"{span!r} is no span", hint=f"{', '.join(SPANS)} or all")
    length, step = SPANS[span]
    return now - length / 1000, step


def _bars(
    drawn: dict[int, Counter[int]], step: int, zone: int, since: float | None, now: float
) -> dict[str, object]:
    """A count for every step, also where there was nothing, for each of the four things that can happen."""
    first = int(since * 1000) if since is not None else min(drawn, default=int(now * 1000))
    start, end = (first + zone) // step * step - zone, int(now * 1000)
    starts = list(range(start, end, step))[-_MOST_BARS:]
    series: dict[str, list[int]] = {name: [0] * len(starts) for name in ("block", "ask", "approve", "pass")}
    for number_, moment in enumerate(starts):
        for decision, calls in drawn.get(moment, Counter()).items():
            series[_NAMES[Decision(decision)]][number_] += calls
    return {"start": starts[0] / 1000 if starts else now, "step": step / 1000, "series": series}


def _counts(found: Summary) -> dict[str, object]:
    counts: Counter[str] = Counter()
    for tally in found.tallies:
        counts[_NAMES[Decision(tally.decision)]] += tally.calls
    return {
        "calls": sum(counts.values()),
        "decisions": dict(counts),
        "degraded": sum(tally.degraded for tally in found.tallies),
        "failed": sum(tally.failed for tally in found.tallies),
    }


def _shares(found: Summary, kind: str) -> list[dict[str, object]]:
    """The most frequent first."""
    shares: dict[str, Counter[str]] = {}
    for tally in found.tallies:
        name = getattr(tally, kind)
        if name:
            shares.setdefault(name, Counter())[_NAMES[Decision(tally.decision)]] += tally.calls
    ordered = sorted(shares.items(), key=lambda pair: -pair[1].total())
    return [
        {"name": name, "calls": counts.total(), "decisions": dict(counts)}
        for name, counts in ordered[:_NAMED]
    ]


def _alarms(
    sources: Sources, reader: IndexReader, found: Summary, since: float
) -> Iterator[dict[str, object]]:
    """What nobody should have to look for; the worst first. `calls` are those that it is about."""
    off, ignored = read_off(sources.places), ignored_marker(sources.places)
    if off is not None:
        yield {"kind": "off", "text": f"Fairlead is off {off.words()}", "fix": "fairlead on"}
    ran = ran_although_refused(reader, since, limit=_ALARMS)
    if ran:
        calls = [
            {"id": call.id, "agent": call.agent, "ts": call.ts, "summary": call.summary} for call, _ in ran
        ]
        yield {"kind": "ran", "number": len(ran), "most": _ALARMS, "calls": calls, "fix": "fairlead doctor"}
    gaps = reader.connection.execute(
        "SELECT count(*), total(lines), max(why) FROM gaps WHERE ts = 0 OR ts >= ?", (since * 1000,)
    ).fetchone()
    if gaps[0]:
        yield {"kind": "gap", "number": int(gaps[1]), "text": gaps[2], "fix": "fairlead log verify"}
    failed = sum(tally.failed for tally in found.tallies)
    if failed:
        yield {"kind": "failure", "number": failed}
    if ignored:
        yield {"kind": "marker", "text": ignored, "fix": "fairlead on"}
