"""Kimi CLI: exit code 2 refuses, and keeps a turn going once; other output is context."""

from __future__ import annotations

from fairlead.dialects.abilities import INFORM, Can
from fairlead.dialects.layout import Layout
from fairlead.dialects.plain import say_plainly
from fairlead.dialects.spoken import SpokenDialect
from fairlead.model.tool_call import ToolKind

KINDS = {
    "Shell": ToolKind.SHELL,
    "Bash": ToolKind.SHELL,
    "ReadFile": ToolKind.READ,
    "WriteFile": ToolKind.WRITE,
    "StrReplaceFile": ToolKind.EDIT,
    "Glob": ToolKind.LIST,
    "Grep": ToolKind.SEARCH,
    "FetchURL": ToolKind.FETCH,
    "SearchWeb": ToolKind.WEB_SEARCH,
    "Task": ToolKind.SUBAGENT,
    "Agent": ToolKind.SUBAGENT,
    "SetTodoList": ToolKind.TODO,
    "AskUserQuestion": ToolKind.ASK_USER,
}

_CONTEXT = INFORM.replace(context=True)
_EVENTS = {
    "PreToolUse": Can(),
    "PostToolUse": INFORM,
    "PostToolUseFailure": INFORM,
    "UserPromptSubmit": Can(context=True),
    "SessionStart": _CONTEXT,
    "SessionEnd": INFORM,
    "Stop": Can(turn_end=True),
    "StopFailure": INFORM,
    "SubagentStart": INFORM,
    "SubagentStop": INFORM,
    "PreCompact": INFORM,
    "PostCompact": INFORM,
    "Notification": INFORM,
}

DIALECT = SpokenDialect(
    Layout(
        "kimi",
        KINDS,
        call=("tool_call_id",),
        error=("error", "error_message"),
        subagent=("agent_id", "agent_name"),
    ),
    _EVENTS,
    say_plainly,
)
