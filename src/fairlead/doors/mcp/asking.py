"""Asks the person through the client: by a request of the door's own, or in place of the result.

Up to 2025-11-25 the door asks with `elicitation/create`. Later versions have no requests towards the client:
the result says `input_required`, and the client repeats its call with the answer and a `requestState`. That
is a word that nobody can guess; it is good once, for a while, and for the same call.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from hashlib import sha256

from fairlead.doors.mcp.calls import McpCall, Ruling
from fairlead.doors.mcp.messages import Message, encode
from fairlead.model.value import Value

SECONDS = 600.0
"""How long an answer may take that comes with a repeated call."""
MOST = 256
"""Questions of that kind at a time; the oldest is forgotten."""
PROGRESS_SECONDS = 15.0
"""How often a client is told that its call goes on: some give up after a minute."""
KEY = "fairlead"
_PREFIX = "fairlead."
META = "io.modelcontextprotocol/"

Yes = Callable[[bool], None]


def elicitation(question: str) -> dict[str, object]:
    allow = {"type": "boolean", "title": "Allow this once", "default": False}
    schema = {"type": "object", "properties": {"allow": allow}, "required": ["allow"]}
    return {"mode": "form", "message": question, "requestedSchema": schema}


def legacy_elicitation(question: str) -> dict[str, object]:
    """`mode` came with 2025-11-25; without it, a form is meant in every version."""
    return {name: value for name, value in elicitation(question).items() if name != "mode"}


def says_yes(answer: object) -> bool:
    if not isinstance(answer, Mapping) or answer.get("action") != "accept":
        return False
    content = answer.get("content")
    return isinstance(content, Mapping) and content.get("allow") is True


def can_elicit(capabilities: object) -> bool:
    """An empty object means forms; one that names only other modes does not."""
    asked = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
    return isinstance(asked, Mapping) and (not asked or "form" in asked)


def is_modern(meta: Mapping[str, object]) -> bool:
    return isinstance(meta.get(f"{META}protocolVersion"), str)


def digest(call: McpCall) -> str:
    return sha256(encode([call.method, call.name, call.arguments])).hexdigest()


class Asked(Value):
    """A call that comes again with an answer."""

    call: str
    subject: McpCall
    ruling: Ruling
    state: object
    responses: object
    """What the call itself carried of a conversation with the server."""
    until: float
    kept: Mapping[str, object] | None = None
    """A result of the server that waits for the answer."""


class Repeats:
    """Questions that are answered by a repeated call."""

    def __init__(self) -> None:
        self._asked: dict[str, Asked] = {}
        self._approved: dict[tuple[str, str], float] = {}

    def ask(self, asked: Asked, question: str) -> dict[str, object]:
        """The result that asks."""
        token = _PREFIX + os.urandom(24).hex()
        self._asked[token] = asked
        if len(self._asked) > MOST:
            del self._asked[next(iter(self._asked))]
        request = {"method": "elicitation/create", "params": elicitation(question)}
        return {"resultType": "input_required", "inputRequests": {KEY: request}, "requestState": token}

    def is_ours(self, params: Mapping[str, object]) -> bool:
        state = params.get("requestState")
        return isinstance(state, str) and state.startswith(_PREFIX)

    def answered(self, params: Mapping[str, object], call: McpCall, now: float) -> Asked | None:
        """The question that this call answers; None if it is too late, answered, or of another call."""
        asked = self._asked.pop(str(params.get("requestState")), None)
        if asked is None or asked.until < now or asked.call != digest(call):
            return None
        return asked

    def approve(self, call: McpCall, state: object, now: float) -> None:
        """The server wants more for a call that the person has allowed: when the client brings it, the person
        is not asked again."""
        self._approved[(digest(call), str(state))] = now + SECONDS
        if len(self._approved) > MOST:
            del self._approved[next(iter(self._approved))]

    def is_approved(self, call: McpCall, params: Mapping[str, object], now: float) -> bool:
        if not self._approved or "inputResponses" not in params:
            return False
        return self._approved.pop((digest(call), str(params.get("requestState"))), 0.0) >= now


def yes_in(params: Mapping[str, object]) -> bool:
    responses = params.get("inputResponses")
    return isinstance(responses, Mapping) and says_yes(responses.get(KEY))


def without_answer(members: Mapping[str, object], asked: Asked) -> dict[str, object]:
    """The repeated call as the server would have got it, had the door not asked."""
    params = dict(members["params"])  # type: ignore[call-overload]
    for name, value in (("requestState", asked.state), ("inputResponses", asked.responses)):
        params.pop(name, None)
        if value is not None:
            params[name] = value
    return {**members, "params": params}


class Question(Value):
    """One that is open at the client."""

    id: str
    yes: Yes
    token: object
    """Of the call's progress; None where the client wants none."""


class Elicitations:
    """Questions that are requests of the door."""

    def __init__(self, to_client: Callable[[bytes], None], own: str) -> None:
        self._to_client = to_client
        self._own = own
        self._count = 0
        self._open: dict[str, Question] = {}
        self._told = 0
        self._next = 0.0

    def ask(self, question: str, meta: Mapping[str, object], yes: Yes, now: float) -> Callable[[], None]:
        """Returns what withdraws the question."""
        self._count += 1
        id = f"{self._own}ask-{self._count}"
        if not self._open:
            self._next = now + PROGRESS_SECONDS
        self._open[id] = Question(id=id, yes=yes, token=meta.get("progressToken"))
        params = legacy_elicitation(question)
        self._to_client(
            encode({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params})
        )
        return lambda: self._withdraw(id)

    def answer(self, message: Message) -> bool:
        """Whether it answers one of ours; an error is a no."""
        question = self._open.pop(str(message.id), None)
        if question is not None:
            question.yes(says_yes(message.result))
        return question is not None

    @property
    def next_tick(self) -> float | None:
        return self._next if self._open else None

    def tick(self, now: float) -> None:
        """Tells clients that the calls go on that wait for a person."""
        if not self._open or now < self._next:
            return
        self._next = now + PROGRESS_SECONDS
        self._told += 1
        for question in self._open.values():
            if question.token is not None:
                self._to_client(_progress(question.token, self._told))

    def _withdraw(self, id: str) -> None:
        if self._open.pop(id, None) is not None:
            params = {"requestId": id, "reason": "the call was cancelled"}
            self._to_client(encode({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))


def _progress(token: object, count: int) -> bytes:
    """So small that what the server says later is more, as it has to be."""
    params = {"progressToken": token, "progress": count / 1e6, "message": "waiting for your answer"}
    return encode({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
