"""What the input of each event has to hold: one table for validation, documentation and tests."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.event_name import EventName
from fairlead.model.value import Value


class Field(Value):
    """One field of an input. `filled`: an empty text is as bad as none. `always`: every agent sends it."""

    name: str
    type: type
    filled: bool = False
    required: bool = True
    always: bool = False


_TOOL = (
    Field("tool_name", str, filled=True, always=True),
    Field("tool_input", Mapping, always=True),
    Field("mcp_context", Mapping, required=False),
)
_REQUEST = Field("llm_request", Mapping)

INPUT_FIELDS: Mapping[EventName, tuple[Field, ...]] = {
    EventName.BEFORE_TOOL: _TOOL,
    EventName.AFTER_TOOL: (*_TOOL, Field("tool_response", Mapping)),
    EventName.BEFORE_AGENT: (Field("prompt", str, always=True),),
    EventName.AFTER_AGENT: (
        Field("prompt", str),
        Field("prompt_response", str),
        Field("stop_hook_active", bool),
    ),
    EventName.BEFORE_MODEL: (_REQUEST,),
    EventName.AFTER_MODEL: (_REQUEST, Field("llm_response", Mapping)),
    EventName.BEFORE_TOOL_SELECTION: (_REQUEST,),
    EventName.NOTIFICATION: (
        Field("notification_type", str, filled=True),
        Field("message", str, filled=True),
        Field("details", Mapping),
    ),
    EventName.SESSION_START: (Field("source", str, filled=True),),
    EventName.SESSION_END: (Field("reason", str, filled=True),),
    EventName.PRE_COMPRESS: (Field("trigger", str, filled=True),),
    EventName.TOOL_FAILURE: _TOOL,
    EventName.TOOL_PERMISSION: _TOOL,
    EventName.TOOL_DENIED: _TOOL,
}

KNOWN_WORDS: Mapping[EventName, tuple[str, frozenset[str]]] = {
    EventName.SESSION_START: (
        "source",
        frozenset({"startup", "resume", "clear", "compact", "compress", "fork"}),
    ),
    EventName.SESSION_END: (
        "reason",
        frozenset({"exit", "clear", "logout", "prompt_input_exit", "resume", "other"}),
    ),
    EventName.PRE_COMPRESS: ("trigger", frozenset({"manual", "auto"})),
}
"""Words that have a meaning; any other becomes `other`, and the native word stays beside it."""
