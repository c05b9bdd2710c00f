"""Claude Code: what it sends."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects import claude_reply
from fairlead.dialects.naming import mcp_call, tool_call
from fairlead.dialects.reading import (
    Payload,
    mapping,
    native_name,
    need,
    needed_object,
    needed_text,
    read_object,
    text,
)
from fairlead.model.event import Event, Subagent
from fairlead.model.event_name import EventName, event_named
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.verdict import Reply, Verdict

KINDS = {
    "Bash": ToolKind.SHELL,
    "PowerShell": ToolKind.SHELL,
    "Monitor": ToolKind.SHELL,
    "Read": ToolKind.READ,
    "Write": ToolKind.WRITE,
    "Edit": ToolKind.EDIT,
    "MultiEdit": ToolKind.EDIT,
    "NotebookRead": ToolKind.READ,
    "NotebookEdit": ToolKind.NOTEBOOK,
    "Glob": ToolKind.LIST,
    "LS": ToolKind.LIST,
    "Grep": ToolKind.SEARCH,
    "WebFetch": ToolKind.FETCH,
    "WebSearch": ToolKind.WEB_SEARCH,
    "Agent": ToolKind.SUBAGENT,
    "Task": ToolKind.SUBAGENT,
    "Skill": ToolKind.SKILL,
    "SlashCommand": ToolKind.SKILL,
    "TodoWrite": ToolKind.TODO,
    "TaskCreate": ToolKind.TODO,
    "TaskUpdate": ToolKind.TODO,
    "AskUserQuestion": ToolKind.ASK_USER,
}

TOOL_EVENTS = frozenset(
    {
        EventName.BEFORE_TOOL,
        EventName.TOOL_PERMISSION,
        EventName.TOOL_DENIED,
        EventName.AFTER_TOOL,
        EventName.TOOL_FAILURE,
    }
)

NEEDED: Mapping[EventName, tuple[str, ...]] = {
    EventName.BEFORE_AGENT: ("prompt",),
    EventName.PROMPT_EXPANSION: ("command_name",),
    EventName.TOOL_BATCH: ("tool_calls",),
    EventName.AFTER_TOOL: ("tool_response",),
    EventName.TOOL_FAILURE: ("error",),
    EventName.CONFIG_CHANGE: ("source",),
    EventName.BEFORE_MODEL_SWITCH: ("to_model",),
    EventName.ELICITATION: ("mcp_server_name",),
    EventName.ELICITATION_RESULT: ("mcp_server_name", "action"),
}
"""Without these an event cannot be judged. Claude leaves other fields out at times, which is no fault."""


class ClaudeDialect:
    name = "claude"

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        payload = read_object(raw)
        native = native_name(payload, native_event)
        event = event_named(native)
        need(payload, NEEDED.get(event, ()), native)
        return Event(
            event,
            native,
            self.name,
            session=text(payload, "session_id"),
            root=environment.get("CLAUDE_PROJECT_DIR", ""),
            cwd=text(payload, "cwd"),
            tool=_tool(payload, event, native),
            result=result_of(payload, event),
            prompt=text(payload, "prompt") if "prompt" in payload else None,
            transcript_path=text(payload, "transcript_path"),
            timestamp=text(payload, "timestamp"),
            permission_mode=text(payload, "permission_mode"),
            attended=_attended(environment),
            subagent=subagent_of(payload),
            payload=payload,
            raw=raw,
        )

    def render(self, event: Event, verdict: Verdict) -> Reply:
        return claude_reply.render(event, verdict)

    def last_resort(self, native_event: str) -> Reply:
        return claude_reply.last_resort(native_event)


def _tool(payload: Payload, event: EventName, native: str) -> ToolCall | None:
    if event not in TOOL_EVENTS:
        return None
    name = needed_text(payload, "tool_name", native)
    tool_input = needed_object(payload, "tool_input", native)
    call_id = text(payload, "tool_use_id")
    server = text(mapping(payload, "mcp_server") or {}, "name")
    prefix = f"mcp__{server}__"
    if server and name.startswith(prefix):
        return mcp_call(name, tool_input, server=server, tool=name.removeprefix(prefix), id=call_id)
    return tool_call(name, tool_input, KINDS, id=call_id)


def result_of(payload: Payload, event: EventName) -> ToolResult | None:
    if event is EventName.AFTER_TOOL:
        return ToolResult(payload.get("tool_response"))
    if event is EventName.TOOL_FAILURE:
        return ToolResult(payload.get("tool_response"), ok=False, error=text(payload, "error"))
    if event is EventName.TOOL_BATCH:
        return ToolResult(payload.get("tool_calls"))
    return None


def subagent_of(payload: Payload) -> Subagent | None:
    if "agent_id" not in payload and "agent_type" not in payload:
        return None
    return Subagent(text(payload, "agent_id"), text(payload, "agent_type"))


_ASKS_SINCE = (2, 1, 279)
"""Before this version several users saw `ask` run the tool without a question."""


def _attended(environment: Mapping[str, str]) -> bool | None:
    """Whether a question would reach a person."""
    said = environment.get("CLAUDE_CODE_SESSION_ATTENDED")
    if said is None:
        return None
    version = _version(environment.get("AI_AGENT", ""))
    return said == "1" and (version is None or version >= _ASKS_SINCE)


def _version(agent: str) -> tuple[int, ...] | None:
    """`claude-code_2-1-325_harness` gives (2, 1, 325)."""
    words = agent.split("_")
    numbers = words[1].split("-") if len(words) > 1 else []
    if not numbers or not all(number.isdigit() for number in numbers):
        return None
    return tuple(int(number) for number in numbers)
