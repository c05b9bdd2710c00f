"""A shell call as each agent would send it, for the canary of `doctor`."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.agent_registry import Voice, dialect_named
from fairlead.model.digest import sha256_hex
from fairlead.model.event_name import EventName, event_named
from fairlead.model.value import Value

_SHELLS = {
    "claude": "Bash",
    "codex": "Bash",
    "gemini": "run_shell_command",
    "llxprt": "run_shell_command",
    "qwen": "run_shell_command",
    "vscode": "run_in_terminal",
    "factory": "Execute",
    "auggie": "launch-process",
    "kiro": "execute_bash",
    "kimi": "Bash",
    "opencode": "bash",
    "kilo": "bash",
}


_SPOKEN = {"cline": "tool_call"}
"""What the gate is called in the payload, where that is not the name that it is installed by."""


class Said(Value):
    """What a call says, in whatever shape."""

    command: str
    cwd: str
    session: str

    @property
    def call(self) -> str:
        return f"{self.session}-{sha256_hex(self.command.encode())[:8]}"


def gate_of(dialect: Voice) -> str:
    """The agent's first event before a tool."""
    return next(event for event in dialect.events if event_named(event) is EventName.BEFORE_TOOL)


def shell_call(agent: str, command: str, *, cwd: str, session: str) -> tuple[str, Mapping[str, object]]:
    """The event and the payload of a call that would run `command`. No two sessions have a call in common."""
    if agent == "cursor":
        return "beforeShellExecution", {
            "hook_event_name": "beforeShellExecution",
            "conversation_id": session,
            "cursor_version": "0",
            "workspace_roots": [cwd],
            "command": command,
            "cwd": cwd,
        }
    event = _SPOKEN.get(agent) or gate_of(dialect_named(agent))
    maker = _MAKERS.get(agent)
    said = Said(command, cwd, session)
    return event, maker(event, said) if maker is not None else _snake(agent, event, said)


def _snake(agent: str, event: str, said: Said) -> Mapping[str, object]:
    payload: dict[str, object] = {
        "hook_event_name": event,
        "session_id": said.session,
        "transcript_path": "",
        "cwd": said.cwd,
        "tool_name": _SHELLS.get(agent, "Bash"),
        "tool_input": {"command": said.command},
        "tool_use_id": said.call,
    }
    if agent == "codex":
        payload |= {"turn_id": said.session, "model": "none"}
    if agent == "auggie":
        payload |= {"conversation_id": said.session, "workspace_roots": [said.cwd], "is_mcp_tool": False}
    if agent == "vscode":
        payload |= {"timestamp": "1970-01-01T00:00:00Z"}
    return payload


def _copilot(_: str, said: Said) -> Mapping[str, object]:
    return {
        "sessionId": said.session,
        "timestamp": 0,
        "cwd": said.cwd,
        "toolName": "bash",
        "toolArgs": {"command": said.command},
    }


def _windsurf(event: str, said: Said) -> Mapping[str, object]:
    info = {"command_line": said.command, "cwd": said.cwd}
    return {"agent_action_name": event, "trajectory_id": said.session, "tool_info": info}


def _cline(event: str, said: Said) -> Mapping[str, object]:
    return {
        "clineVersion": "0",
        "hookName": event,
        "taskId": said.session,
        "workspaceRoots": [said.cwd],
        "tool_call": {"id": said.call, "name": "run_commands", "input": {"commands": [said.command]}},
    }


def _antigravity(_: str, said: Said) -> Mapping[str, object]:
    call = {"name": "run_command", "args": {"CommandLine": said.command, "Cwd": said.cwd}}
    return {"conversationId": said.session, "workspacePaths": [said.cwd], "toolCall": call}


def _amp(event: str, said: Said) -> Mapping[str, object]:
    return {
        "hook_event_name": event,
        "cwd": said.cwd,
        "tool": "Bash",
        "session_id": said.session,
        "toolUseID": said.call,
        "input": {"cmd": said.command},
    }


_MAKERS = {
    "copilot": _copilot,
    "windsurf": _windsurf,
    "cline": _cline,
    "antigravity": _antigravity,
    "amp": _amp,
}
