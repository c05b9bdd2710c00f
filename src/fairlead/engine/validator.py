"""Stage 1: does the event have what its name promises?"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.event import Event
from fairlead.model.event_input import INPUT_FIELDS, Field
from fairlead.model.event_name import EventName, event_named, known_event_names
from fairlead.model.failure import Failure, FailureCode, Stage


def validate(event: Event) -> Failure | None:
    """The first thing wrong with an event that a door made, or None.

    Agents leave out much that the full input of an event has, so only what all of them send is asked for.
    """
    if type(event.name) is not EventName:
        return unknown_event(event.name)
    tool = event.tool
    for field in INPUT_FIELDS.get(event.name, ()):
        if not field.always:
            continue
        if field.name == "prompt":
            value: object = event.prompt
        else:
            value = tool and (tool.name if field.name == "tool_name" else tool.input)
        plain = dict if field.type is Mapping else field.type
        if value and type(value) is plain:
            continue  # as it nearly always is; a mapping of another kind takes long to tell
        if problem := _problem(field, value):
            return _failure(event.name, problem, field.name)
    return None


def unknown_event(name: object) -> Failure:
    """Whoever misspells an event must not take the silence of its hooks for a yes (law 10)."""
    message, details = f"no event is called {name!r:.100}", {"eventName": str(name)[:100]}
    nearest = _nearest_event(str(name)[:100])
    if nearest is not EventName.OTHER:
        message, details = f"{message}; did you mean {str(nearest)!r}?", {**details, "nearest": str(nearest)}
    return Failure(Stage.VALIDATION, FailureCode.UNSUPPORTED_EVENT, message, details)


def _nearest_event(name: str) -> EventName:
    from difflib import get_close_matches  # only a mistake pays for this import

    known = event_named(name)
    if known is not EventName.OTHER:
        return known  # as some agent spells it
    near = get_close_matches(name, [*EventName, *known_event_names()], n=1, cutoff=0.6)
    return event_named(near[0]) if near else known


def validate_input(event: EventName, given: object) -> Failure | None:
    """The first thing wrong with the whole input of an event, as a caller or the bus hands it over."""
    if not isinstance(given, Mapping):
        return _failure(event, "is not an object", "input")
    for field in INPUT_FIELDS.get(event, ()):
        if not field.required and field.name not in given:
            continue
        if problem := _problem(field, given.get(field.name)):
            return _failure(event, problem, field.name)
    return _mcp_problem(event, given)


def _mcp_problem(event: EventName, given: Mapping[str, object]) -> Failure | None:
    context = given.get("mcp_context")
    if isinstance(context, Mapping) and not _is_filled(context.get("server_name")):
        return _failure(event, "missing required field", "mcp_context.server_name")
    return None


def _is_filled(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _problem(field: Field, value: object) -> str:
    if value is None:
        return "missing required field"
    if not isinstance(value, field.type):
        return "has a field of the wrong type"
    if field.filled and not value:
        return "has an empty field"
    return ""


def _failure(event: EventName, problem: str, field: str) -> Failure:
    return Failure(
        Stage.VALIDATION,
        FailureCode.VALIDATION_FAILURE,
        f"{event} input {problem}: {field}",
        {"eventName": str(event), "field": field},
    )
