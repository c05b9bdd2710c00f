"""Lists of MCP servers, as an agent would change them: it asks about a project's, and no door goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.installation import Installation
from fairlead.model.tool_call import ToolKind
from tests.unit.packs.guard_kit import judge, shell_event, tool_event

DOOR = {
    "type": "stdio",
    "command": "/home/me/.local/share/fairlead/bin/fairlead",
    "args": ["mcp", "--name", "notes", "--", "npx", "notes-mcp"],
}
WRAPPED = {"mcpServers": {"notes": DOOR, "bare": {"command": "uvx"}}}
RULE = "self-protection/project-servers"
OURS = "self-protection/agent-settings"
LISTS = [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".github/mcp.json", ".air/mcp.json"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """With a list in which one server has the door before it."""
    (tmp_path / ".mcp.json").write_text(json.dumps(WRAPPED, indent=2))
    return tmp_path


def written(project: Path, content: object, name: str = ".mcp.json") -> tuple[Decision, str]:
    text = content if isinstance(content, str) else json.dumps(content)
    found = judge(tool_event(ToolKind.WRITE, root=str(project), file_path=f"{project}/{name}", content=text))
    return found.decision, found.rule


@pytest.mark.parametrize("name", LISTS)
def test_a_server_that_is_added_to_a_project_is_asked_about(tmp_path: Path, name: str) -> None:
    assert written(tmp_path, {"mcpServers": {"x": {"command": "npx"}}}, name) == (Decision.ASK, RULE)


@pytest.mark.parametrize("name", LISTS)
def test_the_same_file_in_a_home_is_the_persons_own(name: str) -> None:
    path = f"/home/no-one/{name}"
    found = judge(tool_event(ToolKind.WRITE, file_path=path, content="{}"))
    assert (found.decision, found.rule) == (Decision.BLOCK, OURS)


def test_a_server_that_is_added_beside_a_door_is_asked_about(project: Path) -> None:
    more = {"mcpServers": {**WRAPPED["mcpServers"], "new": {"command": "npx"}}}
    assert written(project, more) == (Decision.ASK, RULE)
    assert written(project, json.dumps(more, indent=4)) == (Decision.ASK, RULE)


UNWRAPPED = {**DOOR, "command": "npx", "args": ["notes-mcp"]}
LOSSES = {
    "unwrapped": {"mcpServers": {"notes": UNWRAPPED}},
    "another program behind it": {"mcpServers": {"notes": {**DOOR, "args": [*DOOR["args"][:-1], "evil"]}}},
    "another program for it": {"mcpServers": {"notes": {**DOOR, "command": "/tmp/fairlead"}}},
    "another environment": {"mcpServers": {"notes": {**DOOR, "env": {"NODE_OPTIONS": "-r ./x.js"}}}},
    "renamed": {"mcpServers": {"other": DOOR}},
    "moved out of the list": {"servers": {"notes": DOOR}},
    "removed": {"mcpServers": {}},
    "a second one of that name": (
        f'{{"mcpServers": {{"notes": {json.dumps(DOOR)}, "notes": {json.dumps(UNWRAPPED)}}}}}'
    ),
    "broken": "{",
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_door_that_would_go_or_change_is_blocked(project: Path, loss: str) -> None:
    assert written(project, LOSSES[loss]) == (Decision.BLOCK, OURS)


@pytest.mark.parametrize(
    "line",
    [
        "rm .mcp.json",
        "mv .mcp.json x",
        "echo '{}' > .mcp.json",
        "jq 'del(.mcpServers.notes)' .mcp.json | sponge .mcp.json",
        "sed -i s/fairlead/x/ .mcp.json",
        "git checkout HEAD~1 -- .mcp.json",
        "cp /tmp/x .mcp.json",
    ],
)
def test_a_command_on_a_list_with_a_door_is_blocked_since_nobody_knows_what_it_leaves(
    project: Path, line: str
) -> None:
    found = judge(shell_event(line, root=str(project)))
    assert found.decision is Decision.BLOCK
    assert found.rule in (OURS, "git/discard-changes")


def test_an_edit_of_a_list_with_a_door_is_blocked_since_its_place_is_not_known(project: Path) -> None:
    edit = {"file_path": f"{project}/.mcp.json", "old_string": "npx", "new_string": "evil"}
    assert judge(tool_event(ToolKind.EDIT, root=str(project), **edit)).decision is Decision.BLOCK
    edit["file_path"] = f"{project}/.vscode/mcp.json"
    assert judge(tool_event(ToolKind.EDIT, root=str(project), **edit)).decision is Decision.ASK


@pytest.mark.parametrize("line", ["cat .mcp.json", "jq '.mcpServers | keys' .mcp.json", "git diff .mcp.json"])
def test_looking_at_a_list_is_nobodys_business(project: Path, line: str) -> None:
    assert judge(shell_event(line, root=str(project))).decision < Decision.ASK


@pytest.mark.parametrize(
    "path",
    [
        ".config/Code/User/mcp.json",
        ".config/Code/User/profiles/a1/mcp.json",
        "Library/Application Support/Code/User/mcp.json",
        ".config/Claude/claude_desktop_config.json",
        ".config/goose/config.yaml",
        ".config/github-copilot/intellij/mcp.json",
        ".junie/mcp/mcp.json",
        ".claude.json",
        ".copilot/mcp-config.json",
    ],
)
def test_a_list_of_the_person_is_the_persons_to_change(path: str) -> None:
    found = judge(tool_event(ToolKind.WRITE, file_path=f"/home/no-one/{path}", content="{}"))
    assert (found.decision, found.rule) == (Decision.BLOCK, OURS)


def test_a_list_that_its_client_keeps_elsewhere_is_protected_once_a_door_was_put_in() -> None:
    elsewhere = "/home/no-one/.somewhere/mine.toml"
    event = tool_event(ToolKind.WRITE, file_path=elsewhere, content="")
    assert judge(event).decision < Decision.BLOCK
    assert judge(event, Installation(servers=(elsewhere,))).decision is Decision.BLOCK
    beside = tool_event(ToolKind.WRITE, file_path="/home/no-one/.somewhere/config.yaml", content="")
    assert judge(beside, Installation(servers=(elsewhere,))).decision < Decision.BLOCK


def test_a_server_in_the_settings_of_an_editor_is_asked_about_and_a_font_is_not(tmp_path: Path) -> None:
    name = ".zed/settings.json"
    assert written(tmp_path, {"context_servers": {"x": {"command": "sh"}}}, name)[0] is Decision.ASK
    assert written(tmp_path, {"buffer_font_size": 12, "context_servers": {}}, name)[0] < Decision.ASK


def test_the_settings_of_an_editor_keep_their_doors(tmp_path: Path) -> None:
    (tmp_path / ".zed").mkdir()
    kept = {"context_servers": {"notes": DOOR}}
    (tmp_path / ".zed/settings.json").write_text(json.dumps(kept))
    name = ".zed/settings.json"
    assert written(tmp_path, {"buffer_font_size": 12}, name) == (Decision.BLOCK, OURS)
    assert written(tmp_path, {**kept, "buffer_font_size": 12}, name)[0] is Decision.ASK
