"""Requests of MCP as the events that a policy speaks of."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import unquote

from fairlead.doors.mcp.calls import McpCall
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook_input import CLAUDE_AGENTS, CLAUDE_NAMES
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.value import Value

BEFORE = {
    "tools/call": EventName.BEFORE_TOOL,
    "resources/read": EventName.BEFORE_RESOURCE,
    "prompts/get": EventName.BEFORE_SERVER_PROMPT,
    "sampling/createMessage": EventName.BEFORE_SAMPLING,
    "elicitation/create": EventName.ELICITATION,
}
AFTER = {
    "tools/call": EventName.AFTER_TOOL,
    "resources/read": EventName.AFTER_RESOURCE,
    "prompts/get": EventName.AFTER_SERVER_PROMPT,
    "sampling/createMessage": EventName.AFTER_SAMPLING,
    "elicitation/create": EventName.ELICITATION_RESULT,
}


class Around(Value):
    """What the events of a door have in common."""

    agent: str
    session: str
    cwd: str
    root: str


def event_before(call: McpCall, around: Around, request: str) -> Event | None:
    """None for what no policy speaks of. `request` is Fairlead's name for it: ids on the wire come again."""
    name = BEFORE.get(call.method)
    if name is None:
        return None
    tool = _tool(call, request)
    return Event(
        name,
        native_name=call.method,
        agent=around.agent,
        session=around.session,
        root=around.root,
        cwd=around.cwd,
        tool=tool,
        prompt=_words(call) if tool is None else None,
        payload=_payload(call, name, tool, around),
        request=request,
    )


def event_after(event: Event, call: McpCall, result: Mapping[str, object]) -> Event:
    """Of the event before it, as that was judged. It is a request of its own, of the same call."""
    name = AFTER[call.method]
    payload = {**event.payload, "hook_event_name": _spelled(name, event.agent)}
    if name is EventName.ELICITATION_RESULT:
        payload |= {"action": result.get("action"), "content": result.get("content")}
    else:
        payload["tool_response"] = result
    ok = result.get("isError") is not True  # what a failed call says is read by the model as well
    return event.replace(
        name=name, result=ToolResult(result, ok=ok), payload=payload, request=os.urandom(16).hex()
    )


def judged_name(server: str, tool: str) -> str:
    """Under which name a policy knows the tool."""
    return f"mcp__{server}__{tool}"


def letters_in(value: object, most: int) -> int:
    """How many letters it has; of one that has more than `most`, any number above that."""
    count, waiting = 0, [value]
    while waiting and count <= most:
        item = waiting.pop()
        if isinstance(item, str):
            count += len(item)
        elif isinstance(item, Mapping):
            waiting += [*item, *item.values()]
        elif isinstance(item, list | tuple):
            waiting += item
            count += len(item)
    return count


def _tool(call: McpCall, id: str) -> ToolCall | None:
    if call.method == "tools/call":
        name = judged_name(call.server, call.name)
        return ToolCall(name, dict(call.arguments), ToolKind.MCP, id, call.server, call.name)
    name = judged_name(call.server, call.method)
    if call.method == "resources/read":
        kind, given = _resource(call.name)
    elif call.method == "prompts/get":
        kind, given = ToolKind.MCP, {"name": call.name, "arguments": dict(call.arguments)}
    else:
        return None
    return ToolCall(name, given, kind, id, call.server, call.method)


_WEB = ("http", "https", "ws", "wss", "ftp", "ftps")
_NOT_READ = re.compile(r"[\t\n\r]")
"""What readers of addresses leave out, wherever it stands. Some also take a backslash for a slash."""
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)


def _resource(uri: str) -> tuple[ToolKind, dict[str, object]]:
    """A resource that is a file is a path, whatever its scheme is called; one of the web is an address."""
    read = _NOT_READ.sub("", uri)
    scheme, rest = _split(read)
    if scheme in _WEB:
        return ToolKind.FETCH, {"uri": uri}
    paths = _paths(scheme, rest)
    if scheme == "file" and "\\" in rest:
        paths += _paths(scheme, rest.replace("\\", "/"))
    if not paths:
        return ToolKind.MCP, {"uri": uri}
    more: dict[str, object] = {"paths": paths[1:]} if len(paths) > 1 else {}
    return ToolKind.READ, {"uri": uri, "file_path": paths[0], **more}


def _split(uri: str) -> tuple[str, str]:
    found = _SCHEME.fullmatch(uri)
    return (found[1].lower(), found[2]) if found else ("", uri)


def _paths(scheme: str, rest: str) -> list[str]:
    """The files that this may mean; none where it means none. Servers read `%2E` as a point, and differ in
    what they make of a host before the path."""
    if not scheme:
        return [unquote(rest)]
    host, slash, path = rest.removeprefix("//").partition("/") if rest.startswith("//") else ("", "", rest)
    path = unquote(re.split(r"[?#]", slash + path)[0])
    path = path[1:] if path.startswith("/~") else path
    if scheme == "file":
        return [path, f"{unquote(host)}{path}"] if host not in ("", "localhost") else [path]
    return [path] if not host and path.startswith(("/", "~")) else []


def _words(call: McpCall) -> str:
    """What is asked, for the person who decides about it and for the record."""
    if call.method == "elicitation/create":
        message = call.arguments.get("message")
        return message if isinstance(message, str) else ""
    messages = call.arguments.get("messages")
    contents = [each.get("content") for each in messages or () if isinstance(each, Mapping)]  # type: ignore[attr-defined]
    parts = [part for content in contents for part in (content if isinstance(content, list) else [content])]
    texts = [part.get("text") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


_ASKED = {
    "message": "message",
    "mode": "mode",
    "url": "url",
    "elicitationId": "elicitation_id",
    "requestedSchema": "requested_schema",
    "messages": "messages",
    "systemPrompt": "system_prompt",
    "includeContext": "include_context",
    "maxTokens": "max_tokens",
    "modelPreferences": "model_preferences",
    "tools": "tools",
}
"""What is told of a server's request, in the spelling of hooks; nothing else, or it could name its own
subject."""


def _payload(call: McpCall, name: EventName, tool: ToolCall | None, around: Around) -> dict[str, object]:
    payload: dict[str, object] = {
        "session_id": around.session,
        "cwd": around.cwd,
        "hook_event_name": _spelled(name, around.agent),
        "mcp_server_name": call.server,
    }
    if tool is not None:
        payload |= {"tool_name": tool.name, "tool_input": tool.input}
        if call.method == "resources/read":
            payload["uri"] = call.name
        return payload
    return payload | {_ASKED[key]: value for key, value in call.arguments.items() if key in _ASKED}


def _spelled(name: EventName, agent: str) -> str:
    return CLAUDE_NAMES.get(name, str(name)) if agent in CLAUDE_AGENTS else str(name)
