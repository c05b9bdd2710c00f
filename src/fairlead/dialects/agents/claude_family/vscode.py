"""VS Code's own agent ("Local"): Claude's events, camelCase arguments, and `{}` for no opinion."""

from __future__ import annotations

from fairlead.dialects.agents.claude_family.claude_answers import ClaudeFamilyDialect, Family, Manners, Way
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import USUAL_PAYLOAD, SentCall
from fairlead.dialects.setup.description import HANDLER, HookFile, Setup
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
    "SubagentStop": Manners(Way.BLOCK, _TURN_END),
    "Stop": Manners(Way.INNER_BLOCK, _TURN_END),
    "PreCompact": Manners(Way.NOTICE, INFORM.replace(halt=True, message=True)),
}

DIALECT = ClaudeFamilyDialect(Layout("vscode", KINDS), Family("vscode", _EVENTS, neutral=b"{}\n"))

# as it sends its calls

_PAYLOAD = {**USUAL_PAYLOAD, "timestamp": "1970-01-01T00:00:00Z"}
_REPLACEMENT = {"filePath": "<path>", "oldString": "<old>", "newString": "<content>"}
CALLS = (
    SentCall("run_in_terminal runTerminalCommand runInTerminal", {"command": "<command>"}, _PAYLOAD),
    SentCall("create_file createFile", {"filePath": "<path>", "content": "<content>"}, _PAYLOAD),
    SentCall("replace_string_in_file", _REPLACEMENT, _PAYLOAD),
    SentCall("multi_replace_string_in_file", {"replacements": [_REPLACEMENT]}, _PAYLOAD),
    SentCall("insert_edit_into_file", {"filePath": "<path>", "code": "<content>"}, _PAYLOAD),
    SentCall("editFiles", {"files": "<paths>"}, _PAYLOAD),
    SentCall("edit_notebook_file", {"filePath": "<path>", "newCode": "<content>"}, _PAYLOAD),
    SentCall("apply_patch", {"input": "<patch>"}, _PAYLOAD),
    SentCall("read_file readFile", {"filePath": "<path>"}, _PAYLOAD),
    SentCall("list_dir", {"path": "<path>"}, _PAYLOAD),
    SentCall("grep_search file_search", {"query": "<query>"}, _PAYLOAD),
    SentCall("fetch_webpage fetch", {"urls": ["<url>"]}, _PAYLOAD),
    SentCall("mcp__<server>__<name>", "<arguments>", _PAYLOAD),
)

# as it is set up

SETUP = Setup(
    (
        HookFile(
            ".copilot",
            "hooks/fairlead-vscode.json",
            ".github/hooks/fairlead-vscode.json",
            form="own document",
        ),
    ),
    (
        "PreToolUse",
        "PostToolUse",
        "UserPromptSubmit",
        "SessionStart",
        "SubagentStart",
        "SubagentStop",
        "Stop",
    ),
    entry=HANDLER,
    document={"hooks": "<by event>"},
    programs=("code",),
    folders=(".vscode",),
    reads_too=(("copilot", "user"), ("copilot", "project"), ("claude", "user"), ("claude", "project")),
    unseen="matchers are ignored; a result cannot be replaced",
)
