"""Kiro: exit code 2 before the act; what is printed at the start of a session or a prompt is context."""

from __future__ import annotations

from fairlead.dialects.agents.exit_codes.exit_code_answers import say_plainly
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.mcp_names import spelled
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import SECONDS, HookFile, Setup
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


_MCP = "@<server>/<name>"
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

DIALECT = ComposedDialect(Layout("kiro", KINDS, mcp=spelled(_MCP)), _EVENTS, say_plainly)

# as it sends its calls

CALLS = (
    SentCall("execute_bash executeBash execute_cmd shell", {"command": "<command>"}),
    SentCall("fs_read", {"operations": [{"mode": "Line", "path": "<path>"}]}),
    SentCall("fsRead readFile", {"path": "<path>"}),
    SentCall("fs_write", {"command": "create", "path": "<path>", "file_text": "<content>"}),
    SentCall(
        "fs_write", {"command": "str_replace", "path": "<path>", "old_str": "<old>", "new_str": "<content>"}
    ),
    SentCall("fsWrite", {"path": "<path>", "text": "<content>"}),
    SentCall("strReplace", {"path": "<path>", "oldStr": "<old>", "newStr": "<content>"}),
    SentCall("deleteFile", {"targetFile": "<path>"}),
    SentCall(_MCP, "<arguments>"),
)

# as it is set up

SETUP = Setup(
    (HookFile(".kiro", "hooks/fairlead.json", ".kiro/hooks/fairlead.json", form="own document"),),
    ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"),
    entry={
        "name": "fairlead <event>",
        "trigger": "<event>",
        "action": {"type": "command", "command": "<command>"},
        "timeout": SECONDS,
        "enabled": True,
    },
    document={"version": "v1", "hooks": "<in a list>"},
    programs=("kiro", "kiro-cli"),
    folders=(".kiro",),
    unseen="only exit codes before a tool and a prompt",
)
