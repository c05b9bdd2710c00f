"""llxprt: Gemini's hooks where only exit code 2 blocks, and no JSON is read beside it."""

from __future__ import annotations

from fairlead.dialects.agents.gemini_family.gemini import EVENTS, GATE, mcp_of, say_without_json_in_a_refusal
from fairlead.dialects.agents.gemini_family.gemini import KINDS as GEMINI_KINDS
from fairlead.dialects.composed_dialect import SpokenDialect
from fairlead.dialects.payloads.payload_fields import Payload
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.model.tool_call import ToolKind

KINDS = {
    **GEMINI_KINDS,
    "ast_edit": ToolKind.EDIT,
    "delete_line_range": ToolKind.EDIT,
    "insert_at_line": ToolKind.EDIT,
    "exa_web_search": ToolKind.WEB_SEARCH,
    "task": ToolKind.SUBAGENT,
    "todo_read": ToolKind.TODO,
    "todo_write": ToolKind.TODO,
}

_EVENTS = {
    name: can.replace(halt=False) if can.refuse and not can.turn_end else can for name, can in EVENTS.items()
}


def _mcp_of(payload: Payload, name: str) -> tuple[str, str]:
    """Its context names the tool as the model does: `mcp__server__tool`."""
    server, tool = mcp_of(payload, name)
    return server, tool.removeprefix(f"mcp__{server}__")


DIALECT = SpokenDialect(
    Layout("llxprt", KINDS, root_variables=("LLXPRT_PROJECT_DIR", "GEMINI_PROJECT_DIR"), mcp=_mcp_of),
    _EVENTS,
    say_without_json_in_a_refusal,
    unknown=GATE,
)
