"""What the index keeps of one journal line: a row to find it by, and what it adds to the counts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from fairlead.journal.ids import time_of
from fairlead.model.decision import DECISION_WORDS
from fairlead.model.texts.shown_value import shown_value
from fairlead.model.tool_call import COMMAND_KEYS, PATH_KEYS, URL_KEYS
from fairlead.store.histogram import bucket

SUMMARY = 160
HOUR = 3_600_000
DAY = 24 * HOUR
AFTER_EVENTS = frozenset(("AfterTool", "ToolFailure", "ToolDenied", "AfterResource", "AfterServerPrompt"))
"""What tells how a call of a tool went that was judged before."""

_SUBJECTS = (*COMMAND_KEYS, *PATH_KEYS, *URL_KEYS, "query", "pattern", "description")


class Row(NamedTuple):
    """A call, with words where the table has numbers. A tuple: a journal has a million of them."""

    id: str
    request: int
    ts: int
    agent: str
    event: str
    tool: str
    decision: int
    rule: str
    hook: str
    session: str
    root: str
    subagent: str
    degraded: str
    failures: int
    canary: int
    would: int
    would_rule: str
    pair: int
    after: int
    us: int
    summary: str


When = tuple[int, int, int]
"""Segment, day, and 1 for a canary."""


class Counts:
    """What calls and hooks add up to, per segment and day, canaries apart."""

    def __init__(self) -> None:
        self.calls: dict[tuple[int, int, int, str, str, str, int, str, str], list[int]] = {}
        self.hours: dict[tuple[int, int, int, str, int, int], int] = {}
        self.hooks: dict[tuple[int, int, int, str, str, int], list[int]] = {}
        self.latency: dict[tuple[int, int, int, str, str, int], int] = {}

    def add_call(self, segment: int, row: Row, record: Mapping[str, object], sign: int = 1) -> None:
        """One answered call and its hooks; `sign` -1 takes it back."""
        day = row.ts // DAY
        when = (segment, day, row.canary)
        key = (*when, row.agent, row.event, row.tool, row.decision, row.rule, row.root)
        count = self.calls.setdefault(key, [0, 0, 0])
        count[0] += sign
        count[1] += sign if row.degraded else 0
        count[2] += sign if row.failures else 0
        hour = (segment, row.ts // HOUR, row.canary, row.agent, row.after, row.decision)
        self.hours[hour] = self.hours.get(hour, 0) + sign
        self._time(when, row.agent, "", row.us, sign)
        self._add_outcomes(when, row.agent, record, sign)

    def add_observation(self, segment: int, record: Mapping[str, object]) -> None:
        when = (segment, moment(record) // DAY, canary_number(record))
        self._add_outcomes(when, _text(record.get("agent")), record, 1)

    def _add_outcomes(self, when: When, agent: str, record: Mapping[str, object], sign: int) -> None:
        hooks = self.hooks
        for outcome in outcomes_of(record):
            hook = _text(outcome.get("hook"))
            key = (*when, agent, hook, decision_number(outcome.get("decision")))
            count = hooks.get(key)
            if count is None:
                count = hooks[key] = [0, 0]
            count[0] += sign
            if outcome.get("failure"):
                count[1] += sign
            self._time(when, agent, hook, microseconds(outcome.get("ms")), sign)

    def _time(self, when: When, agent: str, hook: str, took: int, sign: int) -> None:
        key = (*when, agent, hook, bucket(took))
        self.latency[key] = self.latency.get(key, 0) + sign


def request_number(record: Mapping[str, object]) -> int:
    """The request as a number that SQLite finds quickly; a line without one is a request of its own."""
    text = str(record.get("request") or record.get("observes") or record.get("id"))
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def pair_number(session: object, tool: Mapping[str, object]) -> int:
    """A number for the call of a tool that an event is about; 0 where the agent gives it no name."""
    call = tool.get("call")
    if not isinstance(call, str) or not call:
        return 0
    digest = hashlib.blake2b(f"{session}\0{call}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True) or 1


def moment(record: Mapping[str, object]) -> int:
    """When the line was made, in milliseconds."""
    try:
        return int(time_of(str(record.get("id"))) * 1000)
    except ValueError:
        pass
    try:
        return int(datetime.fromisoformat(str(record.get("ts"))).astimezone(UTC).timestamp() * 1000)
    except ValueError:
        return 0


def row_of(record: Mapping[str, object]) -> Row:
    get = record.get
    verdict, facts = _mapping(get("verdict")), _mapping(get("facts"))
    tool, subagent = _mapping(facts.get("tool")), facts.get("subagent")
    would = _mapping(verdict.get("would"))
    failures = 1 if verdict.get("failures") else 0
    for outcome in outcomes_of(record):
        if outcome.get("failure"):
            failures += 1
    return Row(
        _text(get("id")),
        request_number(record),
        moment(record),
        _text(get("agent")),
        _text(get("event")),
        _text(tool.get("name")),
        decision_number(verdict.get("decision")),
        _text(verdict.get("rule")),
        _text(verdict.get("hook")),
        _text(get("session")),
        _text(get("root")),
        _text(_mapping(subagent).get("id")) if subagent else "",
        _text(get("degraded")),
        failures,
        canary_number(record),
        decision_number(would.get("decision")),
        _text(would.get("rule")) or _text(would.get("hook")),
        pair_number(get("session"), tool),
        1 if get("event") in AFTER_EVENTS else 0,
        microseconds(get("ms")),
        summary_of(facts),
    )


def outcomes_of(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    outcomes = record.get("outcomes")
    if not isinstance(outcomes, list):
        return []
    for outcome in outcomes:
        if not isinstance(outcome, dict):
            return [each for each in outcomes if isinstance(each, dict)]
    return outcomes  # as it nearly always is: a copy for each of a million lines would cost


def usage_of(record: Mapping[str, object]) -> Mapping[str, object] | None:
    """What an observer reported of the session's tokens."""
    for outcome in outcomes_of(record):
        metrics = outcome.get("metrics")
        if isinstance(metrics, dict) and "total_tokens" in metrics:
            return metrics
    return None


def summary_of(facts: Mapping[str, object]) -> str:
    """One line that tells what was asked: the command, the path, the address, the prompt."""
    tool_input = _mapping(_mapping(facts.get("tool")).get("input"))
    for key in _SUBJECTS:
        value = tool_input.get(key)
        if isinstance(value, str) and value:
            return _line(value)
        if isinstance(value, list) and value:
            return _line(" ".join(shown_value(word) for word in value[:40]))
    for value in (*tool_input.values(), facts.get("prompt")):
        if isinstance(value, str) and value:
            return _line(value)
    more = _mapping(facts.get("more"))
    told = (value for key, value in more.items() if isinstance(value, str) and _tells(key, value))
    return _line(" ".join(told)[:SUMMARY])


_MARKS = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|/|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?|\d+",
    re.IGNORECASE,
)


def _tells(key: str, value: str) -> bool:
    """Whether a field says something to a person: no id, no time, no empty folder."""
    return not key.lower().endswith(("id", "timestamp")) and _MARKS.fullmatch(value) is None


def canary_number(record: Mapping[str, object]) -> int:
    return 1 if record.get("canary") is True else 0


def decision_number(word: object) -> int:
    return int(DECISION_WORDS.get(str(word), 0))


def microseconds(value: object) -> int:
    return int(value * 1000) if isinstance(value, int | float) and 0 <= value < 1e12 else 0


def _line(text: str) -> str:
    return " ".join(text[: SUMMARY * 2].split())[:SUMMARY]


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
