"""What the server asks of the client, and may cost the person money or trust: judged, too."""

from __future__ import annotations

from functools import partial

from fairlead.doors.mcp.calls import Choice, McpCall, Ruling
from fairlead.doors.mcp.protocol.asking import Elicitations
from fairlead.doors.mcp.protocol.calling import Session, clear
from fairlead.doors.mcp.protocol.flights import Flights, Held
from fairlead.doors.mcp.protocol.messages import Message
from fairlead.doors.mcp.protocol.parts import Judge, Result, Wire
from fairlead.doors.mcp.protocol.refusals import as_judged, refusal
from fairlead.doors.mcp.protocol.working import work
from fairlead.model.decision import Decision

JUDGED = frozenset({"sampling/createMessage", "elicitation/create", "roots/list"})


class Demands:
    """Up to 2025-11-25; later, what a server wants is in its results."""

    def __init__(
        self,
        wire: Wire,
        *,
        server: str,
        judge: Judge,
        flights: Flights,
        elicitations: Elicitations,
        session: Session,
    ) -> None:
        self._wire = wire
        self._server = server
        self._judge = judge
        self._flights = flights
        self._elicitations = elicitations
        self._session = session

    def request(self, message: Message) -> None:
        """Raises BadMessage."""
        message = clear(message)
        call = demand_of(self._server, message)
        held = self._flights.hold(call.id)
        then = partial(self._ruled, held, call, message)
        job = partial(self._judge.before, call)
        work(self._wire, message.line, job, then, quick=self._judge.quick)

    def _ruled(self, held: Held, call: McpCall, message: Message, ruling: Ruling) -> None:
        if not self._flights.waits(call.id, held):
            return
        if ruling.goes_on:
            then = partial(self._result, call, ruling)
            if self._flights.release(call.id, held, then):
                self._wire.to_client(message.line)
        elif ruling.decision is Decision.ASK and self._session.can_ask:
            self._ask(held, call, message, ruling)
        elif self._flights.settle(call.id, held):
            self._wire.to_server(refusal(call.id, call.method, ruling.text))

    def _ask(self, held: Held, call: McpCall, message: Message, ruling: Ruling) -> None:
        def answered(choice: Choice) -> None:
            held.withdraw = None
            job = partial(self._judge.answered, call, ruling, choice)
            then = partial(self._ruled, held, call, message)
            work(self._wire, message.line, job, then, quick=self._judge.quick)

        ask = self._elicitations.ask
        held.withdraw = ask(ruling.question, {}, answered, self._wire.now())

    def _result(self, call: McpCall, ruling: Ruling, message: Message) -> None:
        """What the client answers goes to the server."""
        result = message.result
        if result is None:
            self._wire.to_server(message.line)
            return

        if call.method == "roots/list":
            self._judge.rooted(_uris(result))

        def then(changed: Result | None) -> None:
            self._wire.to_server(as_judged(message, {} if changed is None else {"result": changed}))

        job = partial(self._judge.after, call, ruling, result, schema=None)
        work(self._wire, message.line, job, then, quick=self._judge.quick)


def _uris(result: Result) -> list[str]:
    roots = result.get("roots")
    uris = [root.get("uri") for root in roots if isinstance(root, dict)] if isinstance(roots, list) else []
    return [uri for uri in uris if isinstance(uri, str)]


def demand_of(server: str, message: Message) -> McpCall:
    meta = message.params.get("_meta")
    assert message.id is not None  # a request has one
    return McpCall(
        server=server,
        method=message.method,
        name="",
        arguments=message.params,
        meta=meta if isinstance(meta, dict) else {},
        id=message.id,
    )
