"""VS Code's own agent ("Local"): Claude's events, camelCase arguments, and `{}` for no opinion."""

from __future__ import annotations

from fairlead.dialects.agents.claude_family.claude_answers import ClaudeFamilyDialect, Family, Manners, Way
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.model.tool_call import ToolKind

KINDS = {
    "run_in_terminal": ToolKind.SHELL,
    "runTerminalCommand": ToolKind.SHELL,
    "runInTerminal": ToolKind.SHELL,
    "create_file": ToolKind.WRITE,
    "createFile": ToolKind.WRITE,
    "replace_string_in_file": ToolKind.EDIT,
    "multi_replace_string_in_file": ToolKind.EDIT,
    "insert_edit_into_file": ToolKind.EDIT,
    "editFiles": ToolKind.EDIT,
    "edit_notebook_file": ToolKind.NOTEBOOK,
    "apply_patch": ToolKind.PATCH,
    "read_file": ToolKind.READ,
    "readFile": ToolKind.READ,
    "list_dir": ToolKind.LIST,
    "file_search": ToolKind.LIST,
    "grep_search": ToolKind.SEARCH,
    "semantic_search": ToolKind.SEARCH,
    "fetch_webpage": ToolKind.FETCH,
    "fetch": ToolKind.FETCH,
    "runSubagent": ToolKind.SUBAGENT,
    "manage_todo_list": ToolKind.TODO,
}

_INFORM = INFORM.replace(context=True, halt=True, message=True)
_TURN_END = Can(halt=True, message=True, turn_end=True)
_EVENTS = {
    "PreToolUse": Manners(
        Way.PERMISSION, Can(ask=True, approve=True, rewrite=True, context=True, halt=True, message=True)
    ),
    "PostToolUse": Manners(Way.BLOCK, Can(context=True, halt=True, message=True)),
    "UserPromptSubmit": Manners(Way.BLOCK, Can(context=True, halt=True, message=True)),
    "SessionStart": Manners(Way.NOTICE, _INFORM),
    "SubagentStart": Manners(Way.NOTICE, _INFORM),
    "SubagentStop": Manners(Way.INNER_BLOCK, _TURN_END),
    "Stop": Manners(Way.INNER_BLOCK, _TURN_END),
    "PreCompact": Manners(Way.NOTICE, INFORM.replace(halt=True, message=True)),
}

DIALECT = ClaudeFamilyDialect(Layout("vscode", KINDS), Family("vscode", _EVENTS, neutral=b"{}\n"))
