"""How much was decided in each minute, by agent and rule: what a live view begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.store.query import Query, conditions
from fairlead.store.reader import Call, IndexReader

MINUTE = 60


class Activity(Value):
    """So many calls of one agent in one minute that one rule decided alike."""

    minute: int
    """Since the epoch."""
    agent: str
    rule: str
    decision: Decision
    calls: int = 1


def together(some: Iterable[Activity]) -> tuple[Activity, ...]:
    """What differs in nothing but the number of calls is one."""
    sums: Counter[tuple[int, str, str, Decision]] = Counter()
    for each in some:
        sums[each.minute, each.agent, each.rule, each.decision] += each.calls
    return tuple(Activity(*kind, calls) for kind, calls in sums.items())


def activity_of(call: Call) -> Activity:
    return Activity(int(call.ts // MINUTE), call.agent, call.rule, call.decision)


def activities(reader: IndexReader, query: Query) -> list[Activity]:
    """Of the calls that fit; the query should name a time, since each of them is looked at."""
    where, values = conditions(query)
    with reader.snapshot():
        found = reader.connection.execute(
            f"SELECT c.ts / {MINUTE * 1000}, c.agent, c.rule, c.decision, count(*) FROM calls c "
            f"WHERE {where} GROUP BY 1, 2, 3, 4",
            values,
        ).fetchall()
        return [
            Activity(minute, reader.name(agent), reader.name(rule), Decision(decision), calls)
            for minute, agent, rule, decision, calls in found
        ]
