"""Where an agent puts what an event is made of, and one reader for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.dialects.naming import Kinds, mcp_call, tool_call
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
from fairlead.model.failure import NOTHING
from fairlead.model.tool_call import ToolCall, ToolResult
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
_RESULTS = frozenset({EventName.AFTER_TOOL, EventName.TOOL_FAILURE})

NEEDED: Mapping[EventName, tuple[str, ...]] = {
    EventName.BEFORE_AGENT: ("prompt",),
    EventName.TOOL_BATCH: ("tool_calls",),
    EventName.CONFIG_CHANGE: ("source",),
}
"""Without these an event cannot be judged. Agents leave other fields out at times, which is no fault."""


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
    native = native_name(payload, native_event, *layout.event)
    fields = layout.flatten(payload, native) if layout.flatten is not None else payload
    name = event_named(native)
    need(fields, layout.needed.get(name, ()), native)
    return Event(
        name,
        native,
        layout.agent,
        session=text(fields, *layout.session),
        root=_root(layout, fields, environment),
        cwd=text(fields, "cwd", "Cwd") or _first_folder(layout, fields),
        tool=_tool(layout, fields, name, native),
        result=_result(layout, fields, name, native),
        prompt=text(fields, *layout.prompt) if _present(layout.prompt, fields) in fields else None,
        model_request=mapping(fields, "llm_request"),
        model_response=mapping(fields, "llm_response"),
        transcript_path=text(fields, *layout.transcript),
        timestamp=_time(fields.get("timestamp")),
        permission_mode=text(fields, "permission_mode"),
        attended=layout.attended(environment) if layout.attended is not None else None,
        subagent=_subagent(layout, fields),
        payload=payload,
        raw=raw,
        agent_version=layout.version(fields, environment) if layout.version is not None else "",
        turn=text(fields, *layout.turn),
    )


def _tool(layout: Layout, fields: Payload, event: EventName, native: str) -> ToolCall | None:
    if event not in TOOL_EVENTS:
        return None
    name = needed_text(fields, _present(layout.tool, fields), native)
    given = needed_object(fields, _present(layout.input, fields), native)
    call_id = text(fields, *layout.call)
    server, tool = layout.mcp(fields, name) if layout.mcp is not None else ("", "")
    if tool:
        return mcp_call(name, given, server=server, tool=tool, id=call_id)
    return tool_call(name, given, layout.kinds, id=call_id)


def _present(keys: tuple[str, ...], fields: Payload) -> str:
    for key in keys:
        if key in fields:
            return key
    return keys[0]


def _result(layout: Layout, fields: Payload, event: EventName, native: str) -> ToolResult | None:
    if event is EventName.TOOL_BATCH:
        return ToolResult(fields.get("tool_calls"))
    if event not in _RESULTS:
        return None
    key, failed = _present(layout.result, fields), text(fields, *layout.error)
    if event is EventName.AFTER_TOOL and not failed:
        need(fields, (key,), native)
    return ToolResult(fields.get(key), ok=event is EventName.AFTER_TOOL and not failed, error=failed)


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


def _subagent(layout: Layout, fields: Payload) -> Subagent | None:
    id_key, type_key = layout.subagent
    if id_key not in fields and type_key not in fields:
        return None
    return Subagent(text(fields, id_key), text(fields, type_key))


def _time(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
