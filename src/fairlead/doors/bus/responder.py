"""Answers hook requests that come over a bus: exactly one response to each, whatever it says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fairlead.doors.bus.courier import Courier
from fairlead.doors.bus.messages import (
    REQUEST,
    RESPONSE,
    HookExecutionResponse,
    body_of,
    correlation_id_of,
    read_request,
    rendered,
    request_failure,
    response_of,
)
from fairlead.engine.handler import HookEventHandler
from fairlead.errors import PayloadError
from fairlead.interfaces import Bus
from fairlead.model.failure import Failure, FailureCode, Stage

_LAST_SECONDS = 60.0
"""How long disposing waits for the requests that are under way; hooks have timeouts of their own."""


class Responder:
    """One subscription for its lifetime. A publisher can ask and observe; it can install nothing, and waits
    for no hook, whatever the bus: hooks run on a loop of the responder's own, asynchronous ones too."""

    def __init__(self, bus: Bus, handler: HookEventHandler) -> None:
        self._bus = bus
        self._handler = handler
        self._courier = Courier("fairlead-responder", self._note)
        self.errors: list[Exception] = []
        """What the bus raised when a response was published."""
        self._unsubscribe: Callable[[], None] | None = bus.subscribe(REQUEST, self._on_request)

    def dispose(self) -> None:
        """Answers what came before; requests that come later are not answered. Twice is no harm."""
        unsubscribe, self._unsubscribe = self._unsubscribe, None
        if unsubscribe is not None:
            unsubscribe()
            self._courier.rest(_LAST_SECONDS)

    def _on_request(self, message: object) -> None:
        self._courier.do(partial(self._answer, message))

    async def _answer(self, message: object) -> None:
        self._bus.publish(RESPONSE, rendered(await respond_async(self._handler, message)))

    def _note(self, error: Exception) -> None:
        self.errors = [*self.errors[-99:], error]


def respond(handler: HookEventHandler, message: object) -> HookExecutionResponse:
    """The response to any request, also to one that is none. It never raises."""
    body = body_of(message)
    correlation_id = correlation_id_of(body)
    try:
        request = read_request(body)
        return response_of(correlation_id, handler.fire(request.event_name, request.input))
    except Exception as error:  # noqa: BLE001 - a caller waits: whatever breaks is its answer
        return _failed(handler, correlation_id, body, error)


async def respond_async(handler: HookEventHandler, message: object) -> HookExecutionResponse:
    """The same on an event loop, where a hook may be asynchronous."""
    body = body_of(message)
    correlation_id = correlation_id_of(body)
    try:
        request = read_request(body)
        return response_of(correlation_id, await handler.fire_async(request.event_name, request.input))
    except Exception as error:  # noqa: BLE001 - as above
        return _failed(handler, correlation_id, body, error)


def _failed(
    handler: HookEventHandler, correlation_id: str, body: object, error: Exception
) -> HookExecutionResponse:
    """A request that none of the events took is told to the sinks, as every failure is."""
    if isinstance(error, PayloadError):
        failure = request_failure(error, body)
    else:
        message = f"{type(error).__name__}: {error}"
        failure = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message)
    handler.report(failure)
    return HookExecutionResponse(correlation_id, success=False, error=failure)
