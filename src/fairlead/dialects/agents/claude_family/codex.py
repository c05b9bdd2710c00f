"""Codex CLI: Claude's events, read strictly. One field that it does not know, and the call runs."""

from __future__ import annotations

from fairlead.dialects.agents.claude_family.claude_answers import ClaudeFamilyDialect, Family, Manners, Way
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import USUAL_PAYLOAD, SentCall
from fairlead.dialects.setup.description import HookFile, Setup, Switch
from fairlead.model.tool_call import ToolKind

KINDS = {
    "Bash": ToolKind.SHELL,
    "shell": ToolKind.SHELL,
    "local_shell": ToolKind.SHELL,
    "exec_command": ToolKind.SHELL,
    "unified_exec": ToolKind.SHELL,
    "apply_patch": ToolKind.PATCH,
    "spawn_agent": ToolKind.SUBAGENT,
    "view_image": ToolKind.READ,
    "read_file": ToolKind.READ,
    "list_dir": ToolKind.LIST,
    "grep_files": ToolKind.SEARCH,
    "web_search": ToolKind.WEB_SEARCH,
    "update_plan": ToolKind.TODO,
    "request_user_input": ToolKind.ASK_USER,
}

_INFORM = Manners(Way.NONE, INFORM)
_TURN_END = Manners(Way.BLOCK, Can(halt=True, message=True, turn_end=True))
_EVENTS = {
    "PreToolUse": Manners(Way.PERMISSION, Can(rewrite=True, context=True, message=True)),
    "PermissionRequest": Manners(Way.REQUEST, Can(asks_itself=True, approve=True)),
    "PostToolUse": Manners(
        Way.BLOCK, Can(context=True, redact=True, halt=True, message=True), output="reason"
    ),
    "UserPromptSubmit": Manners(Way.BLOCK, Can(context=True, halt=True, message=True)),
    "SessionStart": Manners(Way.NONE, INFORM.replace(context=True, message=True)),
    "SessionEnd": _INFORM,
    "SubagentStart": Manners(Way.NONE, INFORM.replace(context=True)),
    "SubagentStop": _TURN_END,
    "Stop": _TURN_END,
    "PreCompact": Manners(Way.EXIT, Can()),
    "PostCompact": _INFORM,
    "PreModelRequest": Manners(Way.EXIT, Can()),
    "PostModelRequest": _INFORM,
    "Interrupt": _INFORM,
    "notify": _INFORM,
}

DIALECT = ClaudeFamilyDialect(
    Layout("codex", KINDS),
    Family("codex", _EVENTS, unknown=Manners(Way.EXIT, Can()), suppress=False, rewrite_needs_allow=True),
)

# as it sends its calls

_PAYLOAD = {**USUAL_PAYLOAD, "turn_id": "<session>", "model": "none"}
CALLS = (
    SentCall("Bash shell local_shell unified_exec", {"command": "<command>"}, _PAYLOAD),
    SentCall("exec_command", {"cmd": "<command>"}, _PAYLOAD),
    SentCall("apply_patch", {"command": "<patch>"}, _PAYLOAD),
    SentCall("apply_patch", {"input": "<patch>"}, _PAYLOAD),
    SentCall("view_image", {"path": "<path>"}, _PAYLOAD),
    SentCall("read_file", {"file_path": "<path>"}, _PAYLOAD),
    SentCall("list_dir", {"dir_path": "<path>"}, _PAYLOAD),
    SentCall("grep_files", {"pattern": "<query>", "path": "<path>"}, _PAYLOAD),
    SentCall("mcp__<server>__<name>", "<arguments>", _PAYLOAD),
)

# as it is set up

_OFF = ("features", "hooks")
SETUP = Setup(
    (HookFile(".codex", "hooks.json", ".codex/hooks.json", "CODEX_HOME"),),
    (
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "UserPromptSubmit",
        "SessionStart",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
    ),
    reviewed_in="config.toml",
    programs=("codex",),
    folders=(".codex",),
    tried="0.166.0",
    started_by="login shell",
    switches=(
        Switch(".codex/config.toml", _OFF, False),
        Switch(".codex/config.toml", _OFF, False, of_user=True),
    ),
    unseen=("hosted web search and input to a running process are not seen; `--disable hooks` runs none"),
)
