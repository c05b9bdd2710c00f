"""Cline: executables named after events, `cancel` for a no, and exit codes that nobody reads."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects import wording
from fairlead.dialects.abilities import INFORM, Can, Intent, intend
from fairlead.dialects.layout import Layout
from fairlead.dialects.reading import Payload, mapping, parsed_object, text
from fairlead.dialects.spoken import SpokenDialect
from fairlead.model.event import Event
from fairlead.model.tool_call import ToolKind
from fairlead.model.verdict import Reply, Verdict

KINDS = {
    "execute_command": ToolKind.SHELL,
    "run_commands": ToolKind.SHELL,
    "read_file": ToolKind.READ,
    "write_to_file": ToolKind.WRITE,
    "new_rule": ToolKind.WRITE,
    "replace_in_file": ToolKind.EDIT,
    "editor": ToolKind.EDIT,
    "apply_patch": ToolKind.PATCH,
    "search_files": ToolKind.SEARCH,
    "list_files": ToolKind.LIST,
    "list_code_definition_names": ToolKind.LIST,
    "browser_action": ToolKind.FETCH,
    "web_fetch": ToolKind.FETCH,
    "fetch_web_content": ToolKind.FETCH,
    "web_search": ToolKind.WEB_SEARCH,
    "access_mcp_resource": ToolKind.MCP,
    "new_task": ToolKind.SUBAGENT,
    "use_subagents": ToolKind.SUBAGENT,
    "use_skill": ToolKind.SKILL,
    "ask_followup_question": ToolKind.ASK_USER,
}

EVENTS: Mapping[str, Can] = {
    "PreToolUse": Can(context=True),
    "PostToolUse": INFORM.replace(context=True),
    "UserPromptSubmit": Can(context=True),
    "TaskStart": Can(context=True),
    "TaskResume": Can(context=True),
    "TaskCancel": INFORM,
    "TaskComplete": INFORM,
    "TaskError": INFORM,
    "PreCompact": Can(),
    "Notification": INFORM,
    "SessionShutdown": INFORM,
    "tool_call": Can(rewrite=True, context=True),
    "tool_result": INFORM.replace(context=True),
    "agent_start": Can(context=True),
    "agent_end": INFORM,
}
_SDK_EVENTS = frozenset({"tool_call", "tool_result", "agent_start", "agent_end"})


def _flat(payload: dict[str, object], native: str) -> Payload:
    """What an event is about stands under a field named like it, with its first letter small."""
    inner = mapping(payload, native[:1].lower() + native[1:]) or {}
    metadata = mapping(inner, "taskMetadata") or {}
    call = mapping(payload, "tool_call") or mapping(payload, "tool_result") or {}
    name = inner.get("toolName", call.get("name"))
    given: object = inner.get("parameters", call.get("input"))
    fields: dict[str, object] = {**payload, **metadata, **inner}
    if name == "use_mcp_tool":
        parameters = parsed_object(given) or {}
        fields["server"] = parameters.get("server_name", "")
        name = parameters.get("tool_name", name)
        given = parsed_object(parameters.get("arguments")) or parameters
    for key, value in (("tool_name", name), ("tool_input", given), ("call_id", call.get("id"))):
        if value is not None:
            fields[key] = value
    if "initialTask" in metadata:
        fields["prompt"] = metadata["initialTask"]
    if "result" in inner or "output" in call:
        fields["tool_response"] = inner.get("result", call.get("output"))
        fields["error"] = "the tool failed" if inner.get("success") is False else ""
    return fields


def _mcp(fields: Payload, name: str) -> tuple[str, str]:
    return (str(fields["server"]), name) if "server" in fields else ("", "")


_LAYOUT = Layout(
    "cline",
    KINDS,
    event=("hookName",),
    session=("taskId",),
    call=("call_id",),
    result=("tool_response",),
    roots=("workspaceRoots",),
    mcp=_mcp,
    flatten=_flat,
    version=lambda fields, _: text(fields, "clineVersion"),
)


def _say(event: Event, verdict: Verdict, can: Can) -> Reply:
    intent = intend(event, verdict, can)
    line = _line(_answer(intent))
    if event.native_name in _SDK_EVENTS:
        line = b"HOOK_CONTROL\t" + line
    stderr = wording.said_aloud(intent.words) if intent.refuses else b""
    return Reply(0, line, stderr, intent.note)


def _line(answer: dict[str, object]) -> bytes:
    made = wording.reply(answer)
    if made.exit_code:  # it is not JSON, and nobody would look at the exit code
        made = wording.reply({"cancel": True, "errorMessage": made.stderr.decode()})
    return made.stdout or b"{}\n"


def _answer(intent: Intent) -> dict[str, object]:
    answer: dict[str, object] = {}
    if intent.refuses:
        answer["cancel"], answer["errorMessage"] = True, intent.words
    if intent.context:
        answer["contextModification"] = intent.context
    if intent.input is not None:
        answer["overrideInput"] = dict(intent.input)
    return answer


DIALECT = SpokenDialect(_LAYOUT, EVENTS, _say)
