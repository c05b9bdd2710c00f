"""Asks the person through the client: by a request of the door's own, or in place of the result.

Up to 2025-11-25 the door asks with `elicitation/create`. Later versions have no requests towards the client:
the result says `input_required`, and the client repeats its call with the answer and a `requestState`. That
is a word that nobody can guess; it is good once, for a while, and for the same call.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TypeVar

from fairlead.doors.mcp.calls import Choice, McpCall, Ruling
from fairlead.doors.mcp.protocol.messages import Message, encode
from fairlead.model.value import Value

SECONDS = 600.0
"""How long an answer may take that comes with a repeated call."""
MOST = 256
"""Of them at a time."""
PROGRESS_SECONDS = 15.0
"""How often a client is told that its call goes on: some give up after a minute."""
KEY = "fairlead"
_PREFIX = "fairlead."
META = "io.modelcontextprotocol/"

K = TypeVar("K")
V = TypeVar("V")
Chosen = Callable[[Choice], None]


def elicitation(question: str) -> dict[str, object]:
    allow = {"type": "boolean", "title": "Allow this once", "default": False}
    schema = {"type": "object", "properties": {"allow": allow}, "required": ["allow"]}
    return {"mode": "form", "message": question, "requestedSchema": schema}


def legacy_elicitation(question: str) -> dict[str, object]:
    """`mode` came with 2025-11-25; without it, a form is meant in every version."""
    return {name: value for name, value in elicitation(question).items() if name != "mode"}


def choice_of(answer: object) -> Choice:
    if not isinstance(answer, Mapping):
        return False
    if answer.get("action") == "cancel":
        return None
    content = answer.get("content")
    allows = isinstance(content, Mapping) and content.get("allow") is True
    return allows and answer.get("action") == "accept"


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


class Conversation(Value):
    """A call that the server has not answered yet, because it wants something first."""

    wanted: Mapping[str, McpCall]
    """By the keys of its `inputRequests`."""
    approved: bool
    """The person has allowed the call, and is not asked again when it is repeated."""
    until: float


class Repeats:
    """Questions of the door and of the server that are answered by a repeated call."""

    def __init__(self) -> None:
        self._asked: dict[str, Asked] = {}
        self._conversations: dict[tuple[str, str], Conversation] = {}

    def ask(self, asked: Asked, question: str) -> dict[str, object]:
        """The result that asks."""
        token = _PREFIX + os.urandom(24).hex()
        _put(self._asked, token, asked)
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

    def remember(self, call: McpCall, state: object, conversation: Conversation) -> None:
        _put(self._conversations, (digest(call), str(state)), conversation)

    def continued(self, call: McpCall, params: Mapping[str, object], now: float) -> Conversation | None:
        """What the server said before to the same call, if this one goes on with it."""
        if not self._conversations or not ("inputResponses" in params or "requestState" in params):
            return None
        found = self._conversations.pop((digest(call), str(params.get("requestState"))), None)
        return found if found is not None and found.until >= now else None


def _put(table: dict[K, V], key: K, value: V) -> None:
    """The oldest is forgotten."""
    table[key] = value
    if len(table) > MOST:
        del table[next(iter(table))]


def choice_in(params: Mapping[str, object]) -> Choice:
    responses = params.get("inputResponses")
    return choice_of(responses.get(KEY)) if isinstance(responses, Mapping) else False


def without_answer(params: Mapping[str, object], asked: Asked) -> dict[str, object]:
    """Of the repeated call, as the server would have got it, had the door not asked."""
    rest = {name: params[name] for name in params if name not in ("requestState", "inputResponses")}
    for name, value in (("requestState", asked.state), ("inputResponses", asked.responses)):
        if value is not None:
            rest[name] = value
    return rest


class Question(Value):
    """One that is open at the client."""

    id: str
    chosen: Chosen
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

    def ask(
        self, question: str, meta: Mapping[str, object], chosen: Chosen, now: float
    ) -> Callable[[], None]:
        """Returns what withdraws the question."""
        self._count += 1
        id = f"{self._own}ask-{self._count}"
        if not self._open:
            self._next = now + PROGRESS_SECONDS
        self._open[id] = Question(id=id, chosen=chosen, token=meta.get("progressToken"))
        params = legacy_elicitation(question)
        self._to_client(
            encode({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params})
        )
        return lambda: self._withdraw(id)

    def answer(self, message: Message) -> bool:
        """Whether it answers one of ours; an error is a no."""
        question = self._open.pop(str(message.id), None)
        if question is not None:
            question.chosen(choice_of(message.result))
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
