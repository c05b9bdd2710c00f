"""Cline: executables named after events, and exit codes that nobody reads.

Its command line ends the whole run at `cancel`, and tells nobody why. So a call that may not run is given
another input there: a command that prints why, or one that the tool does not take, with the reason beside it.
Only an MCP server might act on anything; its calls are cancelled, and so is every refused call while a hook
of somebody else might give it yet another input.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import INFORM, Can, Intent, intend
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.mcp_names import spelled
from fairlead.dialects.payloads.payload_fields import Payload, mapping, parsed_object, text
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.facts import quoted
from fairlead.model.tool_call import ToolKind
from fairlead.model.verdict import Reply, Verdict

KINDS = {
    "execute_command": ToolKind.SHELL,
    "run_commands": ToolKind.SHELL,
    "read_file": ToolKind.READ,
    "read_files": ToolKind.READ,
    "write_to_file": ToolKind.WRITE,
    "new_rule": ToolKind.WRITE,
    "replace_in_file": ToolKind.EDIT,
    "editor": ToolKind.EDIT,
    "apply_patch": ToolKind.PATCH,
    "search_files": ToolKind.SEARCH,
    "search_codebase": ToolKind.SEARCH,
    "list_files": ToolKind.LIST,
    "list_code_definition_names": ToolKind.LIST,
    "browser_action": ToolKind.FETCH,
    "web_fetch": ToolKind.FETCH,
    "fetch_web_content": ToolKind.FETCH,
    "web_search": ToolKind.WEB_SEARCH,
    "access_mcp_resource": ToolKind.MCP,
    "new_task": ToolKind.SUBAGENT,
    "use_subagents": ToolKind.SUBAGENT,
    "spawn_agent": ToolKind.SUBAGENT,
    "team_spawn_teammate": ToolKind.SUBAGENT,
    "team_run_task": ToolKind.SUBAGENT,
    "use_skill": ToolKind.SKILL,
    "skills": ToolKind.SKILL,
    "ask_followup_question": ToolKind.ASK_USER,
    "ask_question": ToolKind.ASK_USER,
}
_CHECKED = frozenset(
    {"read_files", "search_codebase", "fetch_web_content", "apply_patch", "editor", "skills"}
)
"""Tools of the command line that do nothing with an input that lacks their fields."""
_LISTS = {"run_commands": "commands", "read_files": "files", "search_codebase": "queries"}
"""The field that a bare list or text stands for, which these tools take too."""

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
    "tool_call": Can(rewrite=True, context=True, halt=True),
    "tool_result": INFORM.replace(context=True),
    "prompt_submit": INFORM,
    "agent_start": INFORM,
    "agent_resume": INFORM,
    "agent_end": INFORM,
    "agent_abort": INFORM,
    "agent_error": INFORM,
    "session_shutdown": INFORM,
}
_SDK_EVENTS = frozenset(name for name in EVENTS if "_" in name)
"""Those of the command line, which waits for the first two alone."""


def _flat(payload: dict[str, object], native: str) -> Payload:
    """What an event is about stands under a field named like it, with its first letter small."""
    inner = mapping(payload, _INNER.get(native) or native[:1].lower() + native[1:]) or {}
    metadata = mapping(inner, "taskMetadata") or {}
    call = mapping(payload, "tool_call") or mapping(payload, "tool_result") or {}
    name = inner.get("toolName", call.get("name"))
    given: object = _real_input(str(name), call["input"]) if "input" in call else inner.get("parameters")
    fields: dict[str, object] = {**payload, **metadata, **inner}
    if not fields.get("parent_agent_id"):
        fields.pop("agent_id", None)  # that of the agent itself
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


_INNER = {
    "tool_call": "preToolUse",
    "tool_result": "postToolUse",
    "prompt_submit": "userPromptSubmit",
    "agent_start": "taskStart",
    "agent_end": "taskComplete",
}


def _real_input(tool: str, given: object) -> object:
    """Of the call itself: beside it stands another view, in which every value is turned into text."""
    return {_LISTS[tool]: given} if tool in _LISTS and isinstance(given, list | str) else given


_SPELLED = "<server>__<name>"
_split = spelled(_SPELLED)


def _mcp(fields: Payload, name: str) -> tuple[str, str]:
    """In fields of its own, or as `server__tool`."""
    if "server" in fields:
        return str(fields["server"]), name
    server, tool = _split(fields, name)
    return (server, tool) if server != "mcp" else ("", "")


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
    meanings={"agent_start": EventName.SESSION_START, "agent_resume": EventName.SESSION_START},
    version=lambda fields, _: text(fields, "clineVersion"),
)


def _say(event: Event, verdict: Verdict, can: Can) -> Reply:
    intent = intend(event, verdict, can)
    line = _line(_answer(intent, _instead(event, intent)))
    if event.native_name in _SDK_EVENTS:
        line = b"HOOK_CONTROL\t" + line
    stderr = answer_words.said_aloud(intent.words) if intent.refuses else b""
    return Reply(0, line, stderr, intent.note)


def _line(answer: dict[str, object]) -> bytes:
    made = answer_words.reply(answer)
    if made.exit_code:  # it is not JSON, and nobody would look at the exit code
        made = answer_words.reply({"cancel": True, "errorMessage": made.stderr.decode()})
    return made.stdout or b"{}\n"


def _instead(event: Event, intent: Intent) -> dict[str, object] | None:
    """An answer that keeps the call from running and lets the model read why; None where there is none."""
    if not intent.refuses or intent.halt or event.native_name != "tool_call" or event.tool is None:
        return None
    if event.tool.name != "run_commands" and event.tool.name not in _CHECKED:
        return None
    if _may_be_replaced(event):
        return None
    if event.tool.name == "run_commands":
        return {"overrideInput": {"commands": [f"printf '%s\\n' {quoted(intent.words)} >&2; exit 1"]}}
    return {"overrideInput": {"refused": intent.words}, "contextModification": intent.words}


def _may_be_replaced(event: Event) -> bool:
    from fairlead.dialects.setup.cline_neighbours import gates_of_others  # only refusals look at the disk

    return any(True for _ in gates_of_others(event.home, event.root, event.cwd))


def _answer(intent: Intent, instead: dict[str, object] | None) -> dict[str, object]:
    if instead is not None:
        return instead
    answer: dict[str, object] = {}
    if intent.refuses:
        answer["cancel"], answer["errorMessage"] = True, intent.words
    if intent.context:
        answer["contextModification"] = intent.context
    if intent.input is not None:
        answer["overrideInput"] = dict(intent.input)
    return answer


DIALECT = ComposedDialect(_LAYOUT, EVENTS, _say)

# as it sends its calls

_PAYLOAD = {
    "clineVersion": "0",
    "hookName": "tool_call",
    "taskId": "<session>",
    "workspaceRoots": ["<cwd>"],
    "tool_call": {"id": "<call>", "name": "<tool>", "input": "<input>"},
}
_OF_EXTENSION = {
    "clineVersion": "0",
    "hookName": "PreToolUse",
    "taskId": "<session>",
    "workspaceRoots": ["<cwd>"],
    "preToolUse": {"toolName": "<tool>", "parameters": "<input>"},
}
_MCP = {"server_name": "<server>", "tool_name": "<name>", "arguments": "<arguments>"}
CALLS = (
    SentCall("run_commands", {"commands": "<commands>"}, _PAYLOAD),
    SentCall("run_commands", {"commands": ["<command>"]}, _PAYLOAD),
    SentCall("run_commands", "<commands>", _PAYLOAD),
    SentCall("read_files", {"files": [{"path": "<path>"}]}, _PAYLOAD),
    SentCall("editor", {"path": "<path>", "old_text": "<old>", "new_text": "<content>"}, _PAYLOAD),
    SentCall("editor", {"path": "<path>", "new_text": "<content>"}, _PAYLOAD),
    SentCall("execute_command", {"command": "<command>"}, _PAYLOAD),
    SentCall("apply_patch", {"input": "<patch>"}, _PAYLOAD),
    SentCall("search_codebase", {"queries": ["<query>"]}, _PAYLOAD),
    SentCall("fetch_web_content", {"requests": [{"url": "<url>", "prompt": "read it"}]}, _PAYLOAD),
    SentCall(_SPELLED, "<arguments>", _PAYLOAD),
    SentCall("execute_command", {"command": "<command>", "requires_approval": "false"}, _OF_EXTENSION),
    SentCall("read_file", {"path": "<path>"}, _OF_EXTENSION),
    SentCall("write_to_file new_rule", {"path": "<path>", "content": "<content>"}, _OF_EXTENSION),
    SentCall("replace_in_file", {"path": "<path>", "diff": "<content>"}, _OF_EXTENSION),
    SentCall("search_files", {"path": "<path>", "regex": "<query>"}, _OF_EXTENSION),
    SentCall("list_files list_code_definition_names", {"path": "<path>"}, _OF_EXTENSION),
    SentCall("browser_action web_fetch", {"action": "launch", "url": "<url>"}, _OF_EXTENSION),
    SentCall("use_mcp_tool", _MCP, _OF_EXTENSION),
    SentCall("access_mcp_resource", {"server_name": "<server>", "uri": "<url>"}, _OF_EXTENSION),
)

# as it is set up

SETUP = Setup(
    (HookFile("Documents/Cline/Hooks", "", ".clinerules/hooks", form="executables"),),
    ("PreToolUse", "PostToolUse", "UserPromptSubmit", "TaskStart", "TaskResume", "PreCompact"),
    programs=("cline",),
    folders=("Documents/Cline", ".cline"),
    tried="3.0.65",
    unseen=(
        "failures let the tool run; a refused MCP call ends the run without a word, and so "
        "does every refused call beside a hook of somebody else"
    ),
)
