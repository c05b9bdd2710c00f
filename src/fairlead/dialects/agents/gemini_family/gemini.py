"""Gemini CLI, and what the agents that kept its events share: `decision`, `reason`, JSON read from stderr."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import INFORM, Act, Can, Intent, intend
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_fields import Payload, mapping, text
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import USUAL_PAYLOAD, SentCall
from fairlead.dialects.setup.description import SLOW_GROUP, HookFile, Setup, Switch
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolKind, mcp_parts
from fairlead.model.verdict import Reply, Verdict

KINDS = {
    "run_shell_command": ToolKind.SHELL,
    "read_file": ToolKind.READ,
    "read_many_files": ToolKind.READ,
    "write_file": ToolKind.WRITE,
    "replace": ToolKind.EDIT,
    "list_directory": ToolKind.LIST,
    "glob": ToolKind.LIST,
    "grep_search": ToolKind.SEARCH,
    "search_file_content": ToolKind.SEARCH,
    "web_fetch": ToolKind.FETCH,
    "google_web_search": ToolKind.WEB_SEARCH,
    "web_search": ToolKind.WEB_SEARCH,
    "activate_skill": ToolKind.SKILL,
    "write_todos": ToolKind.TODO,
    "save_memory": ToolKind.OTHER,
    "ask_user": ToolKind.ASK_USER,
}

GATE = Can(halt=True, message=True)
_INFORM = INFORM.replace(message=True)
EVENTS: Mapping[str, Can] = {
    "BeforeTool": GATE.replace(approve=True, rewrite=True),
    "AfterTool": GATE.replace(context=True, redact=True),
    "BeforeAgent": GATE.replace(context=True),
    "AfterAgent": GATE.replace(turn_end=True),
    "BeforeModel": GATE,
    "AfterModel": GATE,
    "BeforeToolSelection": GATE,
    "SessionStart": _INFORM.replace(context=True),
    "SessionEnd": _INFORM,
    "PreCompress": _INFORM,
    "Notification": _INFORM,
}
_EXTRAS = ("llm_request", "llm_response", "toolConfig", "tailToolCallRequest")


def mcp_of(payload: Payload, name: str) -> tuple[str, str]:
    """`mcp_server_tool` cannot be split by itself: the context says where."""
    context = mapping(payload, "mcp_context")
    if context is not None:
        return text(context, "server_name"), text(context, "tool_name") or name
    if name.startswith("mcp__"):
        return mcp_parts(name)
    return ("", name.removeprefix("mcp_")) if name.startswith("mcp_") else ("", "")


def say(event: Event, verdict: Verdict, can: Can) -> Reply:
    intent = _intent(event, verdict, can)
    return answer_words.reply(
        _answer(event, verdict, intent),
        exit_code=2 if intent.refuses else 0,
        stderr=intent.words if intent.refuses else "",
        degraded=intent.note,
    )


def say_without_json_in_a_refusal(event: Event, verdict: Verdict, can: Can) -> Reply:
    """For where an answer is read on exit code 0 alone."""
    intent = _intent(event, verdict, can)
    if intent.refuses:
        return answer_words.reply({}, exit_code=2, stderr=intent.words, degraded=intent.note)
    return answer_words.reply(_answer(event, verdict, intent), degraded=intent.note)


def _intent(event: Event, verdict: Verdict, can: Can) -> Intent:
    intent = intend(event, verdict, can)
    if intent.output is not None and not intent.refuses:
        # The reason of a refusal replaces the result: the only way to redact it.
        return intent.replace(act=Act.REFUSE, words=answer_words.as_text(intent.output))
    return intent


def _answer(event: Event, verdict: Verdict, intent: Intent) -> dict[str, object]:
    answer: dict[str, object] = {}
    specific: dict[str, object] = {}
    if intent.refuses:
        answer["decision"], answer["reason"] = "deny", intent.words
    elif intent.act is Act.APPROVE:
        answer["decision"] = "allow"
    if intent.halt:
        answer["continue"], answer["stopReason"] = False, intent.halt
    if intent.message:
        answer["systemMessage"] = intent.message
    if verdict.suppress_output:
        answer["suppressOutput"] = True
    if intent.context:
        specific["additionalContext"] = intent.context
    if intent.input is not None:
        specific["tool_input"] = dict(intent.input)
    if intent.refuses and event.name is EventName.BEFORE_TOOL_SELECTION:
        specific["toolConfig"] = {"mode": "NONE"}
    for key in _EXTRAS:
        if isinstance(verdict.extra.get(key), Mapping):
            specific.setdefault(key, verdict.extra[key])
    if specific:
        answer["hookSpecificOutput"] = {"hookEventName": event.native_name, **specific}
    return answer


DIALECT = ComposedDialect(
    Layout("gemini", KINDS, root_variables=("GEMINI_PROJECT_DIR",), mcp=mcp_of), EVENTS, say, unknown=GATE
)

# as it sends its calls

_PAYLOAD = {**USUAL_PAYLOAD, "timestamp": "1970-01-01T00:00:00Z"}
_MCP_PAYLOAD = {**_PAYLOAD, "mcp_context": {"server_name": "<server>", "tool_name": "<name>"}}
CALLS = (
    SentCall("run_shell_command", {"command": "<command>"}, _PAYLOAD),
    SentCall("read_file", {"file_path": "<path>"}, _PAYLOAD),
    SentCall("read_many_files", {"include": "<paths>"}, _PAYLOAD),
    SentCall("write_file", {"file_path": "<path>", "content": "<content>"}, _PAYLOAD),
    SentCall("replace", {"file_path": "<path>", "old_string": "<old>", "new_string": "<content>"}, _PAYLOAD),
    SentCall("grep_search search_file_content glob", {"pattern": "<query>", "dir_path": "<path>"}, _PAYLOAD),
    SentCall("list_directory", {"dir_path": "<path>"}, _PAYLOAD),
    SentCall("web_fetch", {"prompt": "Read <url> for me"}, _PAYLOAD),
    SentCall("mcp_<server>_<name>", "<arguments>", _MCP_PAYLOAD),
)

# as it is set up

SETUP = Setup(
    (HookFile(".gemini", "settings.json", ".gemini/settings.json"),),
    entry=SLOW_GROUP,
    programs=("gemini",),
    folders=(".gemini",),
    tried="0.61.0",
    switches=(Switch(".gemini/settings.json", ("hooksConfig", "enabled"), False),),
    left_out=(".gemini/settings.json",),
    unseen="a project's hooks need a trusted folder; no tool-call id, no permission mode",
)
