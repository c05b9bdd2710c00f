"""Which kind of tool a native name means, and which part of an MCP name is the server."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.dialects.reading import Payload
from fairlead.model.tool_call import ToolCall, ToolKind, kind_by_shape

Kinds = Mapping[str, ToolKind]


def unlisted_call(name: str, tool_input: Payload, *, id: str = "") -> ToolCall:
    """A tool that the dialect does not list: an `mcp__server__tool`, or whatever its input looks like."""
    server, tool = mcp_parts(name)
    if tool:
        return mcp_call(name, tool_input, server=server, tool=tool, id=id)
    return ToolCall(name, tool_input, _unlisted_kind(name, tool_input), id)


_CHANGING = re.compile(
    r"delete|remove|unlink|trash|move|rename|write|edit|create|save|update|replace", re.IGNORECASE
)


def _unlisted_kind(name: str, tool_input: Payload) -> ToolKind:
    """A path alone looks like reading; a name that says otherwise is for the guards to weigh."""
    kind = kind_by_shape(tool_input)
    return ToolKind.OTHER if kind is ToolKind.READ and _CHANGING.search(name) else kind


def mcp_call(name: str, tool_input: Payload, *, server: str, tool: str, id: str = "") -> ToolCall:
    return ToolCall(name, tool_input, ToolKind.MCP, id, server, tool)


def mcp_parts(name: str) -> tuple[str, str]:
    """`mcp__server__tool` in two; a server's name may hold single underscores, a tool's may hold any."""
    if not name.startswith("mcp__"):
        return "", ""
    server, _, tool = name.removeprefix("mcp__").partition("__")
    return server, tool
