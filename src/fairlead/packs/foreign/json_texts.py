"""Arguments that a tool takes as text: gateways to other tools hand an object over as the JSON of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.model.tool_call import ToolCall

_HOLDERS = ("args", "arguments", "kwargs", "params", "parameters", "input", "inputs", "request", "payload")
_ENDS = ("_json", "Json", "JSON", "json")
_SAID_TO_BE_JSON = {f"{holder}{end}": holder for holder in _HOLDERS for end in _ENDS}
_HOLDING = {**{holder: holder for holder in _HOLDERS if holder != "payload"}, **_SAID_TO_BE_JSON}
"""Key, and the key that its object stands under when it is no text. A payload may be what is merely sent on."""
_LONGEST = 1 << 18
_DEEPEST = 3


def opened(call: ToolCall) -> ToolCall:
    """The call with such objects in the place of their texts."""
    if call.input.keys().isdisjoint(_HOLDING):
        return call
    given = _opened(call.input, _DEEPEST)
    return call if given is call.input else call.replace(input=given)


def _opened(given: Mapping[str, object], depth: int) -> Mapping[str, object]:
    found = {
        key: _opened(inner, depth - 1)
        for key in (given.keys() & _HOLDING.keys() if depth else ())
        if (inner := _object_in(given[key]))
    }
    if not found:
        return given
    named = {_HOLDING[key] if _HOLDING[key] not in given else key: inner for key, inner in found.items()}
    return {**given, **named}


def _object_in(value: object) -> Mapping[str, object]:
    """Empty for what is no object."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, str) or len(value) > _LONGEST or value.lstrip()[:1] != "{":
        return {}
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}
