"""OpenCode, through Fairlead's plugin: a thrown error refuses, changed arguments rewrite."""

from __future__ import annotations

from fairlead.dialects.agents.javascript_plugins.plugin_answers import say_to_plugin
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.mcp_names import spelled
from fairlead.dialects.payloads.payload_fields import Payload, mapping, text
from fairlead.dialects.payloads.payload_layout import Kinds, Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup
from fairlead.model.tool_call import ToolKind

KINDS = {
    "bash": ToolKind.SHELL,
    "shell": ToolKind.SHELL,
    "read": ToolKind.READ,
    "write": ToolKind.WRITE,
    "edit": ToolKind.EDIT,
    "multiedit": ToolKind.EDIT,
    "patch": ToolKind.PATCH,
    "apply_patch": ToolKind.PATCH,
    "glob": ToolKind.LIST,
    "list": ToolKind.LIST,
    "grep": ToolKind.SEARCH,
    "codesearch": ToolKind.SEARCH,
    "webfetch": ToolKind.FETCH,
    "websearch": ToolKind.WEB_SEARCH,
    "task": ToolKind.SUBAGENT,
    "skill": ToolKind.SKILL,
    "todowrite": ToolKind.TODO,
    "todoread": ToolKind.TODO,
    "question": ToolKind.ASK_USER,
    "lsp": ToolKind.READ,
    "invalid": ToolKind.OTHER,
}

_EVENTS = {
    "tool.execute.before": Can(rewrite=True),
    "tool.execute.after": Can(redact=True),
    # Tried: a thrown error keeps the prompt from the model; the person is shown that there was an error.
    "chat.message": Can(context=True),
    "command.execute.before": INFORM,
    "session.created": INFORM,
    "session.idle": INFORM,
    "session.error": INFORM,
    "session.deleted": INFORM,
    "session.compacted": INFORM,
    "permission.asked": INFORM,
    "permission.replied": INFORM,
    "file.edited": INFORM,
}
_PERMISSION_EVENTS = ("permission.asked", "permission.replied")


_MCP = "<server>_<name>"


def _flat(payload: dict[str, object], native: str) -> Payload:
    """As the plugin sends it, or as the agent handed it to the plugin."""
    given, made = mapping(payload, "input") or {}, mapping(payload, "output") or {}
    happened = mapping(mapping(payload, "event") or {}, "properties") or {}
    info = mapping(happened, "info") or {}
    fields: dict[str, object] = {
        "session_id": text(given, "sessionID") or text(happened, "sessionID") or text(info, "id"),
        "cwd": text(info, "directory"),
    }
    if "tool" in given:
        fields["tool_name"], fields["tool_use_id"] = given["tool"], given.get("callID")
        fields["tool_input"] = made.get("args", given.get("args", {}))
        fields["tool_response"] = made
    elif native in _PERMISSION_EVENTS:
        fields["tool_name"] = happened.get("permission") or "unknown"
        fields["tool_input"] = {"patterns": happened.get("patterns", [])}
    parts = made.get("parts")
    if native == "chat.message" and isinstance(parts, list):
        said = [part.get("text") for part in parts if isinstance(part, dict)]
        fields["prompt"] = "\n".join(words for words in said if isinstance(words, str))
    return {**fields, **payload}


def spoken_by(agent: str, kinds: Kinds) -> ComposedDialect:
    """The dialect of an agent that grew out of OpenCode, with tools of its own."""
    layout = Layout(
        agent, kinds, roots=("worktree", "directory"), mcp=spelled(_MCP, but=kinds), flatten=_flat
    )
    return ComposedDialect(layout, _EVENTS, say_to_plugin)


DIALECT = spoken_by("opencode", KINDS)

# as it sends its calls

CALLS = (
    SentCall("bash shell", {"command": "<command>"}),
    SentCall("read lsp", {"filePath": "<path>"}),
    SentCall("write", {"filePath": "<path>", "content": "<content>"}),
    SentCall("edit", {"filePath": "<path>", "oldString": "<old>", "newString": "<content>"}),
    SentCall(
        "multiedit", {"filePath": "<path>", "edits": [{"oldString": "<old>", "newString": "<content>"}]}
    ),
    SentCall("patch apply_patch", {"patchText": "<patch>"}),
    SentCall("grep glob", {"pattern": "<query>", "path": "<path>"}),
    SentCall("list", {"path": "<path>"}),
    SentCall("webfetch", {"url": "<url>"}),
    SentCall(_MCP, "<arguments>"),
)

# as it is set up

SETUP = Setup(
    (
        HookFile(
            "opencode",
            "plugin/fairlead.js",
            ".opencode/plugin/fairlead.js",
            base="config",
            form="opencode plugin",
        ),
    ),
    programs=("opencode",),
    folders=(".config/opencode",),
    tried="1.18.33",
    started_by="plugin",
    broken="refused",
    unseen="`--pure` runs no plugins; nothing can be said at the end of a turn",
)
