"""Agents that moved their settings, or read two files: `install` writes where this one looks."""

import json
from pathlib import Path

import pytest

from fairlead.dialects.setup.installs import changes_for, hook_files
from fairlead.dialects.setup.site import Client, Site
from fairlead.settings.change import applied
from fairlead.settings.checks import problems_in

CLIENT = Client("/opt/fairlead/bin/fairlead-hook")


def places(agent: str, home: Path, scope: str = "user", **environment: str) -> list[str]:
    site = Site(str(home), str(home / "project"), environment, scope)
    return [change.path.removeprefix(f"{home}/") for change in changes_for(agent, site, CLIENT)]


def write(path: Path, text: str = "{}") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_kimi_is_set_up_where_it_reads_today_and_where_an_older_one_did(tmp_path: Path) -> None:
    assert places("kimi", tmp_path) == [".kimi-code/config.toml"]
    assert places("kimi", tmp_path, KIMI_CODE_HOME="/moved") == ["/moved/config.toml"]
    (tmp_path / ".kimi").mkdir()
    assert places("kimi", tmp_path) == [".kimi-code/config.toml", ".kimi/config.toml"]


OLD, NEW = ".llxprt/settings.json", ".config/llxprt-code/settings.json"


@pytest.mark.parametrize(
    ("there", "written"),
    [((), [OLD, NEW]), ((OLD,), [OLD]), ((NEW,), [OLD, NEW]), ((OLD, NEW), [OLD, NEW])],
    ids=str,
)
def test_llxprt_is_set_up_in_both_places_unless_it_has_yet_to_take_the_old_one_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], written: list[str]
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in there:
        write(tmp_path / name)
    assert places("llxprt", tmp_path) == written


def test_variables_that_move_the_settings_of_llxprt_are_followed(tmp_path: Path) -> None:
    assert places("llxprt", tmp_path, LLXPRT_CONFIG_HOME="/moved")[1] == "/moved/settings.json"
    assert places("llxprt", tmp_path, XDG_CONFIG_HOME="/x")[1] == "/x/llxprt-code/settings.json"
    assert places("llxprt", tmp_path, "project") == [f"project/{OLD}"]


def droid(home: Path) -> dict[str, dict[str, object]]:
    """What Droid reads after an installation, by the name of the file."""
    found = {}
    for change in changes_for("factory", Site(str(home), str(home), {}), CLIENT):
        path = Path(change.path)
        found[path.name] = json.loads(applied(change, path.read_bytes() if path.exists() else None))
    return found


def test_droid_gets_no_file_that_would_hide_the_hooks_in_its_settings(tmp_path: Path) -> None:
    written = droid(tmp_path)
    assert list(written) == ["settings.json"]
    assert "PreToolUse" in written["settings.json"]["hooks"]  # type: ignore[operator]


def test_where_droids_hooks_file_hides_an_event_ours_stands_there_too_and_nowhere_else(
    tmp_path: Path,
) -> None:
    theirs = {"hooks": [{"type": "command", "command": "true"}]}
    write(tmp_path / ".factory/hooks.json", json.dumps({"PreToolUse": [], "Stop": [theirs]}))
    written = droid(tmp_path)["hooks.json"]
    assert list(written) == ["PreToolUse", "Stop"]
    assert "fairlead-hook factory PreToolUse" in str(written["PreToolUse"])
    assert written["Stop"][0] == theirs and "fairlead-hook factory Stop" in str(written["Stop"])  # type: ignore[index]


def test_what_an_earlier_version_wrote_around_droids_events_hides_nothing_and_is_no_problem(
    tmp_path: Path,
) -> None:
    ours = {"hooks": [{"type": "command", "command": CLIENT.line("factory", "PreToolUse")}]}
    earlier = json.dumps({"hooks": {"PreToolUse": [ours]}})
    write(tmp_path / ".factory/hooks.json", earlier)
    written = droid(tmp_path)
    assert written["hooks.json"] == json.loads(earlier)
    assert "PreToolUse" in written["settings.json"]["hooks"]  # type: ignore[operator]
    assert problems_in("factory", f"{tmp_path}/.factory/hooks.json", earlier.encode()) == []


def test_the_files_that_hold_hooks_are_told_from_a_record_beside_them(tmp_path: Path) -> None:
    (tmp_path / ".kimi").mkdir()
    site = Site(str(tmp_path), str(tmp_path), {})
    files = {agent: hook_files(changes_for(agent, site, CLIENT)) for agent in ("kimi", "codex")}
    assert [len(files["kimi"]), len(files["codex"])] == [2, 1]
