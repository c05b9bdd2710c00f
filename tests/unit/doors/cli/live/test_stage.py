"""The throw-away home of a live canary: the user's hooks are in it, and nothing that signs in or runs."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from fairlead.dialects.setup.installs import changes_for
from fairlead.dialects.setup.site import Client, Site
from fairlead.doors.cli.live.agents import RECIPES, environment_for
from fairlead.doors.cli.live.recipes.recipe import KEY
from fairlead.doors.cli.live.stage import Stage, set_up
from fairlead.settings.change import applied

CLIENT = Client("/opt/fairlead-hook")


class Play:
    """A user with a home and a project, and the stage that is set up from them."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "user", folder / "work"
        self.stage = Stage(str(folder / "stage"), "http://127.0.0.1:1")
        self.site = Site(str(self.home), str(self.project), {})

    def write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def install(self, agent: str) -> None:
        for change in changes_for(agent, self.site, CLIENT):
            path = Path(change.path)
            before = path.read_bytes() if path.exists() else None
            self.write(path, applied(change, before).decode())

    def set_up(self, agent: str) -> Path:
        recipe = RECIPES[agent]
        set_up(
            self.stage,
            agent,
            site=self.site,
            client=CLIENT,
            keeps=recipe.keeps,
            settings=recipe.settings(self.stage),
        )
        return Path(self.stage.home)


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path)


@pytest.mark.parametrize("agent", RECIPES)
def test_what_install_wrote_stands_in_the_copy(play: Play, agent: str) -> None:
    play.install(agent)
    play.set_up(agent)
    hooks = changes_for(agent, play.stage.site("user"), CLIENT)[0]
    assert "fairlead-hook" in Path(hooks.path).read_text()


@pytest.mark.parametrize("agent", RECIPES)
def test_a_user_without_settings_is_no_problem(play: Play, agent: str) -> None:
    home = play.set_up(agent)
    written = "".join(path.read_text() for path in home.rglob("*") if path.is_file())
    assert "fairlead-hook" not in written


def test_hooks_of_others_keep_their_shape_but_run_true(play: Play) -> None:
    group = {"matcher": "(", "hooks": [{"type": "command", "command": "notify --all", "timeout": "9"}]}
    calling = {
        "hooks": [
            {"type": "http", "url": "https://example.com"},
            {"type": "command", "command": "x", "args": ["y"]},
        ]
    }
    theirs = {"hooks": {"PreToolUse": [group, calling]}}
    play.write(play.home / ".claude/settings.json", json.dumps(theirs))
    play.install("claude")
    made = json.loads((play.set_up("claude") / ".claude/settings.json").read_text())["hooks"]["PreToolUse"]
    assert made[0] == {"matcher": "(", "hooks": [{"type": "command", "command": "true", "timeout": "9"}]}
    assert made[1] == {"hooks": [{"type": "command", "command": "true"}]}
    assert "exec /opt/fairlead-hook claude PreToolUse;" in made[2]["hooks"][0]["command"]


def test_hooks_at_the_top_of_droids_file_are_copied_too_and_run_true(play: Play) -> None:
    theirs = {"PreToolUse": [{"hooks": [{"type": "command", "command": "notify"}]}], "hooksDisabled": True}
    play.write(play.home / ".factory/hooks.json", json.dumps(theirs))
    play.install("factory")
    made = json.loads((play.set_up("factory") / ".factory/hooks.json").read_text())
    assert [group["hooks"][0]["command"] == "true" for group in made["PreToolUse"]] == [True, False]
    assert made["hooksDisabled"] is True


def test_hooks_of_others_in_kimis_file_stay_wrong_but_run_true(play: Play) -> None:
    wrong = '[[hooks]]\nevent = "BeforeLunch"\ncommand = "notify"\n'
    play.write(play.home / ".kimi-code/config.toml", wrong)
    play.install("kimi")
    made = tomllib.loads((play.set_up("kimi") / ".kimi-code/config.toml").read_text())["hooks"]
    assert made[0] == {"event": "BeforeLunch", "command": "true"}
    assert "exec /opt/fairlead-hook kimi PreToolUse;" in made[1]["command"]


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        ("claude", ".claude/settings.json", '{"env": {"TOKEN": "SECRET"}, "apiKeyHelper": "SECRET"}'),
        ("gemini", ".gemini/settings.json", '{"mcpServers": {"x": {"env": {"K": "SECRET"}}}}'),
        ("qwen", ".qwen/settings.json", '{"env": {"K": "SECRET"}, "modelProviders": ["SECRET"]}'),
        ("codex", ".codex/config.toml", '[mcp_servers.y]\nenv = {K = "SECRET"}\n'),
        ("kimi", ".kimi-code/config.toml", '[providers.y]\napi_key = "SECRET"\n'),
        ("factory", ".factory/settings.json", '{"customModels": [{"apiKey": "SECRET"}]}'),
        ("codex", ".codex/auth.json", '{"OPENAI_API_KEY": "SECRET"}'),
        ("claude", ".claude/.credentials.json", '{"token": "SECRET"}'),
        ("opencode", ".local/share/opencode/auth.json", '{"token": "SECRET"}'),
    ],
)
def test_sign_ins_and_servers_stay_behind(play: Play, agent: str, path: str, text: str) -> None:
    play.write(play.home / path, text)
    play.install(agent)
    home = play.set_up(agent)
    assert not [file for file in home.rglob("*") if file.is_file() and "SECRET" in file.read_text()]


def test_what_else_stands_in_claudes_settings_counts_since_one_wrong_value_drops_the_file(play: Play) -> None:
    play.write(play.home / ".claude/settings.json", '{"cleanupPeriodDays": "soon"}')
    made = json.loads((play.set_up("claude") / ".claude/settings.json").read_text())
    assert made["cleanupPeriodDays"] == "soon"


def test_of_a_project_nothing_but_what_is_about_hooks_is_copied(play: Play) -> None:
    foreign = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "EVIL"}]}]}, "newHelper": "EVIL"}
    play.write(play.project / ".claude/settings.json", json.dumps({**foreign, "disableAllHooks": True}))
    play.set_up("claude")
    made = (Path(play.stage.project) / ".claude/settings.json").read_text()
    assert "EVIL" not in made
    assert json.loads(made)["disableAllHooks"] is True


EVIL = '{"hooks": {"Stop": [{"%s": "EVIL; /opt/fairlead-hook claude Stop"}]}}'


@pytest.mark.parametrize(
    ("agent", "name", "text"),
    [
        ("claude", ".claude/settings.json", EVIL % "command"),
        ("copilot", ".github/hooks/fairlead.json", EVIL % "bash"),
        ("opencode", ".opencode/plugin/fairlead.js", "EVIL // fairlead-hook"),
        ("claude", ".claude/settings.json", "{EVIL"),
        ("codex", ".codex/config.toml", "EVIL"),
    ],
)
def test_a_program_that_only_says_that_it_is_ours_is_not_run(
    play: Play, agent: str, name: str, text: str
) -> None:
    play.write(play.project / name, text)
    play.install(agent)
    play.set_up(agent)
    copied = [path for path in Path(play.stage.base).rglob("*") if path.is_file()]
    assert not [path for path in copied if "EVIL" in path.read_text()]


def test_codex_finds_its_record_of_the_review_under_the_new_path(play: Play) -> None:
    play.write(play.home / ".codex/config.toml", "[features]\nhooks = false\n")
    play.install("codex")
    home = play.set_up("codex")
    config = tomllib.loads((home / ".codex/config.toml").read_text())
    reviewed = list(config["hooks"]["state"])
    assert reviewed and all(name.startswith(f"{home}/.codex/hooks.json:") for name in reviewed)
    assert config["features"] == {"hooks": False, "plugins": False}
    assert config["model_providers"]["canary"]["base_url"] == "http://127.0.0.1:1/v1"


def test_a_file_of_the_project_that_switches_hooks_off_counts(play: Play) -> None:
    play.write(play.project / ".github/copilot/settings.json", '{"disableAllHooks": true}')
    play.set_up("copilot")
    copied = Path(play.stage.project) / ".github/copilot/settings.json"
    assert json.loads(copied.read_text()) == {"disableAllHooks": True}


@pytest.mark.parametrize(("text", "strict"), [('{"a": 1}', True), ('{"a": 1} // why', False)])
def test_a_file_with_comments_stays_one(play: Play, text: str, strict: bool) -> None:
    play.write(play.home / ".claude/settings.json", text)
    made = (play.set_up("claude") / ".claude/settings.json").read_text()
    try:
        json.loads(made)
    except ValueError:
        assert not strict
    else:
        assert strict


@pytest.mark.parametrize("agent", RECIPES)
def test_no_variable_of_the_user_but_the_harmless_reaches_the_agent(
    play: Play, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "GEMINI_API_KEY",
        "GITHUB_TOKEN",
        "CLAUDECODE",
        "HTTPS_PROXY",
    ):
        monkeypatch.setenv(name, "SECRET")
    made = environment_for(RECIPES[agent], play.stage)
    assert "SECRET" not in made.values()
    assert made["HTTPS_PROXY"] == play.stage.url
    assert {value for name, value in made.items() if name.endswith("_KEY")} <= {KEY}
