"""Answers hook requests that come over a bus: exactly one response to each, whatever it says."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.doors.bus.messages import (
    REQUEST,
    RESPONSE,
    HookExecutionResponse,
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


class Responder:
    """One subscription for its lifetime. A publisher can ask and observe; it can install nothing."""

    def __init__(self, bus: Bus, handler: HookEventHandler) -> None:
        self._bus = bus
        self._handler = handler
        self._unsubscribe: Callable[[], None] | None = bus.subscribe(REQUEST, self._on_request)

    def dispose(self) -> None:
        """Requests that come later are not answered. Disposing twice is no harm."""
        unsubscribe, self._unsubscribe = self._unsubscribe, None
        if unsubscribe is not None:
            unsubscribe()

    def _on_request(self, body: object) -> None:
        if self._unsubscribe is not None:
            self._bus.publish(RESPONSE, rendered(respond(self._handler, body)))


def respond(handler: HookEventHandler, body: object) -> HookExecutionResponse:
    """The response to any request, also to one that is none. It never raises."""
    correlation_id = correlation_id_of(body)
    try:
        request = read_request(body)
        return response_of(correlation_id, handler.fire(request.event_name, request.input))
    except PayloadError as error:
        return HookExecutionResponse(correlation_id, success=False, error=request_failure(error, body))
    except Exception as error:  # noqa: BLE001 - a caller waits: whatever breaks is its answer
        message = f"{type(error).__name__}: {error}"
        failure = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message)
        return HookExecutionResponse(correlation_id, success=False, error=failure)
