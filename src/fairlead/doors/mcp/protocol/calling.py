"""What the client asks of the server and a policy may speak of: judged, asked about, and passed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from fairlead.doors.mcp.calls import Choice, McpCall, Ruling
from fairlead.doors.mcp.protocol.asking import (
    META,
    SECONDS,
    Asked,
    Conversation,
    Elicitations,
    Repeats,
    can_elicit,
    choice_in,
    digest,
    is_modern,
    without_answer,
)
from fairlead.doors.mcp.protocol.flights import Flights, Held
from fairlead.doors.mcp.protocol.listing import Offers
from fairlead.doors.mcp.protocol.messages import INVALID_PARAMS, BadMessage, Message, check_judged, encode
from fairlead.doors.mcp.protocol.parts import Judge, T, Wire
from fairlead.doors.mcp.protocol.refusals import answer, refusal
from fairlead.doors.mcp.protocol.working import work
from fairlead.model.decision import Decision
from fairlead.model.value import Value

NAMES: Mapping[str, str] = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
JUDGED = frozenset({*NAMES, "completion/complete"})
TOO_LATE = (
    "Blocked by Fairlead: the answer to its question came too late, twice, or for another call. "
    "Call again to be asked again."
)


UNJUDGED = Ruling(Decision.CONTINUE)


class Session:
    """What the client said of itself when it opened the session; later versions say it with each request."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._name = ""
        self.can_ask = False

    def meet(self, client: object) -> None:
        """`clientInfo`, as it is said once or with every request."""
        name = client.get("name") if isinstance(client, Mapping) else None
        if isinstance(name, str) and name != self._name:
            self._name = name
            self._judge.met(name)


class Trip(Value):
    """A judged request on its way."""

    call: McpCall
    message: Message
    """Its line is what will be sent."""
    held: Held
    subject: McpCall
    """What the ruling is about: the call itself, or what the server wants before it answers."""
    ruling: Ruling = UNJUDGED
    approved: bool = False
    """A person said yes to it."""
    conversation: Conversation | None = None
    """The server wanted something before, and this goes on with it."""
    kept: Mapping[str, object] | None = None
    """What the server has answered already, and the client gets only if the person says yes."""


class Calling:
    def __init__(
        self,
        wire: Wire,
        *,
        server: str,
        judge: Judge,
        offers: Offers,
        flights: Flights,
        elicitations: Elicitations,
        session: Session,
        arrived: Callable[[Trip, Message], None],
    ) -> None:
        self._wire = wire
        self._server = server
        self._judge = judge
        self._offers = offers
        self._flights = flights
        self._elicitations = elicitations
        self._session = session
        self._arrived = arrived
        self.repeats = Repeats()

    def request(self, message: Message) -> None:
        """Raises BadMessage."""
        message = clear(message)
        call = call_of(self._server, message)
        self._session.meet(call.meta.get(f"{META}clientInfo"))
        trip = Trip(call=call, message=message, held=self._flights.hold(call.id), subject=call)
        if call.method == "tools/call":
            self._offers.ready(call.meta, partial(self._known, trip))
        else:
            self._known(trip)

    def _known(self, trip: Trip) -> None:
        if self._is_gone(trip):
            return
        why = self._offers.held_back(trip.call.method, trip.call.name)
        if why:
            self._work(trip, partial(self._judge.held_back, trip.call, why), lambda _: self.refuse(trip, why))
        else:
            self._begin(trip)

    def _begin(self, trip: Trip) -> None:
        params, now = trip.message.params, self._wire.now()
        if not self.repeats.is_ours(params):
            trip = trip.replace(conversation=self.repeats.continued(trip.call, params, now))
            self._work(trip, partial(self._judge_call, trip), self._ruled)
            return
        asked = self.repeats.answered(params, trip.call, now)
        if asked is None:
            self.refuse(trip, TOO_LATE)
            return
        trip = _with_params(trip, without_answer(params, asked))
        trip = trip.replace(ruling=asked.ruling, subject=asked.subject, kept=asked.kept)
        self._decide(trip, choice_in(params))

    def _judge_call(self, trip: Trip) -> Trip:
        """And what the client answers to the server with it."""
        trip = trip.replace(ruling=self._judge.before(trip.call))
        responses = trip.message.params.get("inputResponses")
        if trip.conversation is None or not isinstance(responses, dict):
            return trip
        wanted = trip.conversation.wanted
        judged = {key: self._judge_response(wanted.get(key), given) for key, given in responses.items()}
        if judged == responses:
            return trip
        return _with_params(trip, {**trip.message.params, "inputResponses": judged})

    def _judge_response(self, wanted: McpCall | None, given: object) -> object:
        if wanted is None or not isinstance(given, dict):
            return given
        changed = self._judge.after(wanted, UNJUDGED, given, schema=None)
        return given if changed is None else changed

    def _ruled(self, trip: Trip) -> None:
        if self._is_gone(trip):
            return
        if trip.ruling.goes_on:
            self._send(trip)
        elif trip.ruling.decision is not Decision.ASK:
            self.refuse(trip, trip.ruling.text)
        elif trip.conversation is not None and trip.conversation.approved:
            self._decide(trip, True)
        else:
            self.ask(trip)

    def _decide(self, trip: Trip, choice: Choice) -> None:
        """After the person was asked."""
        job = partial(self._judge.answered, trip.subject, trip.ruling, choice)
        self._work(trip, job, partial(self._answered, trip.replace(approved=choice is True)))

    def _answered(self, trip: Trip, ruling: Ruling) -> None:
        if self._is_gone(trip):
            return
        if not ruling.goes_on:
            self.refuse(trip, ruling.text)
        elif trip.kept is not None:
            self.reply(trip, trip.kept)
        else:
            self._send(trip.replace(ruling=ruling))

    # --- questions ---

    def ask(self, trip: Trip) -> None:
        """By the means that the client has said it has; else the call is refused, with a code."""
        call = trip.call
        if is_modern(call.meta) and can_elicit(call.meta.get(f"{META}clientCapabilities")):
            self._have_it_repeated(trip)
        elif not is_modern(call.meta) and self._session.can_ask:
            self._elicit(trip)
        else:
            self.refuse(trip, trip.ruling.text)

    def _have_it_repeated(self, trip: Trip) -> None:
        params = trip.message.params
        asked = Asked(
            call=digest(trip.call),
            subject=trip.subject,
            ruling=trip.ruling,
            state=params.get("requestState"),
            responses=params.get("inputResponses"),
            until=self._wire.now() + SECONDS,
            kept=trip.kept,
        )
        self.reply(trip, self.repeats.ask(asked, trip.ruling.question))

    def _elicit(self, trip: Trip) -> None:
        def answered(choice: Choice) -> None:
            trip.held.withdraw = None
            self._decide(trip, choice)

        ask = self._elicitations.ask
        trip.held.withdraw = ask(trip.ruling.question, trip.call.meta, answered, self._wire.now())

    # --- ends ---

    def _send(self, trip: Trip) -> None:
        if trip.ruling.arguments is not None:
            try:
                trip = _with_params(trip, {**trip.message.params, "arguments": trip.ruling.arguments})
            except (TypeError, ValueError, RecursionError):
                self.refuse(trip, "Blocked by Fairlead: a hook rewrote the arguments to what is no JSON.")
                return
        if self._flights.release(trip.call.id, trip.held, partial(self._arrived, trip)):
            self._wire.to_server(trip.message.line)

    def reply(self, trip: Trip, result: Mapping[str, object]) -> None:
        if self._flights.settle(trip.call.id, trip.held):
            self._wire.to_client(answer(trip.call.id, result))

    def refuse(self, trip: Trip, text: str) -> None:
        if self._flights.settle(trip.call.id, trip.held):
            self._wire.to_client(refusal(trip.call.id, trip.call.method, text))

    def _is_gone(self, trip: Trip) -> bool:
        return not self._flights.waits(trip.call.id, trip.held)

    def _work(self, trip: Trip, job: Callable[[], T], then: Callable[[T], None]) -> None:
        work(self._wire, trip.message.line, job, then, quick=self._judge.quick)


def _with_params(trip: Trip, params: Mapping[str, object]) -> Trip:
    members = {**trip.message.members, "params": params}
    return trip.replace(message=trip.message.replace(members=members, line=encode(members)))


def clear(message: Message) -> Message:
    """The same message as a line that every reader understands alike. Raises BadMessage."""
    check_judged(message)
    try:
        return message.replace(line=encode(message.members))
    except (ValueError, RecursionError) as error:
        raise BadMessage("it holds a text or a number that is none", id=message.id) from error


def call_of(server: str, message: Message) -> McpCall:
    """Raises BadMessage."""
    params = message.params
    key = NAMES.get(message.method)
    name: object = params.get(key, "") if key else ""
    whole = message.method in ("tools/call", "prompts/get")
    arguments = params.get("arguments") if whole else params
    meta = params.get("_meta")
    if message.method == "completion/complete":
        name = _referred(params.get("ref"))
    if not isinstance(name, str) or (key and not name):
        raise BadMessage(f"{message.method} needs a {key or 'name'}", code=INVALID_PARAMS, id=message.id)
    if arguments is not None and not isinstance(arguments, Mapping):
        raise BadMessage("the arguments are no object", code=INVALID_PARAMS, id=message.id)
    assert message.id is not None
    return McpCall(
        server=server,
        method=message.method,
        name=name,
        arguments=arguments or {},
        meta=meta if isinstance(meta, Mapping) else {},
        id=message.id,
    )


def _referred(ref: object) -> object:
    if not isinstance(ref, Mapping):
        return ""
    return ref.get("name", ref.get("uri", ""))
