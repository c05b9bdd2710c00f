import pytest

from fairlead.dialects.setup.installs import INSTALLS, every_change
from fairlead.dialects.setup.site import Client, Site
from fairlead.errors import SettingsError
from fairlead.packs.places.agent_settings import approves_tools, is_agent_folder, is_agent_settings

HOME, PROJECT = "/home/no-one", "/home/no-one/project"
EDITOR = f"{PROJECT}/.vscode/settings.json"


def _installed(agent: str, scope: str) -> list[str]:
    site = Site(home=HOME, project=PROJECT, environment={}, scope=scope)
    try:
        return [change.path for change in every_change(agent, site, Client("/usr/bin/fairlead-hook"))]
    except SettingsError:
        return []


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("agent", INSTALLS)
def test_every_file_that_an_installation_changes_is_protected(agent: str, scope: str) -> None:
    assert [path for path in _installed(agent, scope) if not is_agent_settings(path)] == []


@pytest.mark.parametrize(
    "path",
    [
        ".config/goose/config.yaml",
        ".config/goose/permission.yaml",
        ".crush.json",
        ".config/crush/crush.json",
        ".roo/mcp.json",
        ".continue/config.yaml",
        ".gemini/extensions/x/gemini-extension.json",
        ".codeium/windsurf/mcp_config.json",
        ".config/Claude/claude_desktop_config.json",
    ],
)
def test_agents_without_an_installation_are_known_as_well(path: str) -> None:
    assert is_agent_settings(f"{HOME}/{path}")


@pytest.mark.parametrize(
    "path",
    [
        ".claude/commands/review.md",
        ".claude/skills/a/SKILL.md",
        ".cursor/rules/style.mdc",
        ".kiro/steering/tech.md",
        ".clinerules/style.md",
        ".github/workflows/ci.yml",
        "src/hooks/config.json",
        "plugins/settings.json",
        "CLAUDE.md",
    ],
)
def test_what_an_agent_only_reads_is_not_protected(path: str) -> None:
    assert not is_agent_settings(f"{PROJECT}/{path}")


@pytest.mark.parametrize("name", [".kimi-code", ".kimi", ".factory", ".llxprt", ".config/llxprt-code"])
def test_a_folder_that_hooks_stand_in_is_protected_as_a_whole(name: str) -> None:
    assert is_agent_settings(f"{HOME}/{name}")
    assert is_agent_folder(f"{HOME}/{name}")


def test_the_folder_of_an_agent_is_told_from_what_is_in_it() -> None:
    assert is_agent_folder(f"{PROJECT}/.cursor")
    assert not is_agent_folder(f"{PROJECT}/.cursor/rules")


@pytest.mark.parametrize(
    "text",
    [
        '{"chat.tools.autoApprove": true}',
        '{"chat.tools.terminal.autoApprove": {"/.*/": true}}',
        '{"agent": {"always_allow_tool_actions": true}}',
    ],
)
def test_an_editor_that_would_ask_no_more_is_a_question(text: str) -> None:
    assert approves_tools([EDITOR], text) is not None


@pytest.mark.parametrize(
    "text",
    [
        '{"chat.tools.autoApprove": false}',
        '{"chat.tools.terminal.autoApprove": {}}',
        '{"editor.formatOnSave": true, "files.autoSave": "onFocusChange"}',
    ],
)
def test_other_settings_of_an_editor_are_the_projects(text: str) -> None:
    assert approves_tools([EDITOR], text) is None
