"""Where the managed files of each agent stand on each system; on macOS and Windows nobody has tried them."""

from __future__ import annotations

import pytest

from fairlead.dialects.managed.changes import managed_changes
from fairlead.dialects.managed.forms import MANAGED, TRIED, managed_on
from fairlead.dialects.setup.site import Client

CLIENT = Client("/opt/fairlead/bin/fairlead-hook")
PLACES = {
    ("claude", "macos"): "/Library/Application Support/ClaudeCode/managed-settings.json",
    ("claude", "windows"): "C:\\Program Files\\ClaudeCode\\managed-settings.json",
    ("codex", "macos"): "/etc/codex/requirements.toml",
    ("codex", "windows"): "C:\\ProgramData\\OpenAI\\Codex\\requirements.toml",
    ("gemini", "macos"): "/Library/Application Support/GeminiCli/settings.json",
    ("gemini", "windows"): "C:\\ProgramData\\gemini-cli\\settings.json",
    ("qwen", "macos"): "/Library/Application Support/QwenCode/settings.json",
    ("qwen", "windows"): "C:\\ProgramData\\qwen-code\\settings.json",
    ("opencode", "macos"): "/Library/Application Support/opencode/opencode.json",
    ("opencode", "windows"): "C:\\ProgramData\\opencode\\opencode.json",
}


@pytest.mark.parametrize(("agent", "system"), PLACES)
def test_each_system_has_its_own_place_for_what_is_written(agent: str, system: str) -> None:
    changes = managed_changes(agent, CLIENT, plugins="/opt/fairlead/plugins", system=system)
    assert changes[-1].path == PLACES[agent, system] == managed_on(system)[agent].path


@pytest.mark.parametrize("agent", TRIED)
@pytest.mark.parametrize("system", ["macos", "windows"])
def test_only_the_place_differs_between_systems(agent: str, system: str) -> None:
    if agent not in managed_on(system):
        assert agent == "copilot", "the one that was tried whose other places are not known"
        return
    here = MANAGED[agent]
    there = managed_on(system)[agent].replace(path=here.path, second=here.second)
    assert there == here


def test_the_second_line_stands_beside_the_settings_on_each_system() -> None:
    assert managed_on("linux")["gemini"].second == "/etc/gemini-cli/policies/fairlead.toml"
    apple = managed_on("macos")["gemini"].second
    assert apple == "/Library/Application Support/GeminiCli/policies/fairlead.toml"
    assert managed_on("windows")["gemini"].second == "C:\\ProgramData\\gemini-cli\\policies\\fairlead.toml"


def test_an_agent_without_a_known_place_is_not_written_there() -> None:
    assert "auggie" in managed_on("linux")
    assert "auggie" not in managed_on("macos")
