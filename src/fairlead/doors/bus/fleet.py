"""One more guard: the fleet's. It is asked over the bus, and the local policy stands whatever it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from fairlead.doors.bus.connection import Broker
from fairlead.doors.bus.messages import HookExecutionRequest
from fairlead.errors import FairleadError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event import Event
from fairlead.model.event_input import INPUT_FIELDS
from fairlead.model.event_name import ORIGINAL_EVENTS
from fairlead.model.hook import Hook, HookType, Outcome, Run

SECONDS = 2.0


def fleet_hooks(broker: Broker, *, seconds: float = SECONDS, sender: str = "") -> list[Hook]:
    """A guard for every event that the bus knows. Without an answer the local verdict stands (law 2:
    that is what `--bus` promises, and the failure is in the record)."""
    guard = FleetGuard(broker, seconds, sender)
    return [
        Hook(
            "fleet",
            HookType.SAFETY,
            event,
            Run("call", guard),
            timeout=seconds + 1,
            on_error=Decision.CONTINUE,
            layer="bus",
            origin=broker.shown,
        )
        for event in sorted(ORIGINAL_EVENTS)
    ]


class FleetGuard:
    def __init__(self, broker: Broker, seconds: float, sender: str) -> None:
        self._broker = broker
        self._seconds = seconds
        self._sender = sender

    def __call__(
        self, event: Event, config: Mapping[str, object], previous: Sequence[Outcome]
    ) -> Outcome | None:
        from fairlead.doors.bus.nats_bus import ask_once

        request = HookExecutionRequest(
            event.name, input_of(event), event.request or str(uuid4()), self._sender or event.agent
        )
        answer = ask_once(self._broker, request, seconds=self._seconds)
        return fleet_outcome(answer)


def input_of(event: Event) -> dict[str, Any]:
    """The event as the input that its name promises; what an agent did not send is empty."""
    known: dict[str, Any] = dict(event.payload)
    if event.tool is not None:
        known |= {"tool_name": event.tool.name, "tool_input": dict(event.tool.input)}
    if event.result is not None:
        output = event.result.output
        known["tool_response"] = output if isinstance(output, Mapping) else {"output": output}
    if event.prompt is not None:
        known["prompt"] = event.prompt
    empty = {str: "", bool: False, Mapping: {}}
    fields = INPUT_FIELDS.get(event.name, ())
    return {field.name: known.get(field.name, empty[field.type]) for field in fields if field.required}


def fleet_outcome(answer: Mapping[str, Any]) -> Outcome:
    """A fleet may tighten. To take the human out of the loop is the local policy's alone (law 9)."""
    output = answer.get("output")
    if not isinstance(output, Mapping):
        error = answer.get("error") or {}
        raise FairleadError(f"the fleet could not judge: {error.get('message', 'no reason given')}")
    decision = DECISION_WORDS.get(str(output.get("decision")), Decision.BLOCK)
    return Outcome(
        decision=Decision.ALLOW if decision is Decision.APPROVE else decision,
        reason=str(output.get("reason") or ""),
        rule=str(output.get("rule") or ""),
        system_message=str(output.get("systemMessage") or ""),
        additional_context=str(output.get("additionalContext") or ""),
        stop=output.get("shouldStop") is True,
        stop_reason=str(output.get("stopReason") or ""),
    )
