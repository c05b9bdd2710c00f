"""What a machine sent, as it is believed: checked against the subject that it came on, redacted once more."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from fairlead.fleet.documents import NAME
from fairlead.journal.ids import time_of
from fairlead.model.decision import DECISION_WORDS
from fairlead.model.value import Value
from fairlead.secrets.redact import may_hold_secrets, names_secret, redact

MOST_BYTES = 128 * 1024
"""Of one message; those that machines make are smaller by half."""
_LONGEST = 200
_DEEPEST = 30
_MOST_NAMES = 1000
"""Letters of names that are worth being remembered together."""
_MOST_UNWRITTEN = 10_000
_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_WRITER = re.compile(r"[0-9a-f]{8,64}")
GLASS = "break-glass"
"""How the rule of a line begins that tells of broken glass."""
_OBJECTIONS = ("approve", "ask", "block", "halt")

_WRITTEN = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=str)
Json = Mapping[str, Any]


class Incident(Value):
    """Something that must not be: `kind` is forged, unreadable, secret, changed, duplicate or group."""

    machine: str
    kind: str
    id: str
    detail: str


class Decision(Value):
    """A line that a machine sent, in the columns of the table."""

    machine: str
    id: str
    group: str
    moment: int
    writer: str
    seq: int
    prev: str
    request: str
    observes: str
    agent: str
    event: str
    kind: str
    decision: str
    rule: str
    would: str
    would_rule: str
    failure: str
    canary: bool
    person: str
    session: str
    bundle: int
    unwritten: int
    """Lines before this one that the machine itself could not write."""
    message: str

    @property
    def retained_as(self) -> str:
        marked = self.would or self.failure or self.rule.startswith(GLASS)
        return "objection" if marked or self.decision in _OBJECTIONS else "pass"


class Taken(Value):
    decision: Decision | None = None
    incidents: tuple[Incident, ...] = ()


def take_decision(sender: str, body: bytes, *, mark: str) -> Taken:
    """`sender` is the machine of the subject, which the broker vouches for; `mark` names the message."""
    found = read_message(sender, body, mark)
    if isinstance(found, Incident):
        return Taken(incidents=(found,))
    clean = found if holds_no_secret(body, found) else redact(found)
    assert isinstance(clean, dict)
    decision = _decision(sender, clean)
    if decision is None:
        return Taken(incidents=(Incident(sender, "unreadable", mark, "no id, or no place in a chain"),))
    if clean is found or clean == found:
        return Taken(decision)
    where = ", ".join(_changed("", found, clean))[:_LONGEST]
    return Taken(decision, (Incident(sender, "secret", decision.id, f"a secret at {where}"),))


def holds_no_secret(body: bytes, found: object) -> bool:
    """True only where `redact` would leave `found`, which was read from `body`, as it is.

    Without a backslash every text in it stands in the body letter by letter: what the whole body has no hint
    of, none of them has. To look once through all of it costs a tenth of looking at each.
    """
    plain = body.isascii() and b"\\" not in body
    return plain and not may_hold_secrets(body.decode("ascii")) and not _has_secret_name(found, 0)


def _has_secret_name(found: object, depth: int) -> bool:
    """Also for what is nested too deeply to say."""
    items: Iterable[object] = ()
    if isinstance(found, dict):
        if _any_secret(found):
            return True
        items = found.values()
    elif isinstance(found, list):
        items = found
    nested = [item for item in items if isinstance(item, dict | list)]
    return depth > _DEEPEST or any(_has_secret_name(item, depth + 1) for item in nested)


def _any_secret(found: Json) -> bool:
    names = tuple(found)
    return _known_names(names) if sum(map(len, names)) <= _MOST_NAMES else any(map(names_secret, names))


@lru_cache(maxsize=1024)
def _known_names(names: tuple[str, ...]) -> bool:
    """Messages have the same few forms."""
    return any(map(names_secret, names))


def read_message(sender: str, body: bytes, mark: str) -> dict[str, Any] | Incident:
    if len(body) > MOST_BYTES:
        return Incident(sender, "unreadable", mark, f"{len(body)} bytes are too many")
    try:
        found = json.loads(body, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        return Incident(sender, "unreadable", mark, "it is no JSON")
    if not isinstance(found, dict):
        return Incident(sender, "unreadable", mark, "it is no object")
    if found.get("machine") != sender or not NAME.fullmatch(sender):
        return Incident(
            sender, "forged", mark, f"it says that it is from {clean_text(found, 'machine')[:80]!r}"
        )
    return found


def _decision(sender: str, message: Json) -> Decision | None:
    line = _mapping(message.get("line"))
    line_id, writer, seq = line.get("id"), line.get("writer"), line.get("seq")
    if not (isinstance(line_id, str) and _ID.fullmatch(line_id)) or not isinstance(seq, int):
        return None
    if not (isinstance(writer, str) and _WRITER.fullmatch(writer)) or not number(seq):
        return None
    facts, verdict = _mapping(line.get("facts")), _mapping(line.get("verdict"))
    would = _mapping(verdict.get("would"))
    decision = clean_text(verdict, "decision")
    return Decision(
        machine=sender,
        id=line_id,
        group=clean_text(message, "group"),
        moment=int(time_of(line_id) * 1000),
        writer=writer,
        seq=seq,
        prev=clean_text(line, "prev"),
        request=clean_text(line, "request"),
        observes=clean_text(line, "observes"),
        agent=clean_text(line, "agent"),
        event=clean_text(line, "event"),
        kind=clean_text(_mapping(facts.get("tool")), "kind"),
        decision=decision if decision in DECISION_WORDS else "",
        rule=clean_text(verdict, "rule"),
        would=clean_text(would, "decision"),
        would_rule=clean_text(would, "rule"),
        failure=_failure(verdict),
        canary=line.get("canary") is True,
        person=clean_text(line, "user"),
        session=clean_text(line, "session"),
        bundle=number(_mapping(message.get("bundle")).get("version")),
        unwritten=min(number(_mapping(line.get("lost")).get("lines")), seq - 1, _MOST_UNWRITTEN),
        message=_WRITTEN.encode(message),
    )


def _failure(verdict: Json) -> str:
    failures = verdict.get("failures")
    first = failures[0] if isinstance(failures, list) and failures else {}
    return clean_text(_mapping(first), "code")


def _changed(place: str, before: object, after: object) -> list[str]:
    """Where redaction took something out; never what."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        return [each for name in before for each in _changed(f"{place}/{name}", before[name], after[name])]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [each for number, (old, new) in pairs for each in _changed(f"{place}/{number}", old, new)]
    return [] if before == after else [place or "/"]


def _mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def clean_text(found: Json, name: str) -> str:
    value = found.get(name)
    return storable(value) if isinstance(value, str) else ""


def storable(text: str) -> str:
    """As both databases can keep it."""
    return text[:_LONGEST].replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(text)


def _no_number(text: str) -> float:
    raise ValueError(f"{text[:20]} is no number of JSON")


def number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else 0
