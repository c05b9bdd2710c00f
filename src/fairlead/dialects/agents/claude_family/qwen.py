"""Qwen Code: Claude's events, Gemini's tools. It drops a rewrite; with exit code 2 it reads stderr alone."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.agents.claude_family.claude_answers import ClaudeFamilyDialect, Family, Manners, Way
from fairlead.dialects.agents.gemini_family.gemini import KINDS as GEMINI_KINDS
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.payloads.payload_fields import Payload
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup, Switch
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolKind

_INFORM = Manners(Way.NONE, INFORM)
_CONTEXT = Manners(Way.NONE, INFORM.replace(context=True, message=True))
# Tried: `continue: false` at the end of a turn makes it go on.
_TURN_END = Manners(Way.BLOCK, Can(message=True, turn_end=True))
_EVENTS = {
    "PreToolUse": Manners(Way.PERMISSION, Can(ask=True, approve=True, context=True, message=True)),
    "PermissionRequest": Manners(Way.REQUEST, Can(asks_itself=True, approve=True)),
    "PermissionDenied": _INFORM,
    # Tried: neither a block nor exit code 2 has an effect after a tool; context has.
    "PostToolUse": Manners(Way.CONTEXT, Can(context=True, message=True)),
    "PostToolUseFailure": Manners(Way.CONTEXT, Can(context=True, message=True)),
    "PostToolBatch": _CONTEXT,
    "UserPromptSubmit": Manners(Way.BLOCK, Can(context=True, message=True)),
    "UserPromptExpansion": Manners(Way.BLOCK, Can(context=True, message=True)),
    "SessionStart": _CONTEXT,
    "SessionEnd": _INFORM,
    "SessionDelete": _INFORM,
    "Stop": _TURN_END,
    "StopFailure": _INFORM,
    "SubagentStart": _CONTEXT,
    "SubagentStop": _TURN_END,
    "PreCompact": Manners(Way.BLOCK, Can(message=True)),
    "PostCompact": _INFORM,
    "Notification": _INFORM,
    "MessageDisplay": _INFORM,
    "TodoCreated": Manners(Way.BLOCK, Can(message=True)),
    "TodoCompleted": Manners(Way.BLOCK, Can(message=True)),
    "InstructionsLoaded": _INFORM,
}

KINDS: Mapping[str, ToolKind] = {
    **GEMINI_KINDS,
    "edit": ToolKind.EDIT,
    "todo_write": ToolKind.TODO,
    "task": ToolKind.SUBAGENT,
    "agent": ToolKind.SUBAGENT,
    "skill": ToolKind.SKILL,
    "ask_user_question": ToolKind.ASK_USER,
    "notebook_edit": ToolKind.NOTEBOOK,
}


def _human_prompt(payload: dict[str, object], native: str) -> Payload:
    """The event also fires for every tool result; only `submitted_prompt` is what a person wrote."""
    if native != "UserPromptSubmit" or "prompt" not in payload:
        return payload
    return {**payload, "prompt": payload.get("submitted_prompt") or ""}


DIALECT = ClaudeFamilyDialect(
    Layout(
        "qwen",
        KINDS,
        root_variables=("QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
        flatten=_human_prompt,
        version=lambda _, environment: environment.get("QWEN_CODE_STARTUP_VERSION", ""),
        needed={EventName.BEFORE_AGENT: ("prompt",)},
    ),
    Family("qwen", _EVENTS),
)

# as it sends its calls

CALLS = (
    SentCall("run_shell_command", {"command": "<command>", "is_background": False}),
    SentCall("read_file", {"file_path": "<path>"}),
    SentCall("read_many_files", {"paths": "<paths>"}),
    SentCall("write_file", {"file_path": "<path>", "content": "<content>"}),
    SentCall("edit replace", {"file_path": "<path>", "old_string": "<old>", "new_string": "<content>"}),
    SentCall("notebook_edit", {"notebook_path": "<path>", "new_source": "<content>"}),
    SentCall("grep_search search_file_content glob", {"pattern": "<query>", "path": "<path>"}),
    SentCall("list_directory", {"path": "<path>"}),
    SentCall("web_fetch", {"url": "<url>", "prompt": "read it"}),
    SentCall("mcp__<server>__<name>", "<arguments>"),
)

# as it is set up

SETUP = Setup(
    (HookFile(".qwen", "settings.json", ".qwen/settings.json"),),
    programs=("qwen",),
    folders=(".qwen",),
    tried="0.24.4",
    switches=(Switch(".qwen/settings.json", ("disableAllHooks",), True),),
    unseen=("a later hook of somebody else that says allow overrides a deny; a result cannot be replaced"),
)
