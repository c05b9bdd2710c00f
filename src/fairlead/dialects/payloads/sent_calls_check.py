"""Whether a dialect reads what its agent's calls carry, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from fairlead.dialects.payloads.call_templates import is_like, sent, slots_of
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.errors import PayloadError
from fairlead.interfaces import Dialect
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.facts import Facts, facts_of
from fairlead.model.tool_call import ToolCall, ToolKind

_FOLDER = "/kit/folder"
_VALUES: Mapping[str, object] = {
    "session": "kit-session",
    "cwd": _FOLDER,
    "call": "kit-call",
    "command": "kit-program --flag",
    "commands": ["kit-program --flag", "kit-other"],
    "typed": "kit-typed",
    "path": f"{_FOLDER}/file.txt",
    "paths": [f"{_FOLDER}/file.txt", f"{_FOLDER}/other.txt"],
    "content": "kit content",
    "old": "before",
    "patch": "*** Begin Patch\n*** Add File: file.txt\n+kit content\n*** End Patch",
    "url": "https://kit.invalid/page",
    "query": "kit query",
    "server": "kitserver",
    "name": "kit_tool",
    "arguments": {"text": "kit argument"},
}

JUDGED = frozenset(
    {
        ToolKind.SHELL,
        ToolKind.READ,
        ToolKind.WRITE,
        ToolKind.EDIT,
        ToolKind.PATCH,
        ToolKind.DELETE,
        ToolKind.NOTEBOOK,
        ToolKind.FETCH,
        ToolKind.MCP,
    }
)
"""What a call of these kinds carries has to be known: it is what guards judge."""


def flaws_in_calls(dialect: Dialect, calls: Iterable[SentCall], *, gate: str) -> Iterator[str]:
    """What is carried and not read, call by call."""
    for call in calls:
        for native, payload in sent(call, gate, _VALUES):
            raw = json.dumps(payload).encode()
            try:
                event = dialect.decode(raw, native_event=native, environment={})
            except PayloadError as error:
                yield f"{call.tools}: it is not read: {error.message}"
                continue
            if event.name is not EventName.BEFORE_TOOL or event.tool is None:
                yield f"{call.tools}: {native} is not read as a call that is about to run"
                continue
            cwd = event.cwd or _FOLDER
            for flaw in _unread(slots_of(call), event.tool, facts_of(event.tool, cwd)):
                yield f"{event.tool.name}: {flaw}"


def unlike_all(event: Event, calls: Iterable[SentCall]) -> bool:
    """Whether this is a call that is judged, and nothing says what its fields carry."""
    tool = event.tool
    if event.name is not EventName.BEFORE_TOOL or tool is None or tool.kind not in JUDGED:
        return False
    if tool.mcp_tool:
        return not any("name" in slots_of(call) for call in calls)
    return not any(is_like(call, tool.name, tool.input) for call in calls)


def _unread(slots: frozenset[str], tool: ToolCall, facts: Facts) -> Iterator[str]:
    if "name" in slots:
        yield from _mcp_flaws(tool)
    paths = {fact.path for fact in facts.paths}
    command, content = facts.command or "", facts.content or ""
    read: Mapping[str, bool] = {
        "command": "kit-program --flag" in command,
        "commands": "kit-program --flag" in command and "kit-other" in command,
        "typed": "kit-typed" in command,
        "path": f"{_FOLDER}/file.txt" in paths,
        "paths": {f"{_FOLDER}/file.txt", f"{_FOLDER}/other.txt"} <= paths,
        "content": "kit content" in content,
        "patch": "kit content" in content and f"{_FOLDER}/file.txt" in paths,
        "url": "https://kit.invalid/page" in (facts.url or ""),
        "query": "kit query" in (facts.query or ""),
    }
    for slot in sorted(slots & read.keys()):
        if not read[slot]:
            yield f"the field that carries <{slot}> is not read"


def _mcp_flaws(tool: ToolCall) -> Iterator[str]:
    if tool.kind is not ToolKind.MCP:
        yield f"it is the tool of a server, and is read as {tool.kind.value}"
    elif tool.mcp_server and (tool.mcp_server, tool.mcp_tool) != ("kitserver", "kit_tool"):
        yield f"server and tool are read as {tool.mcp_server!r} and {tool.mcp_tool!r}"
    elif "kit_tool" not in tool.mcp_tool:
        yield f"the name of the tool is read as {tool.mcp_tool!r}"
