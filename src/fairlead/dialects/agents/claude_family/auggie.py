"""Auggie: Claude's answers, where exit code 2 is heard at tools alone and `continue: true` undoes a block."""

from __future__ import annotations

from fairlead.dialects.agents.claude_family.claude_answers import ClaudeFamilyDialect, Family, Manners, Way
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.payloads.payload_fields import Payload, text
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import SLOW_GROUP, HookFile, Setup
from fairlead.model.tool_call import ToolKind, mcp_parts

KINDS = {
    "launch-process": ToolKind.SHELL,
    "write-process": ToolKind.SHELL,
    "save-file": ToolKind.WRITE,
    "str-replace-editor": ToolKind.EDIT,
    "apply_patch": ToolKind.PATCH,
    "view": ToolKind.READ,
    "read-file": ToolKind.READ,
    "remove-files": ToolKind.DELETE,
    "codebase-retrieval": ToolKind.SEARCH,
    "grep-search": ToolKind.SEARCH,
    "web-fetch": ToolKind.FETCH,
    "web-search": ToolKind.WEB_SEARCH,
    "sub-agent": ToolKind.SUBAGENT,
}


def _mcp(payload: Payload, name: str) -> tuple[str, str]:
    """The flag says that it is one; the name is `tool_server` at best, so the server may stay unknown."""
    if payload.get("is_mcp_tool") is not True:
        return "", ""
    server, tool = mcp_parts(name)
    return (server, tool) if tool else (text(payload, "mcp_server_name"), name)


def _flat(payload: dict[str, object], native: str) -> Payload:
    return {**payload, "prompt": payload["user_prompt"]} if "user_prompt" in payload else payload


_INFORM = Manners(Way.NONE, INFORM)
_EVENTS = {
    "PreToolUse": Manners(Way.PERMISSION, Can(rewrite=True, context=True, halt=True, message=True)),
    # Tried: the reason of a JSON block is dropped there; that of exit code 2 reaches the model.
    "PostToolUse": Manners(Way.BLOCK, Can(context=True, halt=True, message=True)),
    "PromptSubmit": Manners(Way.BLOCK, Can(context=True, halt=True, message=True), exit_code=0),
    "SessionStart": Manners(Way.NONE, INFORM.replace(context=True, message=True)),
    "SessionEnd": _INFORM,
    "Stop": Manners(Way.BLOCK, Can(halt=True, message=True, turn_end=True), exit_code=0),
    "Notification": _INFORM,
}

DIALECT = ClaudeFamilyDialect(
    Layout(
        "auggie",
        KINDS,
        session=("conversation_id",),
        result=("tool_output",),
        error=("tool_error", "error"),
        roots=("workspace_roots",),
        root_variables=("AUGMENT_PROJECT_DIR",),
        mcp=_mcp,
        flatten=_flat,
    ),
    Family("auggie", _EVENTS),
)

# as it sends its calls

_PAYLOAD = {
    "hook_event_name": "<event>",
    "conversation_id": "<session>",
    "workspace_roots": ["<cwd>"],
    "tool_name": "<tool>",
    "tool_input": "<input>",
    "is_mcp_tool": False,
}
_ENTRY = {"old_str": "<old>", "new_str": "<content>"}
CALLS = (
    SentCall("launch-process", {"command": "<command>", "wait": True, "cwd": "."}, _PAYLOAD),
    SentCall("write-process", {"terminal_id": 1, "input_text": "<typed>"}, _PAYLOAD),
    SentCall("save-file", {"path": "<path>", "file_content": "<content>"}, _PAYLOAD),
    SentCall(
        "str-replace-editor",
        {"command": "str_replace", "path": "<path>", "str_replace_entries": [_ENTRY]},
        _PAYLOAD,
    ),
    SentCall(
        "str-replace-editor", {"path": "<path>", "old_str_1": "<old>", "new_str_1": "<content>"}, _PAYLOAD
    ),
    SentCall(
        "str-replace-editor",
        {
            "command": "insert",
            "path": "<path>",
            "insert_line_entries": [{"insert_line": 1, "new_str": "<content>"}],
        },
        _PAYLOAD,
    ),
    SentCall("apply_patch", {"input": "<patch>"}, _PAYLOAD),
    SentCall("view read-file", {"path": "<path>"}, _PAYLOAD),
    SentCall("remove-files", {"file_paths": "<paths>"}, _PAYLOAD),
    SentCall("web-fetch", {"url": "<url>"}, _PAYLOAD),
    SentCall("<name>_<server>", "<arguments>", {**_PAYLOAD, "is_mcp_tool": True}),
)

# as it is set up

_EVERY_TOOL = {"matcher": ".*", **SLOW_GROUP}
"""This one matcher is for every tool, those of MCP servers too; others are for the agent's own."""
SETUP = Setup(
    (HookFile(".augment", "settings.json", ".augment/settings.json"),),
    ("PreToolUse", "PostToolUse", "PromptSubmit", "SessionStart", "SessionEnd", "Stop", "Notification"),
    entry=SLOW_GROUP,
    entry_of={"PreToolUse": _EVERY_TOOL, "PostToolUse": _EVERY_TOOL},
    programs=("auggie",),
    folders=(".augment",),
    tried="0.36.0",
    note="Auggie runs hooks only where Augment's service has switched them on for the account",
    unseen=(
        "Augment's service can switch hooks off; with --print, what is said at a prompt, at "
        "the start of a session and at the end of a turn has no effect"
    ),
)
