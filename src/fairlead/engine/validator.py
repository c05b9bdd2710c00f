"""Stage 1: does the event have what its name promises?"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.value import Value


class Field(Value):
    """One promised part of an event, under the name that hooks know it by."""

    name: str
    type: type
    filled: bool = False


_TOOL = (Field("tool_name", str, filled=True), Field("tool_input", Mapping))

FIELDS: Mapping[EventName, tuple[Field, ...]] = {
    EventName.BEFORE_TOOL: _TOOL,
    EventName.AFTER_TOOL: _TOOL,
    EventName.TOOL_FAILURE: _TOOL,
    EventName.TOOL_PERMISSION: _TOOL,
    EventName.TOOL_DENIED: _TOOL,
    EventName.BEFORE_AGENT: (Field("prompt", str),),
}


def validate(event: Event) -> Failure | None:
    """The first thing wrong with the event, or None."""
    for field in FIELDS.get(event.name, ()):
        value = _part(event, field.name)
        problem = _problem(field, value)
        if problem:
            return Failure(
                Stage.VALIDATION,
                FailureCode.VALIDATION_FAILURE,
                f"{event.name} input {problem}: {field.name}",
                {"eventName": str(event.name), "field": field.name},
            )
    return None


def _part(event: Event, name: str) -> object:
    if name == "tool_name":
        return event.tool.name if event.tool else None
    if name == "tool_input":
        return event.tool.input if event.tool else None
    return event.prompt


def _problem(field: Field, value: object) -> str:
    if value is None:
        return "missing required field"
    if not isinstance(value, field.type):
        return "has a field of the wrong type"
    if field.filled and not value:
        return "has an empty field"
    return ""
