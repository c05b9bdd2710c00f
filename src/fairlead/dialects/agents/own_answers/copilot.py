"""Copilot CLI: two payload shapes, chosen by how the event's name is spelled in the settings, and one answer.

`preToolUse` gives camelCase fields and no event name; `PreToolUse` (also from Claude's own settings files,
which Copilot reads) gives Claude's fields. Tried under either name: the flat answer is understood at every
event, and only JSON carries a reason to the model, never stderr.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import INFORM, Act, Can, Intent, intend
from fairlead.dialects.payloads.payload_fields import Payload
from fairlead.dialects.payloads.payload_layout import Layout, read_event
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import SECONDS, HookFile, Setup, Switch
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, EventName, event_named
from fairlead.model.tool_call import ToolKind
from fairlead.model.verdict import Reply, Verdict

KINDS = {
    "bash": ToolKind.SHELL,
    "powershell": ToolKind.SHELL,
    "Bash": ToolKind.SHELL,
    "view": ToolKind.READ,
    "Read": ToolKind.READ,
    "create": ToolKind.WRITE,
    "Write": ToolKind.WRITE,
    "edit": ToolKind.EDIT,
    "Edit": ToolKind.EDIT,
    "str_replace_editor": ToolKind.EDIT,
    "apply_patch": ToolKind.PATCH,
    "glob": ToolKind.LIST,
    "grep": ToolKind.SEARCH,
    "rg": ToolKind.SEARCH,
    "web_fetch": ToolKind.FETCH,
    "web_search": ToolKind.WEB_SEARCH,
    "task": ToolKind.SUBAGENT,
    "ask_user": ToolKind.ASK_USER,
    "update_todo": ToolKind.TODO,
}


def _mcp(_: Payload, name: str) -> tuple[str, str]:
    """`server-tool` before the call, `server/tool` in the request for permission."""
    if name in KINDS:
        return "", ""
    separator = "/" if "/" in name else "-"
    server, _found, tool = name.rpartition(separator)
    return (server, tool) if server else ("", "")


_TURN_END = Can(turn_end=True)
EVENTS: Mapping[str, Can] = {
    "preToolUse": Can(ask=True, approve=True, rewrite=True),
    "permissionRequest": Can(asks_itself=True, approve=True, halt=True),
    "postToolUse": Can(context=True, redact=True),
    "postToolUseFailure": INFORM.replace(context=True),
    "userPromptSubmitted": Can(context=True),
    "userPromptTransformed": INFORM,
    "sessionStart": INFORM.replace(context=True),
    "sessionEnd": INFORM,
    "agentStop": _TURN_END,
    "subagentStart": INFORM.replace(context=True),
    "subagentStop": _TURN_END,
    "preCompact": INFORM,
    "errorOccurred": INFORM,
    "notification": INFORM,
}

_PASCAL = {
    "PreToolUse": EVENTS["preToolUse"],
    "PermissionRequest": EVENTS["permissionRequest"],
    "PostToolUse": EVENTS["postToolUse"].replace(redact=False),
    "PostToolUseFailure": EVENTS["postToolUseFailure"],
    "UserPromptSubmit": EVENTS["userPromptSubmitted"],
    "SessionStart": EVENTS["sessionStart"],
    "SessionEnd": EVENTS["sessionEnd"],
    "Stop": EVENTS["agentStop"],
    "SubagentStart": EVENTS["subagentStart"],
    "SubagentStop": EVENTS["subagentStop"],
    "PreCompact": EVENTS["preCompact"],
    "Notification": EVENTS["notification"],
}

_LAYOUT = Layout(
    "copilot",
    KINDS,
    event=("hookName", "hook_event_name"),
    session=("sessionId", "session_id"),
    tool=("toolName", "tool_name"),
    input=("toolArgs", "toolInput", "tool_input"),
    result=("toolResult", "tool_result", "tool_response"),
    transcript=("transcriptPath", "transcript_path"),
    root_variables=("COPILOT_PROJECT_DIR",),
    subagent=("agentId", "agentName"),
    mcp=_mcp,
    version=lambda _, environment: environment.get("COPILOT_CLI_BINARY_VERSION", ""),
)


class CopilotDialect:
    name = "copilot"
    events = (*EVENTS, *_PASCAL)

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        return read_event(_LAYOUT, raw, native_event=native_event, environment=environment)

    def render(self, event: Event, verdict: Verdict) -> Reply:
        return _reply(event, intend(event, verdict, self.abilities(event.native_name)))

    def last_resort(self, native_event: str) -> Reply:
        event = event_named(native_event)
        if event not in GATING:
            return Reply()
        return self.render(Event(event, native_event, self.name), answer_words.unanswered())

    def abilities(self, native_event: str) -> Can:
        return EVENTS.get(native_event) or _PASCAL.get(native_event) or Can()


def _reply(event: Event, intent: Intent) -> Reply:
    answer: dict[str, object] = {}
    if intent.context:
        answer["additionalContext"] = intent.context
    if event.name is EventName.BEFORE_TOOL:
        return _gate(answer, intent)
    if event.name is EventName.TOOL_PERMISSION:
        return _permission(answer, intent)
    if intent.refuses:
        answer["decision"], answer["reason"] = "block", intent.words
    if event.name is EventName.AFTER_TOOL and (intent.refuses or intent.output is not None):
        words = intent.words if intent.refuses else answer_words.as_text(intent.output)
        answer["modifiedResult"] = _result(event, words)
    return answer_words.reply(answer, stderr=intent.words if intent.refuses else "", degraded=intent.note)


def _gate(answer: dict[str, object], intent: Intent) -> Reply:
    words = {Act.REFUSE: "deny", Act.ASK: "ask", Act.APPROVE: "allow"}
    if intent.act in words:
        answer["permissionDecision"] = words[intent.act]
        if intent.words:
            answer["permissionDecisionReason"] = intent.words
    if intent.input is not None:
        answer["modifiedArgs"] = dict(intent.input)
    refused = intent.words if intent.refuses else ""
    return answer_words.reply(
        answer, exit_code=2 if intent.refuses else 0, stderr=refused, degraded=intent.note
    )


def _permission(answer: dict[str, object], intent: Intent) -> Reply:
    if intent.refuses:
        answer["behavior"], answer["message"] = "deny", intent.words
        if intent.halt:
            answer["interrupt"] = True
        return answer_words.reply(answer, exit_code=2, stderr=intent.words, degraded=intent.note)
    if intent.act is Act.APPROVE:
        answer["behavior"] = "allow"
    return answer_words.reply(answer, degraded=intent.note)


def _result(event: Event, words: str) -> dict[str, object]:
    given = event.result.output if event.result is not None else None
    kept = dict(given) if isinstance(given, Mapping) else {"resultType": "success"}
    return {**kept, "textResultForLlm": words}


DIALECT = CopilotDialect()

# as it sends its calls

_PAYLOAD = {
    "sessionId": "<session>",
    "timestamp": 0,
    "cwd": "<cwd>",
    "toolName": "<tool>",
    "toolArgs": "<input>",
}
_AS_CLAUDE = {
    "hook_event_name": "PreToolUse",
    "session_id": "<session>",
    "timestamp": "1970-01-01T00:00:00Z",
    "cwd": "<cwd>",
    "tool_name": "<tool>",
    "tool_input": "<input>",
}
CALLS = (
    SentCall("bash powershell", {"command": "<command>"}, _PAYLOAD),
    SentCall("view", {"path": "<path>"}, _PAYLOAD),
    SentCall("create", {"path": "<path>", "file_text": "<content>"}, _PAYLOAD),
    SentCall("edit", {"path": "<path>", "old_str": "<old>", "new_str": "<content>"}, _PAYLOAD),
    SentCall(
        "str_replace_editor", {"command": "create", "path": "<path>", "file_text": "<content>"}, _PAYLOAD
    ),
    SentCall("apply_patch", {"input": "<patch>"}, _PAYLOAD),
    SentCall("grep rg glob", {"pattern": "<query>", "path": "<path>"}, _PAYLOAD),
    SentCall("web_fetch", {"url": "<url>"}, _PAYLOAD),
    SentCall("<server>-<name>", "<arguments>", _PAYLOAD),
    SentCall("Bash", {"command": "<command>"}, _AS_CLAUDE),
    SentCall("Read", {"path": "<path>"}, _AS_CLAUDE),
    SentCall("Write", {"path": "<path>", "file_text": "<content>"}, _AS_CLAUDE),
    SentCall("Edit", {"path": "<path>", "old_str": "<old>", "new_str": "<content>"}, _AS_CLAUDE),
    SentCall("<server>-<name>", "<arguments>", _AS_CLAUDE),
)

# as it is set up

_OFF = ("disableAllHooks",)
SETUP = Setup(
    (
        HookFile(
            ".copilot",
            "hooks/fairlead.json",
            ".github/hooks/fairlead.json",
            "COPILOT_HOME",
            form="own document",
        ),
    ),
    (
        "preToolUse",
        "permissionRequest",
        "postToolUse",
        "postToolUseFailure",
        "userPromptSubmitted",
        "sessionStart",
        "sessionEnd",
        "agentStop",
        "subagentStart",
        "subagentStop",
        "notification",
    ),
    entry={"type": "command", "bash": "<command>", "timeoutSec": SECONDS},
    document={"version": 1, "hooks": "<by event>"},
    programs=("copilot",),
    folders=(".copilot",),
    tried="1.0.102",
    broken="refused",  # but for one that takes too long
    reason_by_json=True,
    switches=(
        Switch(".claude/settings.json", _OFF, True),
        Switch(".github/copilot/settings.json", _OFF, True),
        Switch(".copilot/settings.json", _OFF, True, of_user=True),
    ),
    reads_too=(("vscode", "user"), ("vscode", "project"), ("claude", "project")),
    unseen="its timeouts always let the tool run; general-purpose subagents tell nothing",
)
