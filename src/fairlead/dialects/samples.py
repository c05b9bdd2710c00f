"""A shell call as each agent would send it, for the canary of `doctor`."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.table import Voice, dialect_named
from fairlead.model.event_name import EventName, event_named

SESSION = "fairlead-doctor"
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
    "kimi": "Shell",
    "opencode": "bash",
}


def gate_of(dialect: Voice) -> str:
    """The agent's first event before a tool."""
    return next(event for event in dialect.events if event_named(event) is EventName.BEFORE_TOOL)


def shell_call(agent: str, command: str, cwd: str) -> tuple[str, Mapping[str, object]]:
    """The event and the payload of a call that would run `command`."""
    if agent == "cursor":
        return "beforeShellExecution", {
            "hook_event_name": "beforeShellExecution",
            "conversation_id": SESSION,
            "cursor_version": "0",
            "workspace_roots": [cwd],
            "command": command,
            "cwd": cwd,
        }
    event = gate_of(dialect_named(agent))
    maker = _MAKERS.get(agent)
    return event, maker(event, command, cwd) if maker is not None else _snake(agent, event, command, cwd)


def _snake(agent: str, event: str, command: str, cwd: str) -> Mapping[str, object]:
    payload: dict[str, object] = {
        "hook_event_name": event,
        "session_id": SESSION,
        "transcript_path": "",
        "cwd": cwd,
        "tool_name": _SHELLS.get(agent, "Bash"),
        "tool_input": {"command": command},
        "tool_use_id": SESSION,
    }
    if agent == "codex":
        payload |= {"turn_id": SESSION, "model": "none"}
    if agent == "auggie":
        payload |= {"conversation_id": SESSION, "workspace_roots": [cwd], "is_mcp_tool": False}
    if agent == "vscode":
        payload |= {"timestamp": "1970-01-01T00:00:00Z"}
    return payload


def _copilot(_: str, command: str, cwd: str) -> Mapping[str, object]:
    return {
        "sessionId": SESSION,
        "timestamp": 0,
        "cwd": cwd,
        "toolName": "bash",
        "toolArgs": {"command": command},
    }


def _windsurf(event: str, command: str, cwd: str) -> Mapping[str, object]:
    info = {"command_line": command, "cwd": cwd}
    return {"agent_action_name": event, "trajectory_id": SESSION, "tool_info": info}


def _cline(event: str, command: str, cwd: str) -> Mapping[str, object]:
    return {
        "clineVersion": "0",
        "hookName": event,
        "taskId": SESSION,
        "workspaceRoots": [cwd],
        "preToolUse": {"toolName": "execute_command", "parameters": {"command": command}},
    }


def _antigravity(_: str, command: str, cwd: str) -> Mapping[str, object]:
    call = {"name": "run_command", "args": {"CommandLine": command, "Cwd": cwd}}
    return {"conversationId": SESSION, "workspacePaths": [cwd], "toolCall": call}


def _amp(event: str, command: str, cwd: str) -> Mapping[str, object]:
    return {
        "hook_event_name": event,
        "cwd": cwd,
        "tool": "Bash",
        "toolUseID": SESSION,
        "input": {"cmd": command},
    }


_MAKERS = {
    "copilot": _copilot,
    "windsurf": _windsurf,
    "cline": _cline,
    "antigravity": _antigravity,
    "amp": _amp,
}
