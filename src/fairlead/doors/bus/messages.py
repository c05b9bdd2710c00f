"""The two messages that cross the bus, declared once, and how each looks as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from fairlead.errors import PayloadError
from fairlead.model.decision import Decision
from fairlead.model.event_name import ORIGINAL_EVENTS, EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Outcome
from fairlead.model.processed import ProcessedHookResult, processed
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict
from fairlead.secrets.redact import redact

REQUEST = "HOOK_EXECUTION_REQUEST"
RESPONSE = "HOOK_EXECUTION_RESPONSE"


class HookExecutionRequest(Value):
    """`input` is checked when it is fired, not here: a bad one is answered, not refused."""

    event_name: EventName
    input: object
    correlation_id: str
    sender: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "eventName": str(self.event_name),
            "input": self.input,
            "correlationId": self.correlation_id,
            "sender": self.sender,
        }


class HookExecutionResponse(Value):
    correlation_id: str
    success: bool
    output: ProcessedHookResult | None = None
    error: Failure | None = None

    def as_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"correlationId": self.correlation_id, "success": self.success}
        if self.output is not None:
            body["output"] = output_json(self.output)
        if self.error is not None:
            body["error"] = self.error.as_json()
        return body


def body_of(message: object) -> object:
    """What a message says: our own objects cross a bus as well as their JSON does."""
    return message.as_json() if isinstance(message, HookExecutionRequest) else message


def correlation_id_of(body: object) -> str:
    """The caller's own id, word for word; a fresh one for a request that has none."""
    given = body.get("correlationId") if isinstance(body, Mapping) else None
    return given if isinstance(given, str) and given else str(uuid4())


def sender_of(body: object) -> str:
    """Who says that they sent it, on one line and not too long; what proves it is the broker's affair."""
    given = body.get("sender") if isinstance(body, Mapping) else None
    printable = "".join(letter for letter in given if letter.isprintable()) if isinstance(given, str) else ""
    return printable.strip()[:200]


def read_request(body: object) -> HookExecutionRequest:
    """Raises PayloadError whose code says what kind of request it is not."""
    if not isinstance(body, Mapping):
        raise PayloadError("the request is not an object")
    name, given = body.get("eventName"), body.get("input")
    if not isinstance(name, str) or not name:
        raise PayloadError("the request has no eventName")
    if given is None:
        raise PayloadError("the request has no input")
    event = next((event for event in ORIGINAL_EVENTS if event.value == name), None)
    if event is None:
        raise UnsupportedEventError(
            f"no event is called {name!r}", hint=f"known: {', '.join(sorted(ORIGINAL_EVENTS))}"
        )
    return HookExecutionRequest(event, given, correlation_id_of(body), sender_of(body))


class UnsupportedEventError(PayloadError):
    code = "UNSUPPORTED_EVENT"


def request_failure(error: PayloadError, body: object) -> Failure:
    name = body.get("eventName") if isinstance(body, Mapping) else None
    details = {"eventName": name} if isinstance(name, str) else {}
    return Failure(Stage.VALIDATION, FailureCode(error.code), error.message, details)


def response_of(correlation_id: str, result: ProcessedHookResult) -> HookExecutionResponse:
    """A hook that blocks as it should is a success; the first failure is the error, the rest is in output."""
    aggregated = result.aggregated
    error = aggregated.errors[0] if aggregated.errors else None
    return HookExecutionResponse(correlation_id, aggregated.success, result, error)


def output_json(result: ProcessedHookResult) -> dict[str, Any]:
    aggregated = result.aggregated
    verdict = aggregated.verdict
    return {
        "hookResults": [_outcome_json(outcome) for outcome in aggregated.hook_results],
        "success": aggregated.success,
        "allOutputs": [_outcome_json(outcome) for outcome in aggregated.all_outputs],
        "errors": [failure.as_json() for failure in aggregated.errors],
        "totalDuration": aggregated.total_duration,
        "decision": verdict.decision.word,
        "reason": verdict.reason,
        "rule": verdict.rule,
        "updatedInput": verdict.updated_input,
        "updatedOutput": verdict.updated_output,
        "additionalContext": verdict.additional_context or None,
        "shouldStop": result.should_stop,
        "stopReason": result.stop_reason,
        "systemMessage": result.system_message,
        "suppressOutput": result.suppress_output,
        "extra": dict(verdict.extra),
    }


def rendered(response: HookExecutionResponse) -> dict[str, Any]:
    """The response as it crosses a bus in this process."""
    try:
        return response.as_json()
    except Exception as error:  # noqa: BLE001 - hooks fill results with anything, and a caller waits
        return _unrendered(response, error).as_json()


def encoded(response: HookExecutionResponse) -> bytes:
    """The response as it crosses a network."""
    try:
        return json.dumps(response.as_json(), default=str).encode()
    except Exception as error:  # noqa: BLE001 - as above
        return json.dumps(_unrendered(response, error).as_json()).encode()


def recorded(body: bytes) -> bytes:
    """A response as it may be kept. Who asked gets the input as hooks made it; a record has no secrets."""
    return json.dumps(redact(json.loads(body))).encode()


def _unrendered(response: HookExecutionResponse, error: Exception) -> HookExecutionResponse:
    """What cannot be written is a failure, and blocks what it judged."""
    message = f"the result cannot be written: {type(error).__name__}: {error}"
    failure = Failure(Stage.RENDERING, FailureCode.RENDERING_FAILURE, message)
    judged = response.output.aggregated.verdict if response.output is not None else Verdict()
    blocks = judged.gating or judged.decision.objects
    decision = max(judged.decision, Decision.BLOCK) if blocks else Decision.CONTINUE
    verdict = Verdict(decision, failure.message, "engine", "engine/rendering", failures=(failure,))
    return response_of(response.correlation_id, processed(verdict))


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "hook": outcome.hook,
        "type": str(outcome.type),
        "decision": outcome.decision.word,
        "reason": outcome.reason,
        "rule": outcome.rule,
        "duration": outcome.milliseconds,
        "exitCode": outcome.exit_code,
        "metrics": dict(outcome.metrics),
        "error": outcome.failure.as_json() if outcome.failure else None,
    }
