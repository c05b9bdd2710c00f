"""Whom a policy means by an agent's name, by what real clients say of themselves."""

import pytest

from fairlead.doors.mcp.clients import agent_of


@pytest.mark.parametrize(
    ("said", "agent"),
    [
        ("claude-code", "claude"),
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client-git", "gemini"),
        ("qwen-cli-mcp-client-git", "qwen"),
        ("copilot-cli", "copilot"),
        ("opencode", "opencode"),
        ("Visual Studio Code - Insiders", "vscode"),
    ],
)
def test_a_client_is_known_by_its_name_also_with_a_servers_behind_it(said, agent):
    assert agent_of(said) == agent


@pytest.mark.parametrize("said", ["", "codexed", "my claude-code"])
def test_another_name_is_nobodys(said):
    assert agent_of(said) == ""
