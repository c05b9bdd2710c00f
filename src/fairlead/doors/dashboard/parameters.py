"""What an address asks for, within bounds."""

from __future__ import annotations

from starlette.requests import Request

from fairlead.errors import UsageError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.store.query import Query

MOST = 500
LOOKED_AT = 200_000
"""Rows of the index that one answer may look at."""
_WORDS = ("agent", "event", "rule", "hook", "tool", "session", "root", "text", "before")
_LONGEST = 300


def query_of(request: Request) -> Query:
    """The filters of an address; what is no filter is passed over."""
    given = request.query_params
    decisions = [decision for word in given.getlist("decision") for decision in _meant(word)]
    query = Query(
        decision=tuple(map(int, decisions)),
        since=number(given.get("since")),
        until=number(given.get("until")),
        troubled=given.get("trouble") == "1",
        canaries=given.get("canaries") == "1",
        would=given.get("would") == "1",
        limit=int(min(max(number(given.get("limit")) or 100, 1), MOST)),
    )
    return query.replace(**{word: given.get(word, "")[:_LONGEST] for word in _WORDS})


def _meant(word: str) -> tuple[Decision, ...]:
    """For people there is one way to pass, whatever the hooks called it."""
    if word == "pass":
        return Decision.CONTINUE, Decision.ALLOW
    return (DECISION_WORDS[word],) if word in DECISION_WORDS else ()


def number(text: str | None) -> float | None:
    try:
        found = float(text) if text else None
    except ValueError:
        raise UsageError(f"{text!r} is no number") from None
    return found if found is None or -1e12 < found < 1e12 else None
