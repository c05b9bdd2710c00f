import json
from pathlib import Path

import pytest

from fairlead.dialects.payloads.caller_detection import caller

PAYLOADS = Path(__file__).parents[3] / "data" / "payloads"
TELLING = ("cursor", "windsurf", "cline", "gemini", "claude")


def samples(agent: str) -> list[Path]:
    return [path for path in sorted((PAYLOADS / agent).rglob("*")) if path.is_file()]


@pytest.mark.parametrize(
    ("agent", "path"), [(agent, path) for agent in TELLING for path in samples(agent)], ids=str
)
def test_a_payload_that_reaches_claudes_hook_is_still_its_own_agents(agent: str, path: Path) -> None:
    assert caller(path.read_bytes(), said=agent, environment={}) == agent
    said = caller(path.read_bytes(), said="claude", environment={})
    shared = agent == "gemini" and path.stem.split(".")[0] in ("SessionStart", "SessionEnd", "Notification")
    assert said == agent or shared


@pytest.mark.parametrize("agent", sorted(path.name for path in PAYLOADS.iterdir()))
def test_an_installed_name_holds_for_every_payload_of_that_agent(agent: str) -> None:
    told = {path.name: caller(path.read_bytes(), said=agent, environment={}) for path in samples(agent)}
    assert set(told.values()) == {agent}, {name: who for name, who in told.items() if who != agent}


@pytest.mark.parametrize("agent", ["copilot", "vscode", "cursor"])
def test_the_three_agents_that_read_claudes_settings_are_told_from_it(agent: str) -> None:
    for path in samples(agent):
        payload = json.loads(path.read_bytes().decode().lstrip("\ufeff"))
        if "hook_event_name" in payload:
            assert caller(path.read_bytes(), said="claude", environment={}) == agent, path.name


@pytest.mark.parametrize(("agent", "other"), [("copilot", "vscode"), ("vscode", "copilot")])
def test_copilot_and_vs_code_which_read_one_folder_of_hooks_are_told_apart(agent: str, other: str) -> None:
    for path in samples(agent):
        if b'"hook_event_name"' in path.read_bytes():
            assert caller(path.read_bytes(), said=other, environment={}) == agent, path.name


def test_keys_that_the_agent_can_put_into_tool_input_decide_nothing() -> None:
    payload = {
        "hook_event_name": "PreToolUse",
        "tool_name": "mcp__x__y",
        "tool_input": {"cursor_version": "1", "turn_id": "t", "model": "m", "clineVersion": "1"},
        "transcript_path": "/t",
        "tool_use_id": "u",
    }
    assert caller(json.dumps(payload).encode(), said="claude", environment={}) == "claude"


def test_what_cannot_be_parsed_stays_with_the_installed_name() -> None:
    assert caller(b'{"cursor_version"', said="claude", environment={}) == "claude"
    assert caller(b"", said="", environment={}) == "generic"


@pytest.mark.parametrize(
    ("environment", "agent"),
    [
        ({"AI_AGENT": "claude-code_2-1-325_harness"}, "claude"),
        ({"CURSOR_VERSION": "3"}, "cursor"),
        ({"FACTORY_PROJECT_DIR": "/p"}, "factory"),
        ({"CLAUDE_PROJECT_DIR": "/p"}, "generic"),
        ({}, "generic"),
    ],
)
def test_only_a_call_without_a_name_is_judged_by_its_environment(
    environment: dict[str, str], agent: str
) -> None:
    raw = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}'
    assert caller(raw, said="generic", environment=environment) == agent
    assert caller(raw, said="kiro", environment=environment) == "kiro"
