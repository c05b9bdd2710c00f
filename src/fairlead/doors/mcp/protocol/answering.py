"""What the server answers to judged requests, now or by a task, and what it asks for instead of answering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from fairlead.doors.mcp.calls import McpCall, Ruling
from fairlead.doors.mcp.protocol.asking import SECONDS, Conversation
from fairlead.doors.mcp.protocol.calling import UNJUDGED, Calling, Trip
from fairlead.doors.mcp.protocol.flights import Flights
from fairlead.doors.mcp.protocol.listing import Offers
from fairlead.doors.mcp.protocol.messages import Message
from fairlead.doors.mcp.protocol.parts import Judge, T, Wire
from fairlead.doors.mcp.protocol.refusals import as_judged, refusal
from fairlead.doors.mcp.protocol.working import work
from fairlead.model.decision import Decision

MOST_TASKS = 1_000
"""Whose call is remembered; the result of an older one is judged as that of an unknown call."""
_CONTENT = frozenset({"content", "structuredContent", "contents", "messages", "completion"})
"""Members of results that clients show their models."""

Result = Mapping[str, object]


class Answering:
    def __init__(self, wire: Wire, *, server: str, judge: Judge, offers: Offers, flights: Flights) -> None:
        self._wire = wire
        self._server = server
        self._judge = judge
        self._offers = offers
        self._flights = flights
        self._tasks: dict[str, tuple[McpCall, Ruling]] = {}
        self.calling: Calling

    def arrived(self, trip: Trip, message: Message) -> None:
        """The server has answered a judged request.

        Older clients read the content of a result whatever else it says of itself, so only what has none is
        taken for a question or a task.
        """
        result = message.result or {}
        task = _task_id(result)
        if task:
            self._remember(task, trip)
        if not _CONTENT.isdisjoint(result):
            self._judged(trip.call, trip.ruling, message)
        elif result.get("resultType") == "input_required":
            self._judge.dropped(trip.ruling)
            self._wanted(trip, message, result)
        elif task:
            self._tell(message, "result", result, trip.call)
        else:
            self._judged(trip.call, trip.ruling, message)

    def task(self, method: str, id: object, message: Message) -> None:
        """The server has answered `tasks/get`, or `tasks/result` with the result itself."""
        call, ruling = self._task(id)
        wanted = _wanted_in(message.result or {})
        judge = self._judged if method == "tasks/result" else self._judged_inside
        if not wanted:
            judge(call, ruling, message)
            return
        asks = [self._demand(call, each) for each in wanted.values()]

        def then(ruled: tuple[McpCall, Ruling]) -> None:
            if ruled[1].goes_on:
                judge(call, ruling, message)
            elif message.id is not None:
                self._wire.to_client(refusal(message.id, method, ruled[1].text))

        self._work(message, partial(self._strictest, asks), then)

    def told(self, message: Message) -> None:
        """The server says something by itself: how a task ended, how far a call is, what it logs."""
        params = message.params
        id = _task_id(params) or params.get("taskId")
        if id is None or not message.method.startswith("notifications/tasks"):
            self._tell(message, "params", params, None)
            return
        call, ruling = self._task(id)
        job = partial(self._inside, call, ruling, params)
        self._work(message, job, partial(self._send, message, "params"))

    def _tell(self, message: Message, member: str, words: Result, call: McpCall | None) -> None:
        job = partial(self._judge.told, call, words)
        work(self._wire, message.line, job, partial(self._send, message, member), quick=True)

    def _send(self, message: Message, member: str, changed: Result | None) -> None:
        self._wire.to_client(as_judged(message, {} if changed is None else {member: changed}))

    def _task(self, id: object) -> tuple[McpCall, Ruling]:
        return self._tasks.get(str(id), (_unknown(self._server, str(id)), UNJUDGED))

    def _remember(self, task: str, trip: Trip) -> None:
        self._tasks[task] = (trip.call, trip.ruling)
        if len(self._tasks) > MOST_TASKS:
            del self._tasks[next(iter(self._tasks))]

    # --- results ---

    def _judged(self, call: McpCall, ruling: Ruling, message: Message) -> None:
        failed = message.members.get("error")
        if message.result is None and isinstance(failed, dict):
            self._judge.dropped(ruling)
            self._tell(message, "error", failed, call)
            return
        job = partial(self._after, call, ruling, message.result or {})
        self._work(message, job, partial(self._send, message, "result"))

    def _after(self, call: McpCall, ruling: Ruling, result: Result) -> Result | None:
        if result.get("resultType", "complete") != "complete":
            result = {key: value for key, value in result.items() if key != "resultType"}
        schema = self._offers.schema(call.name) if call.method == "tools/call" else None
        return self._judge.after(call, ruling, result, schema=schema)

    def _judged_inside(self, call: McpCall, ruling: Ruling, message: Message) -> None:
        if message.result is None:
            self._judged(call, ruling, message)
            return
        job = partial(self._inside, call, ruling, message.result)
        self._work(message, job, partial(self._send, message, "result"))

    def _inside(self, call: McpCall, ruling: Ruling, state: Result) -> Result | None:
        """Of what is said of a task: the result in it is judged as one, and the rest is looked through."""
        changes: dict[str, object] = {}
        rest = dict(state)
        for key, judge in (("result", self._after), ("task", self._inside)):
            inner = state.get(key)
            if isinstance(inner, dict):
                del rest[key]
                changed = judge(call, ruling, inner)
                changes |= {} if changed is None else {key: changed}
        told = self._judge.told(call, rest)
        if told is None and not changes:
            return None
        return {**state, **(told or {}), **changes}

    # --- what the server wants first ---

    def _wanted(self, trip: Trip, message: Message, result: Result) -> None:
        wanted = {key: self._demand(trip.call, each) for key, each in _wanted_in(result).items()}
        until = self._wire.now() + SECONDS
        conversation = Conversation(wanted=wanted, approved=trip.approved, until=until)
        self.calling.repeats.remember(trip.call, result.get("requestState"), conversation)
        trip = trip.replace(held=self._flights.hold(trip.call.id), message=message)
        job = partial(self._strictest, list(wanted.values()))
        self._work(message, job, partial(self._demanded, trip, result))

    def _demanded(self, trip: Trip, result: Result, ruled: tuple[McpCall, Ruling]) -> None:
        subject, ruling = ruled
        if ruling.goes_on:
            if self._flights.settle(trip.call.id, trip.held):
                self._wire.to_client(as_judged(trip.message, {}))
        elif ruling.decision is Decision.ASK:
            self.calling.ask(trip.replace(subject=subject, ruling=ruling, kept=result))
        else:
            self.calling.refuse(trip, ruling.text)

    def _demand(self, call: McpCall, wanted: Result) -> McpCall:
        params = wanted.get("params")
        return McpCall(
            server=self._server,
            method=str(wanted.get("method")),
            name="",
            arguments=params if isinstance(params, dict) else {},
            meta=call.meta,
            id=call.id,
        )

    def _strictest(self, calls: list[McpCall]) -> tuple[McpCall, Ruling]:
        ruled = [(call, self._judge.before(call)) for call in calls]
        return max(ruled, key=lambda each: each[1].decision, default=(_unknown(self._server, ""), UNJUDGED))

    def _work(self, message: Message, job: Callable[[], T], then: Callable[[T], None]) -> None:
        work(self._wire, message.line, job, then, quick=self._judge.quick)


def _task_id(result: Result) -> str:
    """Of a result that is a task: at its top since 2026-07-28, a member of its own before."""
    task = result.get("task")
    holder = task if isinstance(task, dict) else result if result.get("resultType") == "task" else {}
    id = holder.get("taskId")
    return id if isinstance(id, str) else ""


def _wanted_in(result: Result) -> dict[str, Result]:
    wanted = result.get("inputRequests")
    if not isinstance(wanted, dict):
        return {}
    return {key: each for key, each in wanted.items() if isinstance(each, dict)}


def _unknown(server: str, task: str) -> McpCall:
    """In the place of a call that this door has not seen."""
    return McpCall(server=server, method="tasks/result", name=task, arguments={}, meta={}, id=task)
