"""The protocol between a client and a server, without a pipe, a process or a clock.

Lines come in by `from_client` and `from_server` and leave by a `Wire`, as they came or as they were judged.
Nothing waits: what takes time is given to the wire, and all else goes on meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial

from fairlead.doors.mcp.protocol import calling, demands
from fairlead.doors.mcp.protocol.answering import Answering
from fairlead.doors.mcp.protocol.asking import Elicitations, can_elicit
from fairlead.doors.mcp.protocol.calling import Calling, Session
from fairlead.doors.mcp.protocol.careful import Careful
from fairlead.doors.mcp.protocol.demands import Demands
from fairlead.doors.mcp.protocol.flights import Flights
from fairlead.doors.mcp.protocol.lines import TooLong
from fairlead.doors.mcp.protocol.listing import LISTS, Offers
from fairlead.doors.mcp.protocol.messages import BadMessage, Kind, Message, Reader, confused, folded
from fairlead.doors.mcp.protocol.parts import Judge, Pins, Wire
from fairlead.doors.mcp.protocol.refusals import REFUSED, as_judged, bad, error

_JUDGED = {folded(method): method for method in calling.JUDGED | demands.JUDGED}
_TOLD = frozenset(
    {
        "notifications/message",
        "notifications/progress",
        "notifications/tasks",
        "notifications/tasks/status",
    }
)
"""Notifications of the server with words that a model may read."""


class Gate:
    def __init__(self, wire: Wire, *, server: str, judge: Judge, pins: Pins, own: str = "") -> None:
        self._judge = judge = Careful(judge)
        own = own or f"fairlead:{os.urandom(4).hex()}:"
        self._wire = wire
        self._pins = pins
        self._client, self._server = Reader(), Reader()
        self._asked, self._demanded = Flights(own), Flights(own)
        self._session = Session(judge)
        self._offers = Offers(pins, wire, own)
        self._elicitations = Elicitations(wire.to_client, own)
        self._answering = Answering(
            wire, server=server, judge=judge, offers=self._offers, flights=self._asked
        )
        self._calling = self._answering.calling = Calling(
            wire,
            server=server,
            judge=judge,
            offers=self._offers,
            flights=self._asked,
            elicitations=self._elicitations,
            session=self._session,
            arrived=self._answering.arrived,
        )
        self._demands = Demands(
            wire,
            server=server,
            judge=judge,
            flights=self._demanded,
            elicitations=self._elicitations,
            session=self._session,
        )
        self._requests = self._client_requests()

    def _client_requests(self) -> Mapping[str, Callable[[Message], None]]:
        judged = dict.fromkeys(calling.JUDGED, self._calling.request)
        return {
            **judged,
            "initialize": self._initialize,
            "server/discover": self._discover,
            **dict.fromkeys(LISTS, self._list),
            "tasks/get": self._task,
            "tasks/result": self._task,
        }

    @property
    def busy(self) -> bool:
        """Whether a request waits here that needs no person to go on."""
        return self._asked.held > 0

    def waits_for(self, id: object) -> bool:
        """Whether the answer to this request, of the client or of the door, is still to come."""
        return self._asked.is_open(id) or self._offers.asks(id)

    def forget(self, id: str | int) -> None:
        """The request was taken back, and nobody will answer it."""
        self._asked.take(id)

    def header_places(self, tool: str) -> Mapping[str, tuple[str, ...]]:
        return self._offers.header_places(tool)

    @property
    def next_tick(self) -> float | None:
        """When `tick` wants to be called."""
        return self._elicitations.next_tick

    def tick(self) -> None:
        self._elicitations.tick(self._wire.now())

    # --- from the client ---

    def from_client(self, line: bytes) -> None:
        try:
            message = self._client.read(line)
            self._check_method(message, calling.JUDGED)
            self._of_client[message.kind](self, message)
        except BadMessage as problem:
            self._wire.note(f"a line of the client is not passed on: {problem.why}")
            if not problem.answers:
                self._wire.to_client(bad(problem))

    def too_long_from_client(self, line: TooLong) -> None:
        self._wire.note(f"a line of the client has {line.size} bytes and is dropped")
        self._wire.to_client(bad(BadMessage(f"a line of {line.size} bytes is too long", id=line.id)))

    def _client_asks(self, message: Message) -> None:
        handle = self._requests.get(message.method)
        if handle is None:
            self._pass_on(message, self._relay)
        else:
            handle(message)

    def _client_tells(self, message: Message) -> None:
        if message.method in calling.JUDGED:
            self._wire.note(f"{message.method} of the client has no id, so it is dropped")
            return
        cancels = message.method == "notifications/cancelled"
        if not (cancels and self._asked.cancel(message.params.get("requestId"))):
            self._wire.to_server(message.line)

    def _client_answers(self, message: Message) -> None:
        if self._elicitations.answer(message):
            return
        then = self._demanded.take(message.id)
        if then is not None:
            then(message)
        elif message.id is None:
            self._wire.to_server(message.line)

    _of_client: Mapping[Kind, Callable[[Gate, Message], None]] = {
        Kind.REQUEST: _client_asks,
        Kind.NOTIFICATION: _client_tells,
        Kind.RESPONSE: _client_answers,
    }

    def _pass_on(self, message: Message, then: Callable[[Message], None]) -> None:
        assert message.id is not None  # a request has one
        self._asked.pass_on(message.id, then)
        self._wire.to_server(message.line)

    def _initialize(self, message: Message) -> None:
        self._session.meet(message.params.get("clientInfo"))
        self._session.can_ask = can_elicit(message.params.get("capabilities"))
        self._pass_on(message, self._opened)

    def _discover(self, message: Message) -> None:
        self._pass_on(message, self._opened)

    def _list(self, message: Message) -> None:
        self._pass_on(message, partial(self._listed, message.method, message.params.get("cursor")))

    def _task(self, message: Message) -> None:
        self._pass_on(message, partial(self._answering.task, message.method, message.params.get("taskId")))

    # --- from the server ---

    def from_server(self, line: bytes) -> None:
        try:
            message = self._server.read(line)
            self._check_method(message, demands.JUDGED)
            self._of_server[message.kind](self, message)
        except BadMessage as problem:
            self._wire.note(f"a line of the server is not passed on: {problem.why}")
            self._answer_for_server(problem)

    def too_long_from_server(self, line: TooLong) -> None:
        self._wire.note(f"a line of the server has {line.size} bytes and is dropped")
        if self._asked.take(line.id) is not None:
            text = f"the server's answer of {line.size} bytes is too long to be judged"
            self._wire.to_client(error(line.id, REFUSED, text))

    def _answer_for_server(self, problem: BadMessage) -> None:
        """Who waits for what was not passed on hears of it."""
        if problem.id is None:
            return
        if not problem.answers:
            self._wire.to_server(bad(problem))
        elif self._asked.take(problem.id) is not None:
            self._wire.to_client(error(problem.id, REFUSED, f"the server's answer is unclear: {problem.why}"))

    def _server_asks(self, message: Message) -> None:
        if message.method in demands.JUDGED:
            self._demands.request(message)
            return
        assert message.id is not None  # a request has one
        self._demanded.pass_on(message.id, lambda answer: self._wire.to_server(answer.line))
        self._wire.to_client(message.line)

    def _server_tells(self, message: Message) -> None:
        method = message.method
        if method in demands.JUDGED:
            self._wire.note(f"{method} of the server has no id, so it is dropped")
            return
        if method in _TOLD:
            self._answering.told(message)
            return
        if method == "notifications/tools/list_changed":
            self._offers.changed()
        cancels = method == "notifications/cancelled"
        if not (cancels and self._demanded.cancel(message.params.get("requestId"))):
            self._wire.to_client(message.line)

    def _server_answers(self, message: Message) -> None:
        if self._offers.answer(message):
            return
        then = self._asked.take(message.id)
        if then is not None:
            then(message)
        elif message.id is None and "error" in message.members:  # a result of no request is nobody's
            self._wire.to_client(message.line)

    _of_server: Mapping[Kind, Callable[[Gate, Message], None]] = {
        Kind.REQUEST: _server_asks,
        Kind.NOTIFICATION: _server_tells,
        Kind.RESPONSE: _server_answers,
    }

    def _relay(self, message: Message) -> None:
        self._wire.to_client(message.line)

    def _opened(self, message: Message) -> None:
        result = message.result or {}
        words = result.get("instructions")
        instead = self._pins.instructions(words) if isinstance(words, str) else None
        self._send_result(message, None if instead is None else {**result, "instructions": instead})

    def _listed(self, method: str, cursor: object, message: Message) -> None:
        result = message.result or {}
        key = confused(result, (LISTS[method].member, "nextCursor"))
        if key:
            text = f"the server's list is unclear: the key {key!r} can be read in two ways"
            self._wire.to_client(error(message.id, REFUSED, text))
        else:
            self._send_result(message, self._offers.page(method, cursor, result))

    def _send_result(self, message: Message, changed: Mapping[str, object] | None) -> None:
        changes: dict[str, object] = {} if changed is None else {"result": changed}
        self._wire.to_client(as_judged(message, changes))

    def _check_method(self, message: Message, judged: frozenset[str]) -> None:
        """Raises for a method that a careless reader takes for a judged one."""
        meant = _JUDGED.get(folded(message.method)) if message.method not in judged else None
        if meant in judged and meant != message.method:
            raise BadMessage(f"{message.method!r} can be read as {meant}", id=message.id)
