"""Kiro: exit code 2 before the act; what is printed at the start of a session or a prompt is context."""

from __future__ import annotations

from fairlead.dialects.agents.exit_codes.exit_code_answers import say_plainly
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.composed_dialect import SpokenDialect
from fairlead.dialects.payloads.payload_fields import Payload
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.model.tool_call import ToolKind

KINDS = {
    "execute_bash": ToolKind.SHELL,
    "executeBash": ToolKind.SHELL,
    "execute_cmd": ToolKind.SHELL,
    "shell": ToolKind.SHELL,
    "fs_read": ToolKind.READ,
    "fsRead": ToolKind.READ,
    "readFile": ToolKind.READ,
    "fs_write": ToolKind.WRITE,
    "fsWrite": ToolKind.WRITE,
    "strReplace": ToolKind.EDIT,
    "deleteFile": ToolKind.DELETE,
    "grepSearch": ToolKind.SEARCH,
    "fileSearch": ToolKind.LIST,
    "use_aws": ToolKind.OTHER,
}


def _mcp(_: Payload, name: str) -> tuple[str, str]:
    """`@server/tool`."""
    if not name.startswith("@"):
        return "", ""
    server, _slash, tool = name[1:].partition("/")
    return server, tool


_CONTEXT = INFORM.replace(context=True)
_EVENTS = {
    "PreToolUse": Can(),
    "PostToolUse": INFORM,
    "UserPromptSubmit": Can(context=True),
    "SessionStart": _CONTEXT,
    "Stop": INFORM,
    "PreTaskExec": Can(),
    "PostTaskExec": INFORM,
    "PostFileCreate": INFORM,
    "PostFileSave": INFORM,
    "PostFileDelete": INFORM,
    "Manual": INFORM,
    "preToolUse": Can(),
    "postToolUse": INFORM,
    "userPromptSubmit": Can(context=True),
    "agentSpawn": _CONTEXT,
    "stop": INFORM,
}

DIALECT = SpokenDialect(Layout("kiro", KINDS, mcp=_mcp), _EVENTS, say_plainly)
