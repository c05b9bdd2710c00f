"""A question that leaves its machine, and what became of it: messages, without a broker.

Of the call there is what a person needs to decide, as far as the bundle lets it out; what identifies it is a
keyed hash that only this machine can make again.
"""

from __future__ import annotations

import re

from fairlead.fleet.documents import HASH, NAME, Fields, read_document, write_document
from fairlead.fleet.moments import write_moment
from fairlead.model.digest import sha256_hex
from fairlead.model.value import Value

MAX_ASK = 8 * 1024
SUMMARY = 500
REQUEST = re.compile(r"[0-9a-f]{32}", re.ASCII)
_ASK, _CLOSED = "ask", "closed"
GRANTED, DENIED, REFUSED, EXPIRED, COUNTED = STATES = ("granted", "denied", "refused", "expired", "counted")
"""After REFUSED and COUNTED the question is still open: an answer did nothing, or is not enough by itself."""
STILL_OPEN = (REFUSED, COUNTED)
_TEXTS = ("agent", "rule", "tool")


class Ask(Value):
    """`session` and `input_hash` are keyed hashes; the times are epoch seconds. `summary` may be empty."""

    request: str
    machine: str
    group: str
    session: str
    agent: str
    rule: str
    tool: str
    input_hash: str
    asked: int
    expires: int
    summary: str = ""

    def written(self) -> bytes:
        plain = {name: getattr(self, name) for name in self._fields if name not in ("asked", "expires")}
        times = {"asked_at": write_moment(self.asked), "expires": write_moment(self.expires)}
        return write_document({"format": 1, "kind": _ASK, **plain, **times})


def hash_of(ask: bytes) -> str:
    """Of the bytes that were sent: an answer is to what its giver saw, and to nothing else."""
    return sha256_hex(ask)


class Closed(Value):
    """What became of a question: the machine itself says so."""

    request: str
    machine: str
    state: str
    by: str
    """The name of whoever answered, or why nothing came of an answer."""
    at: int

    def written(self) -> bytes:
        plain = {name: getattr(self, name) for name in self._fields if name != "at"}
        return write_document({"format": 1, "kind": _CLOSED, **plain, "at": write_moment(self.at)})


def read_message(content: bytes) -> Ask | Closed:
    """Raises RefusedError."""
    fields = read_document(content, "a question", limit=MAX_ASK)
    fields.format()
    kind = fields.text("kind")
    if kind not in (_ASK, _CLOSED):
        raise fields.wrong("kind", "is neither a question nor what became of one")
    message = _ask(fields) if kind == _ASK else _closed(fields)
    fields.finish()
    return message


def _ask(fields: Fields) -> Ask:
    return Ask(
        request=fields.text("request", REQUEST),
        machine=fields.text("machine", NAME),
        group=fields.text("group", NAME),
        session=fields.text("session", re.compile(r"[0-9a-f]{0,64}", re.ASCII)),
        **{name: fields.text(name, limit=256) for name in _TEXTS},
        input_hash=fields.text("input_hash", HASH),
        asked=fields.moment("asked_at"),
        expires=fields.moment("expires"),
        summary=fields.text("summary", limit=2 * SUMMARY),
    )


def _closed(fields: Fields) -> Closed:
    state = fields.text("state")
    if state not in STATES:
        raise fields.wrong("state", f"is none of {', '.join(STATES)}")
    return Closed(
        request=fields.text("request", REQUEST),
        machine=fields.text("machine", NAME),
        state=state,
        by=fields.text("by", limit=256),
        at=fields.moment("at"),
    )
