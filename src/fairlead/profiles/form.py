"""The event as the originals tell it to a hook: their field names, and their names for tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.model.event import Event
from fairlead.model.event_input import INPUT_FIELDS
from fairlead.model.hook import Outcome
from fairlead.model.hook_input import GEMINI_AGENTS
from fairlead.model.tool_call import GEMINI_NAMES, ToolCall, ToolKind
from fairlead.policy.reading.schema import AGENTS
from fairlead.profiles.neutral import shown_request, shown_response

_UNSAID: Mapping[str, object] = {
    "prompt": "",
    "prompt_response": "",
    "stop_hook_active": False,
    "details": {},
}
"""What the originals always tell, for agents that do not."""


def told_tool(profile: str, event: Event, call: ToolCall) -> str:
    """The name that a hook is told, and that its matcher is asked about."""
    if not _is_foreign(event):
        return call.name
    if call.mcp_server and profile == "gemini":
        return f"mcp_{call.mcp_server}_{call.mcp_tool}"
    if call.kind is ToolKind.SEARCH and profile == "llxprt":
        return "search_file_content"
    return GEMINI_NAMES.get(call.kind, call.name)


def _is_foreign(event: Event) -> bool:
    """Whether another agent speaks, with fields and tools of its own."""
    return event.agent in AGENTS and event.agent not in (*GEMINI_AGENTS, "generic")


def told(profile: str, event: Event, previous: Sequence[Outcome]) -> dict[str, Any]:
    """For a hook's stdin. What an original, or a program of no known agent, sent is told as it came."""
    given = _known(event) if _is_foreign(event) else _sent(event)
    return {**given, **native_words(event), **_base(event), **_current(profile, event, previous)}


def _sent(event: Event) -> dict[str, Any]:
    ours = ("api", "native_source", "native_reason", "native_trigger")
    return {name: value for name, value in event.payload.items() if name not in ours}


def _known(event: Event) -> dict[str, Any]:
    return {
        field.name: event.payload.get(field.name, _UNSAID.get(field.name))
        for field in INPUT_FIELDS.get(event.name, ())
        if field.name in event.payload or field.name in _UNSAID
    }


def native_words(event: Event) -> dict[str, object]:
    """Why a session starts or ends in the caller's own word, also where we know it as `other`."""
    words = {name: event.payload.get(f"native_{name}") for name in ("source", "reason", "trigger")}
    return {name: word for name, word in words.items() if word is not None}


def _base(event: Event) -> dict[str, Any]:
    return {
        "session_id": event.session,
        "transcript_path": event.transcript_path,
        "cwd": event.cwd,
        "hook_event_name": str(event.name),
        "timestamp": event.timestamp,
    }


def _current(profile: str, event: Event, previous: Sequence[Outcome]) -> dict[str, Any]:
    """The call, the result, the prompt and the model call as other hooks have left them."""
    current: dict[str, Any] = {}
    call = event.tool
    if call is not None:
        current |= {"tool_name": told_tool(profile, event, call), "tool_input": dict(call.input)}
        if call.mcp_server and "mcp_context" not in event.payload:
            current["mcp_context"] = {"server_name": call.mcp_server, "tool_name": call.mcp_tool}
    if event.result is not None:
        output = event.result.output
        current["tool_response"] = output if isinstance(output, Mapping) else {"llmContent": output}
    if event.prompt is not None:
        current["prompt"] = event.prompt
    if event.model_request is not None:
        current["llm_request"] = shown_request(event, previous)
    if event.model_response is not None:
        current["llm_response"] = shown_response(event, previous)
    return current


def environment_for(profile: str, event: Event) -> dict[str, str]:
    """The variables that scripts find there; all folders are the working directory, as they are there."""
    if profile == "llxprt":
        return {"LLXPRT_PROJECT_DIR": event.cwd}
    folders = ("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR")
    return {**dict.fromkeys(folders, event.cwd), "GEMINI_SESSION_ID": event.session}
