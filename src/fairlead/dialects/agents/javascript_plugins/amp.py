"""Amp, through Fairlead's plugin, which can ask with the agent's own dialog."""

from __future__ import annotations

from fairlead.dialects.agents.javascript_plugins.plugin_answers import say_to_plugin
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_fields import Payload
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup
from fairlead.model.tool_call import ToolKind

KINDS = {
    "Bash": ToolKind.SHELL,
    "shell_command": ToolKind.SHELL,
    "Read": ToolKind.READ,
    "create_file": ToolKind.WRITE,
    "edit_file": ToolKind.EDIT,
    "undo_edit": ToolKind.EDIT,
    "apply_patch": ToolKind.PATCH,
    "glob": ToolKind.LIST,
    "Grep": ToolKind.SEARCH,
    "finder": ToolKind.SEARCH,
    "read_web_page": ToolKind.FETCH,
    "web_search": ToolKind.WEB_SEARCH,
    "Task": ToolKind.SUBAGENT,
    "oracle": ToolKind.SUBAGENT,
    "skill": ToolKind.SKILL,
}

_EVENTS = {
    "tool.call": Can(ask=True, rewrite=True),
    "tool.result": Can(redact=True),
    "agent.start": INFORM.replace(context=True),
    "agent.end": INFORM,
    "session.start": INFORM,
}


def _flat(payload: dict[str, object], native: str) -> Payload:
    return {**payload, "prompt": payload["message"]} if "message" in payload else payload


DIALECT = ComposedDialect(
    Layout(
        "amp",
        KINDS,
        tool=("tool", "tool_name"),
        input=("input", "tool_input"),
        call=("toolUseID",),
        result=("output",),
        flatten=_flat,
    ),
    _EVENTS,
    say_to_plugin,
)

# as it sends its calls

_PAYLOAD = {
    "hook_event_name": "<event>",
    "cwd": "<cwd>",
    "session_id": "<session>",
    "toolUseID": "<call>",
    "tool": "<tool>",
    "input": "<input>",
}
CALLS = (
    SentCall("Bash", {"cmd": "<command>"}, _PAYLOAD),
    SentCall("shell_command", {"command": "<command>"}, _PAYLOAD),
    SentCall("Read", {"path": "<path>"}, _PAYLOAD),
    SentCall("create_file", {"path": "<path>", "content": "<content>"}, _PAYLOAD),
    SentCall("edit_file", {"path": "<path>", "old_str": "<old>", "new_str": "<content>"}, _PAYLOAD),
    SentCall("undo_edit", {"path": "<path>"}, _PAYLOAD),
    SentCall("apply_patch", {"patchText": "<patch>"}, _PAYLOAD),
    SentCall("Grep", {"pattern": "<query>", "path": "<path>"}, _PAYLOAD),
    SentCall("read_web_page", {"url": "<url>"}, _PAYLOAD),
    SentCall("mcp__<server>__<name>", "<arguments>", _PAYLOAD),
)

# as it is set up

SETUP = Setup(
    (HookFile(".config/amp", "plugins/fairlead.ts", ".amp/plugins/fairlead.ts", form="amp plugin"),),
    programs=("amp",),
    folders=(".config/amp",),
    started_by="plugin",
    broken="unknown",
    unseen="known from its own documentation only; headless runs must wait for plugins",
)
