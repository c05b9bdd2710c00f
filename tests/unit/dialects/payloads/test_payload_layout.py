from __future__ import annotations

import json

import pytest

from fairlead.dialects.agent_registry import dialect_named
from fairlead.model.event import Event

TOOL = {
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "tool_use_id": "call-1",
}


def read(agent: str, environment: dict[str, str] | None = None, **fields: object) -> Event:
    raw = json.dumps({**TOOL, **fields}).encode()
    return dialect_named(agent).decode(raw, native_event="PreToolUse", environment=environment or {})


@pytest.mark.parametrize(
    ("agent", "environment", "fields", "version"),
    [
        ("claude", {"AI_AGENT": "claude-code_2-1-325_harness"}, {}, "2.1.325"),
        ("claude", {"AI_AGENT": "claude-code_2-1-x_harness"}, {}, ""),
        ("claude", {"AI_AGENT": "claude-code_²_harness"}, {}, ""),
        ("claude", {"AI_AGENT": "claude-code"}, {}, ""),
        ("claude", {}, {}, ""),
        ("qwen", {"QWEN_CODE_STARTUP_VERSION": "0.24.4"}, {}, "0.24.4"),
        ("copilot", {"COPILOT_CLI_BINARY_VERSION": "1.0.102"}, {}, "1.0.102"),
        ("cursor", {}, {"cursor_version": "3.3.27"}, "3.3.27"),
        ("cursor", {}, {"cursor_version": 3}, ""),
        ("cline", {}, {"hookName": "PreToolUse", "clineVersion": "3.40.0"}, "3.40.0"),
    ],
)
def test_the_agents_version_is_known_where_it_tells(
    agent: str, environment: dict[str, str], fields: dict[str, object], version: str
) -> None:
    assert read(agent, environment, **fields).agent_version == version


@pytest.mark.parametrize(
    ("agent", "fields", "turn"),
    [
        ("claude", {"prompt_id": "p", "turn_id": "other"}, "p"),
        ("codex", {"turn_id": "t"}, "t"),
        ("qwen", {"prompt_id": "p"}, "p"),
        ("cursor", {"generation_id": "g"}, "g"),
        ("gemini", {}, ""),
        ("claude", {"prompt_id": ["p"]}, ""),
    ],
)
def test_the_turn_is_the_agents_id_of_what_the_person_asked_for(
    agent: str, fields: dict[str, object], turn: str
) -> None:
    assert read(agent, **fields).turn == turn


@pytest.mark.parametrize(("worktree", "root"), [("/w", "/w"), ("/", "")])
def test_the_whole_machine_is_no_project(worktree: str, root: str) -> None:
    """OpenCode says `/` where there is no repository: then the folder that it runs in counts."""
    assert read("opencode", worktree=worktree, cwd="/home/dev/notes").root == root
