"""Calls: a page of the list with its facets, and one of them whole."""

from __future__ import annotations

import time
from collections import Counter

from starlette.requests import Request

from fairlead.doors.dashboard.exceptions import lengths_for
from fairlead.doors.dashboard.parameters import LOOKED_AT, query_of
from fairlead.doors.dashboard.sources import Sources
from fairlead.errors import UsageError
from fairlead.store.effect import effect_of
from fairlead.store.pairs import page, what_became_of
from fairlead.store.reader import SessionLine
from fairlead.store.summary import facets, summary, unfaceted

_SHOWN = 40
"""Values of one facet that are told; of the others only the number."""
_PASS = ("continue", "allow")


def calls(sources: Sources, request: Request) -> object:
    """The newest first, the events before and after a tool folded into one."""
    with sources.reader() as reader:
        found = page(reader, query_of(request).replace(folded=True), looked_at=LOOKED_AT)
        after = what_became_of(reader, [call.id for call in found.calls])
    shown = [
        {**call.as_json(), "after": after[call.id].as_json() if call.id in after else None}
        for call in found.calls
    ]
    return {"calls": shown, "more": found.more}


def facets_of_calls(sources: Sources, request: Request) -> object:
    query = query_of(request)
    with sources.reader() as reader:
        found = summary(reader, unfaceted(query), now=time.time(), looked_at=LOOKED_AT)
    counted = facets(found, query)
    counted["decision"] = _as_shown(counted["decision"])
    return {
        "looked_at": found.looked_at,
        "facets": {
            facet: {"values": values[:_SHOWN], "more": max(len(values) - _SHOWN, 0)}
            for facet, values in counted.items()
        },
    }


def _as_shown(values: list[tuple[str, int]]) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for word, calls in values:
        counts["pass" if word in _PASS else word] += calls
    return counts.most_common()


def one_call(sources: Sources, request: Request) -> object:
    """The whole record, what became of it, and the exceptions that could be made of it."""
    with sources.reader() as reader:
        record = reader.record(request.path_params["id"])
        if record is None:
            raise UsageError(
                "there is no such call in the journal", hint="it may have been pruned since: `fairlead log`"
            )
        effect = effect_of(reader, record)
    return {
        **record,
        "effect": effect.as_json() if effect else None,
        "exceptions": lengths_for(record),
    }


def sessions(sources: Sources, request: Request) -> object:
    with sources.reader() as reader:
        found = reader.sessions(query_of(request))
    return [{field: getattr(line, field) for field in SessionLine._fields} for line in found]
