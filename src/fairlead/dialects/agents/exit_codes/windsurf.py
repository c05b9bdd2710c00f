"""Windsurf: an envelope around `tool_info`, and exit code 2 before the act."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.agents.exit_codes.exit_code_answers import say_plainly
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.composed_dialect import ComposedDialect
from fairlead.dialects.payloads.payload_fields import Payload, mapping
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup
from fairlead.errors import PayloadError
from fairlead.model.tool_call import ToolKind

_PRE = ("pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use", "pre_user_prompt")
_POST = (
    "post_run_command",
    "post_write_code",
    "post_read_code",
    "post_mcp_tool_use",
    "post_cascade_response",
    "post_cascade_response_with_transcript",
    "post_setup_worktree",
)
_EVENTS = {**dict.fromkeys(_PRE, Can()), **dict.fromkeys(_POST, INFORM)}

KINDS: Mapping[str, ToolKind] = {
    "run_command": ToolKind.SHELL,
    "write_code": ToolKind.EDIT,
    "read_code": ToolKind.READ,
}


def _flat(payload: dict[str, object], native: str) -> Payload:
    info = mapping(payload, "tool_info")
    if info is None:
        raise PayloadError(f"{native}: the payload has no tool_info")
    tool = native.partition("_")[2]
    given = info
    if tool == "mcp_tool_use":
        given = mapping(info, "mcp_tool_arguments") or {}
    prompt = {"prompt": info["user_prompt"]} if "user_prompt" in info else {}
    return {
        **payload,
        **prompt,
        "tool_name": info.get("mcp_tool_name", tool),
        "tool_input": given,
        "tool_response": info.get("mcp_result"),
        "cwd": info.get("cwd", ""),
        "root": info.get("root_workspace_path", ""),
        "transcript_path": info.get("transcript_path", ""),
        "server": info.get("mcp_server_name", ""),
    }


def _mcp(fields: Payload, name: str) -> tuple[str, str]:
    return (str(fields["server"]), name) if fields.get("server") else ("", "")


DIALECT = ComposedDialect(
    Layout(
        "windsurf",
        KINDS,
        event=("agent_action_name",),
        session=("trajectory_id",),
        call=("execution_id",),
        roots=("root",),
        mcp=_mcp,
        flatten=_flat,
    ),
    _EVENTS,
    say_plainly,
)

# as it sends its calls

_PAYLOAD = {
    "agent_action_name": "pre_<tool>",
    "trajectory_id": "<session>",
    "execution_id": "<call>",
    "tool_info": "<input>",
}
_MCP = {"mcp_server_name": "<server>", "mcp_tool_name": "<name>", "mcp_tool_arguments": "<arguments>"}
CALLS = (
    SentCall("run_command", {"command_line": "<command>", "cwd": "<cwd>"}, _PAYLOAD),
    SentCall(
        "write_code",
        {"file_path": "<path>", "edits": [{"old_string": "<old>", "new_string": "<content>"}]},
        _PAYLOAD,
    ),
    SentCall("read_code", {"file_path": "<path>"}, _PAYLOAD),
    SentCall("mcp_tool_use", _MCP, _PAYLOAD),
)

# as it is set up

SETUP = Setup(
    (HookFile(".codeium/windsurf", "hooks.json", ".windsurf/hooks.json"),),
    (
        "pre_run_command",
        "pre_write_code",
        "pre_read_code",
        "pre_mcp_tool_use",
        "pre_user_prompt",
        "post_run_command",
        "post_write_code",
        "post_mcp_tool_use",
    ),
    entry={"command": "<command>", "show_output": True},
    programs=("windsurf",),
    folders=(".codeium/windsurf",),
    unseen="only exit codes: no question, no rewrite, no context",
)
