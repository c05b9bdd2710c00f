"""llxprt: Gemini's hooks where only exit code 2 blocks, and no JSON is read beside it."""

from __future__ import annotations

from fairlead.dialects.agents.gemini_family.gemini import EVENTS, GATE, mcp_of, say_without_json_in_a_refusal
from fairlead.dialects.agents.gemini_family.gemini import KINDS as GEMINI_KINDS
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_fields import Payload
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import USUAL_PAYLOAD, SentCall
from fairlead.dialects.setup.description import SLOW_GROUP, HookFile, Setup, Switch
from fairlead.model.tool_call import ToolKind

KINDS = {
    **GEMINI_KINDS,
    "ast_edit": ToolKind.EDIT,
    "delete_line_range": ToolKind.EDIT,
    "insert_at_line": ToolKind.EDIT,
    "exa_web_search": ToolKind.WEB_SEARCH,
    "task": ToolKind.SUBAGENT,
    "todo_read": ToolKind.TODO,
    "todo_write": ToolKind.TODO,
}

_EVENTS = {
    name: can.replace(halt=False) if can.refuse and not can.turn_end else can for name, can in EVENTS.items()
}


def _mcp_of(payload: Payload, name: str) -> tuple[str, str]:
    """Its context names the tool as the model does: `mcp__server__tool`."""
    server, tool = mcp_of(payload, name)
    return server, tool.removeprefix(f"mcp__{server}__")


DIALECT = ComposedDialect(
    Layout("llxprt", KINDS, root_variables=("LLXPRT_PROJECT_DIR", "GEMINI_PROJECT_DIR"), mcp=_mcp_of),
    _EVENTS,
    say_without_json_in_a_refusal,
    unknown=GATE,
)

# as it sends its calls

_PAYLOAD = {**USUAL_PAYLOAD, "timestamp": "1970-01-01T00:00:00Z"}
_MCP_PAYLOAD = {**_PAYLOAD, "mcp_context": {"server_name": "<server>"}}
CALLS = (
    SentCall("run_shell_command", {"command": "<command>"}, _PAYLOAD),
    SentCall("read_file", {"absolute_path": "<path>"}, _PAYLOAD),
    SentCall("read_many_files", {"paths": "<paths>"}, _PAYLOAD),
    SentCall("write_file", {"file_path": "<path>", "content": "<content>"}, _PAYLOAD),
    SentCall(
        "replace ast_edit",
        {"file_path": "<path>", "old_string": "<old>", "new_string": "<content>"},
        _PAYLOAD,
    ),
    SentCall(
        "insert_at_line", {"absolute_path": "<path>", "line_number": 1, "content": "<content>"}, _PAYLOAD
    ),
    SentCall("delete_line_range", {"absolute_path": "<path>", "start_line": 1, "end_line": 2}, _PAYLOAD),
    SentCall("search_file_content grep_search glob", {"pattern": "<query>", "path": "<path>"}, _PAYLOAD),
    SentCall("list_directory", {"path": "<path>"}, _PAYLOAD),
    SentCall("web_fetch", {"prompt": "Read <url> for me"}, _PAYLOAD),
    SentCall("mcp__<server>__<name>", "<arguments>", _MCP_PAYLOAD),
)

# as it is set up

_ENABLED, _RUN = ("hooksConfig", "enabled"), ("tools", "enableHooks")
SETUP = Setup(
    (
        HookFile(".llxprt", "settings.json", ".llxprt/settings.json"),
        # Newer ones keep the user's settings here, and read the older folder once.
        HookFile(
            "llxprt-code",
            "settings.json",
            variable="LLXPRT_CONFIG_HOME",
            base="preferences",
            read="unless older",
        ),
    ),
    entry=SLOW_GROUP,
    defaults=((_ENABLED, True), (_RUN, True)),
    programs=("llxprt",),
    folders=(".llxprt", ".config/llxprt-code"),
    switches=(
        Switch(".llxprt/settings.json", _ENABLED, False),
        Switch(".llxprt/settings.json", _RUN, False),
        Switch("/etc/llxprt-code/settings.json", _ENABLED, False),
        Switch("/etc/llxprt-code/settings.json", _RUN, False),
    ),
    left_out=(".llxprt/settings.json", ".config/llxprt-code/settings.json"),
    unseen="hooks are off until two settings switch them on; install does",
)
