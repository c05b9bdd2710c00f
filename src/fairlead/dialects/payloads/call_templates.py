"""Calls made from the templates of an agent's module, and what the templates say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fairlead.dialects.payloads.sent_calls import SentCall

_SLOT = re.compile(r"<(\w+)>")


def slots_of(call: SentCall) -> frozenset[str]:
    return frozenset(_slots_in([call.tools, call.input, call.payload]))


def sent(
    call: SentCall, gate: str, values: Mapping[str, object]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The event and the payload for each of the tools; the event is `gate` unless the payload says so."""
    given = filled(call.input, values)
    for name in call.tools.split():
        more = {"event": gate, "tool": filled(name, values), "input": given}
        payload = {key: filled(value, {**values, **more}) for key, value in call.payload.items()}
        yield _event_in(payload) or gate, payload


def is_like(call: SentCall, tool: str, given: object) -> bool:
    """Whether a call of this tool with this input could be one of these."""
    named = any(_shape_of(name).fullmatch(tool) for name in call.tools.split())
    return named and _fits(call.input, given)


_EVENT_FIELDS = ("hook_event_name", "hookName", "agent_action_name")


def _event_in(payload: Mapping[str, object]) -> str:
    return next((str(payload[field]) for field in _EVENT_FIELDS if payload.get(field)), "")


def _shape_of(name: str) -> re.Pattern[str]:
    return re.compile(".+".join(re.escape(part) for part in _SLOT.sub("\0", name).split("\0")))


def _fits(template: object, value: object) -> bool:
    """The same fields, with values of the same kind; there may be more of them."""
    if template is None or (isinstance(template, str) and _SLOT.fullmatch(template)):
        return value is not None
    if isinstance(template, Mapping):
        return isinstance(value, Mapping) and all(
            key in value and _fits(part, value[key]) for key, part in template.items()
        )
    if isinstance(template, list):
        return isinstance(value, list) and all(_fits(template[-1], part) for part in value)
    return type(template) is type(value)


def filled(template: object, values: Mapping[str, object]) -> object:
    """The template with values in its slots. A slot that is all of a text may become anything."""
    if isinstance(template, Mapping):
        return {key: filled(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [filled(value, values) for value in template]
    if not isinstance(template, str):
        return template
    whole = _SLOT.fullmatch(template)
    if whole is not None:
        return values.get(whole[1], template)
    return _SLOT.sub(lambda slot: str(values.get(slot[1], slot[0])), template)


def _slots_in(template: object) -> Iterator[str]:
    if isinstance(template, Mapping):
        template = list(template.values())
    if isinstance(template, list):
        for part in template:
            yield from _slots_in(part)
    elif isinstance(template, str):
        yield from _SLOT.findall(template)
