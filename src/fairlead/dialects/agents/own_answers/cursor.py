"""Cursor: one event per kind of act, `permission` for an answer, and a word even for "no opinion".

The installed hooks say `failClosed`, which takes silence for a failure: a gate that has nothing to say says
`allow`.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import INFORM, Act, Can, Intent, intend
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_fields import Payload, text
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import SECONDS, HookFile, Setup
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolKind
from fairlead.model.verdict import Reply, Verdict

KINDS = {
    "Shell": ToolKind.SHELL,
    "Read": ToolKind.READ,
    "Write": ToolKind.WRITE,
    "Edit": ToolKind.EDIT,
    "StrReplace": ToolKind.EDIT,
    "ApplyPatch": ToolKind.PATCH,
    "EditNotebook": ToolKind.NOTEBOOK,
    "Delete": ToolKind.DELETE,
    "Grep": ToolKind.SEARCH,
    "SemanticSearch": ToolKind.SEARCH,
    "Glob": ToolKind.LIST,
    "LS": ToolKind.LIST,
    "WebFetch": ToolKind.FETCH,
    "WebSearch": ToolKind.WEB_SEARCH,
    "Task": ToolKind.SUBAGENT,
    "TodoWrite": ToolKind.TODO,
    "AskQuestion": ToolKind.ASK_USER,
}

EVENTS: Mapping[str, Can] = {
    "preToolUse": Can(approve=True, rewrite=True),
    "beforeShellExecution": Can(ask=True, approve=True),
    "beforeMCPExecution": Can(ask=True, approve=True),
    "beforeReadFile": Can(approve=True),
    "beforeTabFileRead": Can(approve=True),
    "subagentStart": Can(approve=True),
    "beforeSubmitPrompt": Can(),
    "postToolUse": INFORM.replace(context=True, redact=True),
    "postToolUseFailure": INFORM,
    "afterShellExecution": INFORM,
    "afterMCPExecution": INFORM,
    "afterFileEdit": INFORM,
    "afterTabFileEdit": INFORM,
    "afterAgentResponse": INFORM,
    "afterAgentThought": INFORM,
    "sessionStart": INFORM.replace(context=True),
    "sessionEnd": INFORM,
    "preCompact": INFORM.replace(message=True),
    "stop": Can(turn_end=True),
    "subagentStop": Can(turn_end=True),
    "workspaceOpen": INFORM,
}
_PERMISSIONS = frozenset(
    {
        "preToolUse",
        "beforeShellExecution",
        "beforeMCPExecution",
        "beforeReadFile",
        "beforeTabFileRead",
        "subagentStart",
    }
)
_MCP_EVENTS = frozenset({"beforeMCPExecution", "afterMCPExecution"})


def _flat(payload: dict[str, object], native: str) -> Payload:
    """The events that are about one kind of act put its arguments beside everything else."""
    if native in ("beforeShellExecution", "afterShellExecution"):
        given = _only(payload, "command", "cwd")
        return {**payload, "tool_name": "Shell", "tool_input": given, "tool_output": payload.get("output")}
    if native in ("beforeReadFile", "beforeTabFileRead"):
        given = _only(payload, "file_path", "content", "attachments")
        return {**payload, "tool_name": "Read", "tool_input": given}
    if native in _MCP_EVENTS:
        return {**payload, "mcp": True, "tool_output": payload.get("result_json")}
    return payload


def _only(payload: Payload, *keys: str) -> Payload:
    return {key: payload[key] for key in keys if key in payload}


def _mcp(fields: Payload, name: str) -> tuple[str, str]:
    if name.startswith("MCP:"):
        return "", name.removeprefix("MCP:")
    return ("", name) if fields.get("mcp") is True else ("", "")


_LAYOUT = Layout(
    "cursor",
    KINDS,
    session=("conversation_id", "session_id"),
    result=("tool_output",),
    error=("error_message",),
    roots=("workspace_roots",),
    root_variables=("CURSOR_PROJECT_DIR",),
    subagent=("subagent_id", "subagent_type"),
    mcp=_mcp,
    flatten=_flat,
    turn=("generation_id",),
    version=lambda fields, _: text(fields, "cursor_version"),
)


def _say(event: Event, verdict: Verdict, can: Can) -> Reply:
    if can.redact and (event.tool is None or event.tool.kind is not ToolKind.MCP):
        can = can.replace(redact=False)
    intent = intend(event, verdict, can)
    return answer_words.reply(
        _answer(event, intent),
        exit_code=2 if intent.refuses and not can.turn_end else 0,
        stderr=intent.words if intent.refuses else "",
        degraded=intent.note,
    )


def _answer(event: Event, intent: Intent) -> dict[str, object]:
    if event.native_name in _PERMISSIONS or (
        event.native_name not in EVENTS and event.name is EventName.BEFORE_TOOL
    ):
        return _permission(intent)
    answer: dict[str, object] = {}
    if intent.refuses and EVENTS.get(event.native_name, Can()).turn_end:
        answer["followup_message"] = intent.words
    elif intent.refuses:
        answer["continue"], answer["user_message"] = False, intent.words
    if intent.context:
        answer["additional_context"] = intent.context
    if intent.output is not None:
        answer["updated_mcp_tool_output"] = intent.output
    if intent.message:
        answer["user_message"] = intent.message
    return answer


def _permission(intent: Intent) -> dict[str, object]:
    word = {Act.REFUSE: "deny", Act.ASK: "ask"}.get(intent.act, "allow")
    answer: dict[str, object] = {"permission": word}
    if word != "allow":
        answer["user_message"] = answer["agent_message"] = intent.words
    if intent.input is not None:
        answer["updated_input"] = dict(intent.input)
    return answer


DIALECT = ComposedDialect(_LAYOUT, EVENTS, _say)

# as it sends its calls

_ABOUT_ONE_ACT = {
    "hook_event_name": "<event>",
    "conversation_id": "<session>",
    "cursor_version": "0",
    "workspace_roots": ["<cwd>"],
}
_PAYLOAD = {
    **_ABOUT_ONE_ACT,
    "hook_event_name": "preToolUse",
    "cwd": "<cwd>",
    "tool_name": "<tool>",
    "tool_input": "<input>",
    "tool_use_id": "<call>",
}
_OF_SHELL = {
    **_ABOUT_ONE_ACT,
    "hook_event_name": "beforeShellExecution",
    "command": "<command>",
    "cwd": "<cwd>",
}
_OF_READING = {**_ABOUT_ONE_ACT, "hook_event_name": "beforeReadFile", "file_path": "<path>", "content": ""}
_OF_MCP = {
    **_ABOUT_ONE_ACT,
    "hook_event_name": "beforeMCPExecution",
    "tool_name": "<name>",
    "tool_input": "<input>",
    "command": "npx server",
}
CALLS = (
    SentCall("Shell", None, _OF_SHELL),
    SentCall("Shell", {"command": "<command>", "working_directory": "<cwd>"}, _PAYLOAD),
    SentCall("Read", None, _OF_READING),
    SentCall("Read", {"file_path": "<path>"}, _PAYLOAD),
    SentCall("Write", {"file_path": "<path>", "content": "<content>"}, _PAYLOAD),
    SentCall(
        "Edit StrReplace", {"file_path": "<path>", "old_string": "<old>", "new_string": "<content>"}, _PAYLOAD
    ),
    SentCall("ApplyPatch", {"patch": "<patch>"}, _PAYLOAD),
    SentCall("EditNotebook", {"target_notebook": "<path>", "new_string": "<content>"}, _PAYLOAD),
    SentCall("Delete", {"file_path": "<path>"}, _PAYLOAD),
    SentCall("Grep Glob", {"pattern": "<query>", "path": "<path>"}, _PAYLOAD),
    SentCall("WebFetch", {"url": "<url>"}, _PAYLOAD),
    SentCall("MCP:<name>", "<arguments>", _PAYLOAD),
    SentCall("<name>", "<arguments>", _OF_MCP),
)

# as it is set up

_ENTRY = {"command": "<command>", "timeout": SECONDS}
_GATE = {**_ENTRY, "failClosed": True}
SETUP = Setup(
    (HookFile(".cursor", "hooks.json", ".cursor/hooks.json"),),
    (
        "beforeShellExecution",
        "beforeMCPExecution",
        "beforeReadFile",
        "preToolUse",
        "subagentStart",
        "beforeSubmitPrompt",
        "postToolUse",
        "postToolUseFailure",
        "sessionStart",
        "sessionEnd",
        "stop",
    ),
    entry=_ENTRY,
    # Shell and MCP calls are judged at their own events, which can ask; the general one has the others.
    entry_of={
        **dict.fromkeys(_PERMISSIONS, _GATE),
        "preToolUse": {**_GATE, "matcher": "^(?!Shell$|Read$|MCP:).*"},
    },
    defaults=((("version",), 1),),
    programs=("cursor", "cursor-agent"),
    folders=(".cursor",),
    started_by="unknown",  # `failClosed` covers a missing program
    broken="refused if told",
    reads_too=(("claude", "user"), ("claude", "project")),
    unseen=("files that are already open, and the first read-only turns of a cloud agent, are not seen"),
)
