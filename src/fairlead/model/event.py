"""One thing that happened or is about to."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.event_name import EventName
from fairlead.model.failure import NOTHING
from fairlead.model.tool_call import ToolCall, ToolResult
from fairlead.model.value import Value


class Subagent(Value):
    id: str = ""
    type: str = ""


class Event(Value):
    """What a door hands to the engine. `raw` is the payload byte for byte, `payload` the same as JSON."""

    name: EventName
    native_name: str = ""
    agent: str = "generic"
    session: str = ""
    root: str = ""
    cwd: str = ""
    tool: ToolCall | None = None
    result: ToolResult | None = None
    prompt: str | None = None
    model_request: Mapping[str, object] | None = None
    model_response: Mapping[str, object] | None = None
    transcript_path: str = ""
    timestamp: str = ""
    permission_mode: str = ""
    attended: bool | None = None
    subagent: Subagent | None = None
    payload: Mapping[str, object] = NOTHING
    raw: bytes = b""
    request: str = ""
    """16 random bytes in hex, made where the call entered and kept through every retry of it."""
    agent_version: str = ""
    turn: str = ""
    """The agent's id of what a person asked for, which all calls that follow from it have in common."""
    canary: bool = False
    """Made by `fairlead doctor`. Only the door that has made sure of it says so; no payload can."""
    home: str = ""
    """HOME in the environment of the caller, where that is another folder than the home of the user."""

    @property
    def subject(self) -> str:
        """What a matcher sees where there is no tool: why a session starts, which notification it is."""
        for field in _SUBJECT_FIELDS:
            value = self.payload.get(field)
            if isinstance(value, str):
                return value
        return ""


_SUBJECT_FIELDS = (
    "source",
    "reason",
    "trigger",
    "notification_type",
    "agent_type",
    "command_name",
    "mcp_server_name",
    "load_reason",
    "error",
)
