"""Antigravity: camelCase, no event name in the payload, and a word for every answer."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import INFORM, Act, Can, intend
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_fields import Payload, mapping
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup
from fairlead.model.event import Event
from fairlead.model.tool_call import ToolKind
from fairlead.model.verdict import Reply, Verdict

KINDS = {
    "run_command": ToolKind.SHELL,
    "send_command_input": ToolKind.SHELL,
    "view_file": ToolKind.READ,
    "view_code_item": ToolKind.READ,
    "view_file_outline": ToolKind.READ,
    "write_to_file": ToolKind.WRITE,
    "replace_file_content": ToolKind.EDIT,
    "multi_replace_file_content": ToolKind.EDIT,
    "list_dir": ToolKind.LIST,
    "find_by_name": ToolKind.LIST,
    "grep_search": ToolKind.SEARCH,
    "codebase_search": ToolKind.SEARCH,
    "read_url_content": ToolKind.FETCH,
    "search_web": ToolKind.WEB_SEARCH,
    "browser_subagent": ToolKind.SUBAGENT,
    "notify_user": ToolKind.ASK_USER,
}

EVENTS: Mapping[str, Can] = {
    "PreToolUse": Can(ask=True),
    "PostToolUse": INFORM,
    "PreInvocation": Can(),
    "PostInvocation": INFORM,
    "SessionStart": INFORM,
    "Stop": Can(turn_end=True),
}


def _flat(payload: dict[str, object], native: str) -> Payload:
    call = mapping(payload, "toolCall")
    if call is None:
        return payload
    given = mapping(call, "args") or {}
    return {
        **payload,
        "tool_name": call.get("name"),
        "tool_input": given,
        "tool_response": payload.get("result"),
        "cwd": given.get("Cwd", ""),
    }


_LAYOUT = Layout(
    "antigravity",
    KINDS,
    session=("conversationId",),
    transcript=("transcriptPath",),
    roots=("workspacePaths",),
    flatten=_flat,
)


def _say(event: Event, verdict: Verdict, can: Can) -> Reply:
    intent = intend(event, verdict, can)
    if not can.refuse:
        return Reply(degraded=intent.note)
    word = {Act.REFUSE: "deny", Act.ASK: "force_ask"}.get(intent.act, "allow")
    answer: dict[str, object] = {"decision": word}
    if intent.words and word != "allow":
        answer["reason"] = intent.words
    # A refusal is said by JSON alone: what this agent makes of an exit code is not known.
    return answer_words.reply(answer, stderr=intent.words if intent.refuses else "", degraded=intent.note)


DIALECT = ComposedDialect(_LAYOUT, EVENTS, _say)

# as it sends its calls

_PAYLOAD = {
    "conversationId": "<session>",
    "workspacePaths": ["<cwd>"],
    "toolCall": {"name": "<tool>", "args": "<input>"},
}
_CHUNK = {"TargetContent": "<old>", "ReplacementContent": "<content>"}
CALLS = (
    SentCall("run_command", {"CommandLine": "<command>", "Cwd": "<cwd>"}, _PAYLOAD),
    SentCall("send_command_input", {"CommandId": "1", "Input": "<typed>"}, _PAYLOAD),
    SentCall("view_file view_file_outline", {"AbsolutePath": "<path>"}, _PAYLOAD),
    SentCall("view_code_item", {"File": "<path>"}, _PAYLOAD),
    SentCall("write_to_file", {"TargetFile": "<path>", "CodeContent": "<content>"}, _PAYLOAD),
    SentCall("replace_file_content", {"TargetFile": "<path>", **_CHUNK}, _PAYLOAD),
    SentCall(
        "replace_file_content multi_replace_file_content",
        {"TargetFile": "<path>", "ReplacementChunks": [_CHUNK]},
        _PAYLOAD,
    ),
    SentCall("grep_search", {"SearchPath": "<path>", "Query": "<query>"}, _PAYLOAD),
    SentCall("find_by_name", {"SearchDirectory": "<path>", "Pattern": "<query>"}, _PAYLOAD),
    SentCall("list_dir", {"DirectoryPath": "<path>"}, _PAYLOAD),
    SentCall("read_url_content", {"Url": "<url>"}, _PAYLOAD),
    SentCall("mcp__<server>__<name>", "<arguments>", _PAYLOAD),
)

# as it is set up

_HANDLER = {"type": "command", "command": "<command>"}
_OF_TOOLS = {"matcher": "*", "hooks": [_HANDLER]}
SETUP = Setup(
    (HookFile(".gemini/config", "hooks.json", ".agents/hooks.json", at=("fairlead",)),),
    ("PreToolUse", "PostToolUse", "SessionStart", "Stop"),
    entry=_HANDLER,  # for one within a group, such an event would run nothing
    entry_of={"PreToolUse": _OF_TOOLS, "PostToolUse": _OF_TOOLS},
    defaults=((("fairlead", "enabled"), True),),
    programs=("antigravity", "agy"),
    folders=(".gemini/antigravity", ".gemini/antigravity-cli"),
    started_by="unknown",
    broken="refused",
    unseen="its hook protocol is known from reports only",
)
