"""Kimi Code and Kimi CLI: exit code 2 refuses, and keeps a turn going once; no other answer is read."""

from __future__ import annotations

from fairlead.dialects.agents.exit_codes.exit_code_answers import say_plainly
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_fields import Payload, text
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import SECONDS, HookFile, Setup
from fairlead.model.tool_call import ToolKind

KINDS = {
    "Shell": ToolKind.SHELL,
    "Bash": ToolKind.SHELL,
    "Read": ToolKind.READ,
    "ReadFile": ToolKind.READ,
    "ReadMediaFile": ToolKind.READ,
    "Write": ToolKind.WRITE,
    "WriteFile": ToolKind.WRITE,
    "Edit": ToolKind.EDIT,
    "StrReplaceFile": ToolKind.EDIT,
    "Glob": ToolKind.LIST,
    "Grep": ToolKind.SEARCH,
    "FetchURL": ToolKind.FETCH,
    "SearchWeb": ToolKind.WEB_SEARCH,
    "Task": ToolKind.SUBAGENT,
    "Agent": ToolKind.SUBAGENT,
    "AgentSwarm": ToolKind.SUBAGENT,
    "Skill": ToolKind.SKILL,
    "SetTodoList": ToolKind.TODO,
    "TodoList": ToolKind.TODO,
    "AskUserQuestion": ToolKind.ASK_USER,
}

_EVENTS = {
    "PreToolUse": Can(),
    "PostToolUse": INFORM,
    "PostToolUseFailure": INFORM,
    "UserPromptSubmit": Can(context=True),
    "SessionStart": INFORM,
    "SessionEnd": INFORM,
    "Stop": Can(turn_end=True),
    "StopFailure": INFORM,
    "SubagentStart": INFORM,
    "SubagentStop": INFORM,
    "PreCompact": INFORM,
    "PostCompact": INFORM,
    "Notification": INFORM,
}


def _with_whole_prompt(payload: dict[str, object], _: str) -> Payload:
    """A prompt may be a list of parts, of which some are text."""
    parts = payload.get("prompt")
    if not isinstance(parts, list):
        return payload
    said = [text(part, "text") if isinstance(part, dict) else part for part in parts]
    return {**payload, "prompt": "\n".join(part for part in said if isinstance(part, str) and part)}


DIALECT = ComposedDialect(
    Layout(
        "kimi",
        KINDS,
        call=("tool_call_id",),
        error=("error", "error_message"),
        subagent=("agent_id", "agent_name"),
        flatten=_with_whole_prompt,
    ),
    _EVENTS,
    say_plainly,
)

# as it sends its calls

_PAYLOAD = {
    "hook_event_name": "<event>",
    "session_id": "<session>",
    "cwd": "<cwd>",
    "tool_name": "<tool>",
    "tool_input": "<input>",
    "tool_call_id": "<call>",
}
CALLS = (
    SentCall("Bash Shell", {"command": "<command>"}, _PAYLOAD),
    SentCall("Read ReadFile ReadMediaFile", {"path": "<path>"}, _PAYLOAD),
    SentCall("Write WriteFile", {"path": "<path>", "content": "<content>"}, _PAYLOAD),
    SentCall("Edit", {"path": "<path>", "old_string": "<old>", "new_string": "<content>"}, _PAYLOAD),
    SentCall("StrReplaceFile", {"path": "<path>", "edit": {"old": "<old>", "new": "<content>"}}, _PAYLOAD),
    SentCall("StrReplaceFile", {"path": "<path>", "edit": [{"old": "<old>", "new": "<content>"}]}, _PAYLOAD),
    SentCall("Grep Glob", {"pattern": "<query>", "path": "<path>"}, _PAYLOAD),
    SentCall("FetchURL", {"url": "<url>"}, _PAYLOAD),
    SentCall("mcp__<server>__<name>", "<arguments>", _PAYLOAD),
)

# as it is set up

SETUP = Setup(
    (
        HookFile(".kimi-code", "config.toml", variable="KIMI_CODE_HOME", form="toml tables"),
        # Kimi CLI kept its settings in a folder that Kimi Code does not read; it may still be in use.
        HookFile(".kimi", "config.toml", form="toml tables", read="with folder"),
    ),
    ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop"),
    entry={"event": "<event>", "timeout": SECONDS, "command": "<command>"},
    programs=("kimi",),
    folders=(".kimi-code", ".kimi"),
    tried="2.1.0",
    unseen="only exit codes; failures let the tool run, and one wrong entry drops every hook",
)
