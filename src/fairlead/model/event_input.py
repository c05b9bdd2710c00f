"""What the input of each event has to hold: one table for validation, documentation and tests."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

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
_SERVER = Field("mcp_server_name", str, filled=True)
_ASKED_OF_SERVER = (*_TOOL, _SERVER)
_SAMPLING = (_SERVER, Field("messages", list))

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
    EventName.BEFORE_RESOURCE: (*_ASKED_OF_SERVER, Field("uri", str, filled=True)),
    EventName.AFTER_RESOURCE: (
        *_ASKED_OF_SERVER,
        Field("uri", str, filled=True),
        Field("tool_response", Mapping),
    ),
    EventName.BEFORE_SERVER_PROMPT: _ASKED_OF_SERVER,
    EventName.AFTER_SERVER_PROMPT: (*_ASKED_OF_SERVER, Field("tool_response", Mapping)),
    EventName.BEFORE_SAMPLING: _SAMPLING,
    EventName.AFTER_SAMPLING: (*_SAMPLING, Field("tool_response", Mapping)),
    EventName.ELICITATION: (_SERVER, Field("message", str)),
    EventName.ELICITATION_RESULT: (_SERVER, Field("action", str, filled=True)),
}


class SessionStartSource(StrEnum):
    STARTUP = "startup"
    RESUME = "resume"
    CLEAR = "clear"
    COMPACT = "compact"
    COMPRESS = "compress"
    FORK = "fork"
    OTHER = "other"


class SessionEndReason(StrEnum):
    EXIT = "exit"
    CLEAR = "clear"
    LOGOUT = "logout"
    PROMPT_INPUT_EXIT = "prompt_input_exit"
    RESUME = "resume"
    OTHER = "other"


class CompressTrigger(StrEnum):
    MANUAL = "manual"
    AUTO = "auto"
    OTHER = "other"


KNOWN_WORDS: Mapping[EventName, tuple[str, type[StrEnum]]] = {
    EventName.SESSION_START: ("source", SessionStartSource),
    EventName.SESSION_END: ("reason", SessionEndReason),
    EventName.PRE_COMPRESS: ("trigger", CompressTrigger),
}
"""Words that have a meaning; any other becomes `other`, and the native word stays beside it."""
