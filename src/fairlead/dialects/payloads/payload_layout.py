"""Where an agent puts what an event is made of, and one reader for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.dialects.payloads.payload_fields import (
    Payload,
    mapping,
    native_name,
    need,
    needed_object,
    needed_text,
    read_object,
    text,
    texts,
)
from fairlead.model.event import Event, Subagent
from fairlead.model.event_name import EventName, event_named
from fairlead.model.failure import NOTHING
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult, call_named
from fairlead.model.value import Value

TOOL_EVENTS = frozenset(
    {
        EventName.BEFORE_TOOL,
        EventName.TOOL_PERMISSION,
        EventName.TOOL_DENIED,
        EventName.AFTER_TOOL,
        EventName.TOOL_FAILURE,
    }
)
_RESULTS = frozenset({EventName.AFTER_TOOL, EventName.TOOL_FAILURE, EventName.TOOL_BATCH})
_CWD = ("cwd", "Cwd")
_PERMISSION_MODE = ("permission_mode",)

NEEDED: Mapping[EventName, tuple[str, ...]] = {
    EventName.BEFORE_AGENT: ("prompt",),
    EventName.TOOL_BATCH: ("tool_calls",),
    EventName.CONFIG_CHANGE: ("source",),
}
"""Without these an event cannot be judged. Agents leave other fields out at times, which is no fault."""


Kinds = Mapping[str, ToolKind]


class Layout(Value):
    """Field names, first choice first."""

    agent: str
    kinds: Kinds = NOTHING  # type: ignore[assignment]
    event: tuple[str, ...] = ("hook_event_name",)
    session: tuple[str, ...] = ("session_id",)
    tool: tuple[str, ...] = ("tool_name",)
    input: tuple[str, ...] = ("tool_input",)
    call: tuple[str, ...] = ("tool_use_id",)
    result: tuple[str, ...] = ("tool_response", "tool_output")
    error: tuple[str, ...] = ("error",)
    prompt: tuple[str, ...] = ("prompt",)
    transcript: tuple[str, ...] = ("transcript_path",)
    roots: tuple[str, ...] = ()
    """Fields that hold the project's folder, or a list that begins with it."""
    root_variables: tuple[str, ...] = ()
    subagent: tuple[str, str] = ("agent_id", "agent_type")
    needed: Mapping[EventName, tuple[str, ...]] = NEEDED
    meanings: Mapping[str, EventName] = NOTHING  # type: ignore[assignment]
    """Events whose names mean another thing to this agent than to the others."""
    mcp: Callable[[Payload, str], tuple[str, str]] | None = None
    """Splits the name of an MCP tool where `mcp__server__tool` does not."""
    flatten: Callable[[dict[str, object], str], Payload] | None = None
    """A flat view of a payload that nests."""
    turn: tuple[str, ...] = ("turn_id", "prompt_id")
    version: Callable[[Payload, Mapping[str, str]], str] | None = None
    """The agent's version, from the payload or the environment."""
    attended: Callable[[Mapping[str, str]], bool | None] | None = None
    """Whether a question would reach a person, from the environment."""


def read_event(
    layout: Layout,
    raw: bytes,
    *,
    native_event: str,
    environment: Mapping[str, str],
) -> Event:
    payload = read_object(raw)
    native = payload.get(layout.event[0])
    if not isinstance(native, str) or not native:
        native = native_name(payload, native_event, *layout.event)
    fields = layout.flatten(payload, native) if layout.flatten is not None else payload
    name = layout.meanings.get(native) or event_named(native)
    if name in layout.needed:
        need(fields, layout.needed[name], native)
    session, cwd, prompt, transcript, mode, turn, call_id = texts(
        fields,
        (layout.session, _CWD, layout.prompt, layout.transcript, _PERMISSION_MODE, layout.turn, layout.call),
    )
    there = fields.keys()
    return Event(
        name,
        native,
        layout.agent,
        session=session,
        root=_root(layout, fields, environment),
        cwd=cwd or _first_folder(layout, fields),
        tool=_tool(layout, fields, native, call_id) if name in TOOL_EVENTS else None,
        result=_result(layout, fields, name, native) if name in _RESULTS else None,
        prompt=None if there.isdisjoint(layout.prompt) else prompt,
        model_request=mapping(fields, "llm_request") if "llm_request" in there else None,
        model_response=mapping(fields, "llm_response") if "llm_response" in there else None,
        transcript_path=transcript,
        timestamp=_time(fields["timestamp"]) if "timestamp" in there else "",
        permission_mode=mode,
        attended=layout.attended(environment) if layout.attended is not None else None,
        subagent=None if there.isdisjoint(layout.subagent) else _subagent(layout, fields),
        payload=payload,
        raw=raw,
        agent_version=layout.version(fields, environment) if layout.version is not None else "",
        turn=turn,
    )


def _tool(layout: Layout, fields: Payload, native: str, call_id: str) -> ToolCall:
    name, given = fields.get(layout.tool[0]), fields.get(layout.input[0])
    if not isinstance(name, str) or not name:
        name = needed_text(fields, layout.tool, native)
    if not isinstance(given, dict):
        given = needed_object(fields, layout.input, native)
    server, tool = layout.mcp(fields, name) if layout.mcp is not None else ("", "")
    if tool:
        return ToolCall(name, given, ToolKind.MCP, call_id, server, tool)
    kind = layout.kinds.get(name)
    if kind is not None:
        return ToolCall(name, given, kind, call_id)
    return call_named(name, given, id=call_id)


def _result(layout: Layout, fields: Payload, event: EventName, native: str) -> ToolResult:
    if event is EventName.TOOL_BATCH:
        return ToolResult(fields.get("tool_calls"))
    key, failed = _present(layout.result, fields), text(fields, *layout.error)
    if event is EventName.AFTER_TOOL and not failed:
        need(fields, (key,), native)
    return ToolResult(fields.get(key), ok=event is EventName.AFTER_TOOL and not failed, error=failed)


def _present(keys: tuple[str, ...], fields: Payload) -> str:
    for key in keys:
        if key in fields:
            return key
    return keys[0]


def _root(layout: Layout, fields: Payload, environment: Mapping[str, str]) -> str:
    for variable in layout.root_variables:
        if environment.get(variable):
            return environment[variable]
    return _first_folder(layout, fields)


def _first_folder(layout: Layout, fields: Payload) -> str:
    """OpenCode says `/` where there is no repository; nobody's project is the whole machine."""
    for key in layout.roots:
        value = fields.get(key)
        if isinstance(value, list) and value and isinstance(value[0], str):
            return value[0]
        if isinstance(value, str) and value not in ("", "/"):
            return value
    return ""


def _subagent(layout: Layout, fields: Payload) -> Subagent:
    id_key, type_key = layout.subagent
    return Subagent(text(fields, id_key), text(fields, type_key))


def _time(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
