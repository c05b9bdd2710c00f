"""The calls that a person had to decide about, and what the person said, as far as the journal tells.

A yes is never guessed from the call itself. It is one of these: the tool ran after a question that only a
person can answer; a person approved the call by its code; a person made an exception for it. A call that ran
although it was refused is no yes of anybody, and is told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.value import Value
from fairlead.policy.answers.grants import Grant
from fairlead.store.entry import moment, summary_of
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader

MOST_READ = 60_000
"""Lines of the journal: some seconds."""
_RAN, _DENIED = ("AfterTool", "ToolFailure"), "ToolDenied"
_RESULTS = (*_RAN, _DENIED)
_OBJECTIONS = (Decision.ASK, Decision.BLOCK, Decision.HALT)
_UNATTENDED = frozenset(("bypassPermissions", "dontAsk", "yolo", "auto", "full-auto", "never"))
"""Modes of agents in which nobody is asked: what runs in them was nobody's yes."""
_BEFORE_EXCEPTION = 3600.0
"""How long before an exception the refusal was that it was made for, in seconds."""
_EXCEPTIONS = 1000
_MOST_ALIKE = 1000


class How(StrEnum):
    """How a call came before a person."""

    PROMPT = "the agent's own prompt"
    ASKED = "a question of Fairlead"
    CODE = "`fairlead approve`"
    EXCEPTION = "`fairlead allow`"
    REFUSED = "a refusal"


class DecidedCall(Value):
    """`said_yes` is None where the journal does not tell."""

    id: str
    ts: float
    at: str
    """The same to the microsecond: ids of one millisecond have no order."""
    agent: str
    session: str
    root: str
    cwd: str
    tool: str
    command: str
    rule: str
    how: How
    said_yes: bool | None
    exact: tuple[str, str] | None = None
    """The command that the rule objected to, and the folder in which it would have run."""


class Decided(Value):
    calls: tuple[DecidedCall, ...]
    ran_refused: tuple[DecidedCall, ...]
    """What ran although it was refused."""
    sessions_left: int
    """Sessions, the oldest, that were not read."""


def decided_calls(
    reader: IndexReader, *, since: float, grants: Iterable[Grant], approved: Iterable[str]
) -> Decided:
    """`approved` are the requests that a person approved by their code."""
    found: list[DecidedCall] = [
        *_approved_by_code(reader, approved, since),
        *_excepted(reader, grants, since),
    ]
    known = {call.id for call in found}
    ran_refused: list[DecidedCall] = []
    last = {event: dict(reader.last_of_sessions(Query(since=since, event=event))) for event in _RESULTS}
    read = left = 0
    for session in _sessions(reader, since):
        if read >= MOST_READ:
            left += 1
            continue
        told = {event: lines[session] for event, lines in last.items() if session in lines}
        judged, results, lines = _session(reader, session, since, most=MOST_READ - read, told=told)
        read += lines
        for call in _answered(judged, results, max(told.values(), default="")):
            if call.how is How.REFUSED:
                ran_refused += [call] if call.said_yes else []
            elif call.id not in known:
                found.append(call)
    return Decided(tuple(found), tuple(ran_refused), left)


def _sessions(reader: IndexReader, since: float) -> list[str]:
    """Those in which somebody was asked or refused, the newest first."""
    asked = Query(since=since, decision=_OBJECTIONS, limit=-1)
    prompted = Query(since=since, event="ToolPermission", limit=-1)
    newest: dict[str, str] = {}
    for query in (asked, prompted):
        for session, last in reader.last_of_sessions(query):
            newest[session] = max(last, newest.get(session, ""))
    return sorted((name for name in newest if name), key=lambda name: newest[name], reverse=True)


Judged = list[tuple[str, DecidedCall]]
"""Calls of one session in their order, each with the key by which its result is known."""


class _Results:
    """What came after the calls of one session."""

    def __init__(self) -> None:
        self.ran: dict[str, list[str]] = {}

    def add(self, record: Mapping[str, object]) -> None:
        at = str(record.get("ts"))
        if record.get("event") in _RAN:
            for key in filter(None, _keys(record)):
                self.ran.setdefault(key, []).append(at)


def _session(
    reader: IndexReader, session: str, since: float, *, most: int, told: Iterable[str]
) -> tuple[Judged, _Results, int]:
    """The calls that somebody had to decide about, the results of such calls, and how many lines were read.
    `told` are the kinds of results that there are."""
    judged: Judged = []
    of_session = Query(session=session, since=since, limit=most)
    records = {
        str(record.get("id")): record
        for query in (of_session.replace(decision=_OBJECTIONS), of_session.replace(event="ToolPermission"))
        for record in reader.records(query)
        if record.get("session") == session  # a name with `*` in it is taken for a pattern
    }
    alike: set[str] = set()
    for record in sorted(records.values(), key=lambda record: str(record.get("ts"))):
        if (how := _how(record)) is not None:
            own, same_input = _keys(record)
            judged.append((own or same_input, call_of(record, how)))
            alike.add(summary_of(dict(_mapping(record.get("facts")))))
    results = _Results()
    lines = len(records)
    for event in told if judged else ():
        some = tuple(sorted(alike)[:_MOST_ALIKE])
        for record in reader.records(of_session.replace(event=event, summaries=some)):
            lines += 1
            if record.get("session") == session:
                results.add(record)
    return judged, results, lines


def _how(record: Mapping[str, object]) -> How | None:
    """None for what nobody had to decide about."""
    facts = _mapping(record.get("facts"))
    if facts.get("attended") is False or facts.get("permission_mode") in _UNATTENDED:
        return None
    decision = _decision(record)
    if decision.stops:
        return How.REFUSED
    if decision is Decision.ASK:
        return How.ASKED if not record.get("degraded") else None
    prompted = record.get("event") == "ToolPermission" and decision <= Decision.ALLOW
    return How.PROMPT if prompted else None


def _answered(judged: Judged, results: _Results, last_told: str) -> Iterator[DecidedCall]:
    """A call ran if a result of it came before the same call was made again. It did not if none came, though
    one of a later call did: who tells results would have told this one, too."""
    told_until = moment({"id": last_told}) / 1000
    again: dict[str, str] = {}
    answered: list[DecidedCall] = []
    for key, call in reversed(judged):
        end = again.get(key, "~")
        ran = any(call.at < at < end for at in results.ran.get(key, ())) if key else False
        told = told_until > call.ts
        answered.append(call.replace(said_yes=True if ran else False if told else None))
        again[key] = call.at
    return reversed(answered)


def _approved_by_code(reader: IndexReader, requests: Iterable[str], since: float) -> Iterator[DecidedCall]:
    for request in requests:
        record = reader.of_request(request)
        if record is not None and moment(record) / 1000 >= since:
            yield call_of(record, How.CODE).replace(said_yes=True)


def _excepted(reader: IndexReader, grants: Iterable[Grant], since: float) -> Iterator[DecidedCall]:
    """What was refused or asked last before a person made an exception that has ended, or will."""
    passing = [grant for grant in grants if (grant.once or grant.until) and grant.created >= since]
    for grant in passing[-_EXCEPTIONS:]:
        before = Query(
            rule=grant.rule,
            decision=(Decision.ASK, Decision.BLOCK),
            since=grant.created - _BEFORE_EXCEPTION,
            until=grant.created,
            limit=1,
        )
        for found in reader.calls(before):
            record = reader.record(found.id)
            if record is not None and found.root.startswith(grant.scope) and "*" not in grant.rule:
                yield call_of(record, How.EXCEPTION).replace(said_yes=True)


def call_of(record: Mapping[str, object], how: How) -> DecidedCall:
    facts = _mapping(record.get("facts"))
    tool = _mapping(facts.get("tool"))
    command = _mapping(tool.get("input")).get("command")
    rule = _objecting_rule(record)
    return DecidedCall(
        str(record.get("id")),
        moment(record) / 1000,
        str(record.get("ts") or ""),
        str(record.get("agent") or ""),
        str(record.get("session") or ""),
        str(record.get("root") or ""),
        str(facts.get("cwd") or ""),
        str(tool.get("kind") or ""),
        command if isinstance(command, str) else "",
        rule,
        how,
        None,
        _exact(record, rule),
    )


def _objecting_rule(record: Mapping[str, object]) -> str:
    return str(_mapping(record.get("verdict")).get("rule") or "")


def _exact(record: Mapping[str, object], rule: str) -> tuple[str, str] | None:
    outcomes = record.get("outcomes")
    for outcome in outcomes if isinstance(outcomes, list) else []:
        said = _mapping(outcome)
        exact = _mapping(_mapping(said.get("metrics")).get("exact"))
        command, cwd = exact.get("command"), exact.get("cwd")
        if said.get("rule") == rule and isinstance(command, str) and isinstance(cwd, str):
            return command, cwd
    return None


def _keys(record: Mapping[str, object]) -> tuple[str, str]:
    """The agent's id of a call, and the digest of what it was told to do."""
    tool = _mapping(_mapping(record.get("facts")).get("tool"))
    call, alike = tool.get("call"), tool.get("hash")
    return f"call {call}" if call else "", f"input {tool.get('name')} {alike}" if alike else ""


def _decision(record: Mapping[str, object]) -> Decision:
    return DECISION_WORDS.get(str(_mapping(record.get("verdict")).get("decision")), Decision.CONTINUE)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
