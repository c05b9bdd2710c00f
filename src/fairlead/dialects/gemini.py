"""Gemini CLI, and what the agents that kept its events share: `decision`, `reason`, JSON read from stderr."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects import wording
from fairlead.dialects.abilities import INFORM, Act, Can, Intent, intend
from fairlead.dialects.layout import Layout, read_event
from fairlead.dialects.naming import mcp_parts
from fairlead.dialects.reading import Payload, mapping, text
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, EventName, event_named
from fairlead.model.tool_call import ToolKind
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

_GATE = Can(halt=True, message=True)
_INFORM = INFORM.replace(message=True)
EVENTS: Mapping[str, Can] = {
    "BeforeTool": _GATE.replace(approve=True, rewrite=True),
    "AfterTool": _GATE.replace(context=True, redact=True),
    "BeforeAgent": _GATE.replace(context=True),
    "AfterAgent": _GATE.replace(turn_end=True),
    "BeforeModel": _GATE,
    "AfterModel": _GATE,
    "BeforeToolSelection": _GATE,
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


class GeminiDialect:
    """`json_with_block` is false where an answer is read on exit code 0 alone."""

    def __init__(self, layout: Layout, events: Mapping[str, Can], *, json_with_block: bool = True) -> None:
        self.name = layout.agent
        self.events = tuple(events)
        self._layout = layout
        self._events = events
        self._json_with_block = json_with_block

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        return read_event(self._layout, raw, native_event=native_event, environment=environment)

    def render(self, event: Event, verdict: Verdict) -> Reply:
        intent = intend(event, verdict, self.abilities(event.native_name))
        if intent.output is not None and not intent.refuses:
            # The reason of a refusal replaces the result: the only way to redact it.
            intent = intent.replace(act=Act.REFUSE, words=wording.as_text(intent.output))
        answer = _answer(event, verdict, intent)
        if intent.refuses and not self._json_with_block:
            return wording.reply({}, exit_code=2, stderr=intent.words, degraded=intent.note)
        return wording.reply(
            answer,
            exit_code=2 if intent.refuses else 0,
            stderr=intent.words if intent.refuses else "",
            degraded=intent.note,
        )

    def last_resort(self, native_event: str) -> Reply:
        event = event_named(native_event)
        if event not in GATING:
            return Reply()
        return self.render(Event(event, native_event, self.name), wording.unanswered())

    def abilities(self, native_event: str) -> Can:
        return self._events.get(native_event, _GATE)


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


DIALECT = GeminiDialect(
    Layout("gemini", KINDS, root_variables=("GEMINI_PROJECT_DIR",), mcp=mcp_of),
    EVENTS,
)
