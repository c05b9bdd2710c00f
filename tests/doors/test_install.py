"""`fairlead install` and its way back, as real processes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal
from undo_kit import Project

SETTINGS = '{\n  // mine\n  "model": "opus",\n  "hooks": {"Stop": []}\n}\n'


@pytest.fixture
def dev(machine: Machine) -> Path:
    """The home that agents look their settings up in."""
    home = machine.project.parent / "dev"
    home.mkdir()
    return home


def install(machine: Machine, dev: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """In place, for speed: what answers is not what these tests are about."""
    home = {"HOME": str(dev), "XDG_CONFIG_HOME": ""}
    return machine.fairlead("install", "--in-place", *words, environment=home)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
    }


@pytest.mark.slow
def test_every_agent_can_be_installed_twice_and_taken_out_byte_for_byte(machine: Machine, dev: Path) -> None:
    (dev / ".claude").mkdir()
    (dev / ".claude" / "settings.json").write_text(SETTINGS)
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    before = snapshot(dev)
    assert install(machine, dev, *INSTALLS).returncode == 0
    installed = snapshot(dev)
    again = install(machine, dev, *INSTALLS)
    assert b"installed" not in again.stdout
    assert snapshot(dev) == installed
    code, shown = at_terminal(machine, "uninstall", "--yes", environment={"HOME": str(dev)})
    assert code == 0, shown
    assert snapshot(dev) == before


@pytest.mark.slow
def test_the_installed_command_is_the_guard_and_knows_its_agent_and_event(
    machine: Machine, dev: Path
) -> None:
    install(machine, dev, "claude")
    settings = json.loads((dev / ".claude" / "settings.json").read_text())
    handler = settings["hooks"]["PreToolUse"][0]["hooks"][0]
    assert handler["onFailure"] == "block"
    payload = json.dumps(machine.bash("ls", tool_name=7)).encode()
    done = subprocess.run(
        ["/bin/sh", "-c", handler["command"]], input=payload, capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"tool_name is a number" in done.stderr
    assert b'"permissionDecision": "deny"' in done.stdout


def test_the_client_alone_can_be_placed_for_plugins(machine: Machine, dev: Path) -> None:
    done = install(machine, dev, "--client")
    assert (done.returncode, snapshot(dev)) == (0, {})
    assert (machine.home / "share/bin/fairlead-hook").stat().st_size > 0
    for words in (("claude",), ("--dry-run",)):
        assert install(machine, dev, "--client", *words).returncode == 64


def test_a_dry_run_changes_nothing(machine: Machine, dev: Path) -> None:
    done = install(machine, dev, "--dry-run", "claude", "cursor")
    assert b"fairlead-hook" in done.stdout
    assert snapshot(dev) == {}
    assert not (machine.home / "state" / "installed.json").exists()


def test_a_broken_settings_file_is_named_left_alone_and_does_not_stop_the_others(
    machine: Machine, dev: Path
) -> None:
    (dev / ".cursor").mkdir()
    (dev / ".cursor" / "hooks.json").write_text('{"hooks": ')
    done = install(machine, dev, "cursor", "kiro")
    assert done.returncode == 1
    assert b"hooks.json:1:11: a value belongs here" in done.stderr
    assert (dev / ".cursor" / "hooks.json").read_text() == '{"hooks": '
    assert (dev / ".kiro" / "hooks" / "fairlead.json").exists()


def test_install_finds_the_agents_that_are_used_here(machine: Machine, dev: Path) -> None:
    (dev / ".codeium" / "windsurf").mkdir(parents=True)
    done = machine.fairlead("install", "--in-place", environment={"HOME": str(dev), "PATH": "/nowhere"})
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == ["windsurf"]


def test_uninstall_needs_a_human(machine: Machine, dev: Path) -> None:
    install(machine, dev, "kiro")
    done = machine.fairlead("uninstall", "--yes", environment={"HOME": str(dev)})
    assert done.returncode == 1
    assert (dev / ".kiro" / "hooks" / "fairlead.json").exists()


def test_status_sees_what_was_taken_out_behind_its_back(machine: Machine, dev: Path) -> None:
    install(machine, dev, "kiro")
    assert b"installed" in machine.fairlead("status", environment={"HOME": str(dev)}).stdout
    os.unlink(dev / ".kiro" / "hooks" / "fairlead.json")
    done = machine.fairlead("status", environment={"HOME": str(dev)})
    assert done.returncode == 1
    assert b"removed" in done.stdout


def test_status_says_when_an_agent_last_called(machine: Machine, dev: Path) -> None:
    install(machine, dev, "kiro")
    assert b"never" in machine.fairlead("status", environment={"HOME": str(dev)}).stdout
    machine.hook({**machine.bash("ls"), "tool_name": "execute_bash"}, "kiro")
    assert b"installed, not proved  2" in machine.fairlead("status", environment={"HOME": str(dev)}).stdout


@pytest.mark.slow
def test_a_passphrase_can_be_chosen_at_install_and_is_then_asked_for(machine: Machine, dev: Path) -> None:
    home = {"HOME": str(dev)}
    words = ("install", "--in-place", "kiro", "--passphrase")
    code, shown = at_terminal(machine, *words, environment=home)
    assert (code, "a human is needed" in shown) == (1, True), "an agent could choose one that it knows"
    code, shown = at_terminal(machine, *words, environment=home, logged_in=True)
    assert code == 0, shown
    refused, shown = at_terminal(machine, "uninstall", "--yes", environment=home, secret="another one")
    assert refused == 1
    assert "the passphrase is wrong" in shown
    code, shown = at_terminal(machine, "uninstall", "--yes", environment=home)
    assert code == 0, shown


def test_what_is_wrong_in_the_whole_file_is_said(machine: Machine, dev: Path) -> None:
    (dev / ".claude").mkdir()
    handler = {"type": "command", "command": "x", "timeout": "5"}
    theirs = {"hooks": {"Stop": [{"hooks": [handler]}]}, "disableAllHooks": True}
    (dev / ".claude" / "settings.json").write_text(json.dumps(theirs))
    said = install(machine, dev, "claude").stderr
    assert b"hooks.Stop[0].hooks[0].timeout is not a number" in said
    assert b"disableAllHooks is true" in said


@pytest.mark.parametrize("agent", sorted(INSTALLS))
def test_coverage_shows_every_event_of_an_agent(machine: Machine, agent: str) -> None:
    shown = json.loads(machine.fairlead("coverage", agent, "--json").stdout)
    assert set(shown) == set(dialect_named(agent).events)


OLD_LINE = "{client} --home {home} claude PreToolUse"


def test_a_line_of_an_earlier_version_is_ours_and_is_replaced(machine: Machine, dev: Path) -> None:
    install(machine, dev, "claude")
    file = dev / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    old = OLD_LINE.format(client=machine.home / "share" / "bin" / "fairlead-hook", home=machine.home)
    settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = old
    file.write_text(json.dumps(settings))
    changed = machine.fairlead("status", environment={"HOME": str(dev)})
    assert (changed.returncode, b"changed" in changed.stdout) == (1, True)
    install(machine, dev, "claude")
    groups = json.loads(file.read_text())["hooks"]["PreToolUse"]
    assert [handler["command"] for group in groups for handler in group["hooks"]] != [old]
    assert len(groups) == 1
    assert machine.fairlead("status", environment={"HOME": str(dev)}).returncode == 0


@pytest.mark.slow
def test_a_line_of_an_earlier_version_goes_with_an_uninstall(machine: Machine, dev: Path) -> None:
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    (dev / ".claude").mkdir()
    old = {"type": "command", "command": "/x/share/bin/fairlead-hook claude PreToolUse", "timeout": 60}
    theirs = {"type": "command", "command": "mine"}
    hooks = {"PreToolUse": [{"hooks": [old]}], "Stop": [{"hooks": [theirs]}]}
    (dev / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    code, shown = at_terminal(machine, "uninstall", "--yes", environment={"HOME": str(dev)})
    assert code == 0, shown
    left = json.loads((dev / ".claude" / "settings.json").read_text())
    assert left == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


@pytest.mark.parametrize("gone", ["client", "mode", "record", "interpreter", "package"])
def test_status_does_not_call_installed_what_cannot_answer(machine: Machine, dev: Path, gone: str) -> None:
    install(machine, dev, "kiro")
    client = machine.home / "share" / "bin" / "fairlead-hook"
    record = Path(f"{client}.record")
    if gone == "client":
        client.unlink()
    elif gone == "mode":
        client.chmod(0o600)
    elif gone == "record":
        record.unlink()
    else:
        other = "/gone/python3" if gone == "interpreter" else "/bin/true"
        record.write_text(record.read_text().replace("interpreter=", f"interpreter={other}\nold="))
        if gone == "package":
            record.write_text(record.read_text().replace("/bin/true", "/bin/false"))
    done = machine.fairlead("status", environment={"HOME": str(dev)})
    assert done.returncode == 1, done.stdout
    assert b"broken" in done.stdout
    assert b"`fairlead install` mends it" in done.stdout
    shown = json.loads(machine.fairlead("status", "--json", environment={"HOME": str(dev)}).stdout)
    assert len(shown["troubles"]) == 1
    install(machine, dev, "kiro")
    assert machine.fairlead("status", environment={"HOME": str(dev)}).returncode == 0


def test_settings_that_are_half_written_are_seen_and_written_anew(machine: Machine, dev: Path) -> None:
    """A file of our own is written again; one of the agent's is for the person to mend."""
    install(machine, dev, "kiro", "claude")
    ours, theirs = dev / ".kiro" / "hooks" / "fairlead.json", dev / ".claude" / "settings.json"
    for file in (ours, theirs):
        file.write_bytes(file.read_bytes()[:700])
    done = machine.fairlead("status", environment={"HOME": str(dev)})
    assert (done.returncode, done.stdout.count(b"changed")) == (1, 2)
    again = install(machine, dev, "kiro", "claude")
    assert again.returncode == 1
    assert b"settings.json:" in again.stderr
    json.loads(ours.read_text())


def test_a_settings_file_is_replaced_in_one_step(machine: Machine, dev: Path) -> None:
    install(machine, dev, "kiro")
    file = dev / ".kiro" / "hooks" / "fairlead.json"
    before = file.open("rb")
    file.write_bytes(file.read_bytes() + b"\n")
    whole = file.read_bytes()
    install(machine, dev, "kiro")
    with before:
        assert before.read() == whole, "who had it open still has all of it"
    assert [path.name for path in file.parent.iterdir()] == ["fairlead.json"]


@pytest.mark.slow
def test_uninstall_says_what_stays_and_purge_removes_it(machine: Machine, dev: Path) -> None:
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    install(machine, dev, "kiro", "claude")
    install(machine, dev, "claude", "--project")
    machine.user_policy("event: PreToolUse\nmiddleware: []\n")
    home = {"HOME": str(dev)}
    _, some = at_terminal(machine, "uninstall", "claude", "--yes", environment=home)
    assert "these stay" not in some, "another agent still needs it"
    _, shown = at_terminal(machine, "uninstall", "--yes", environment=home)
    assert "these stay" not in shown, "a project still needs it"
    assert at_terminal(machine, "uninstall", "kiro", "--purge", "--yes", environment=home)[0] == 64
    assert machine.fairlead("uninstall", "--purge", "--yes", environment=home).returncode == 1
    code, shown = at_terminal(machine, "uninstall", "--purge", "--yes", environment=home)
    assert code == 0, shown
    assert "start them anew" in " ".join(shown.split())
    assert list(dev.rglob("*fairlead*")) == []
    assert not (machine.project / ".claude").exists()
    assert list(machine.home.iterdir()) == []


@pytest.mark.slow
def test_purge_takes_the_refs_of_saves_out_of_repositories(
    machine: Machine, dev: Path, tmp_path: Path
) -> None:
    places = find_places(str(machine.home))
    set_passphrase(places, PASSPHRASE)
    project = Project(tmp_path / "losing", git=True, saves=Path(places.state) / "undo")
    project.commit(a="one\n")
    project.run("git checkout -q -b side && git commit -q --allow-empty -m only-here && git checkout -q main")
    project.lose("git branch -D side")
    assert "refs/fairlead/undo/" in project.run("git for-each-ref refs/fairlead")
    code, shown = at_terminal(machine, "uninstall", "--purge", "--yes", environment={"HOME": str(dev)})
    assert code == 0, shown
    assert project.run("git for-each-ref refs/fairlead") == ""
    assert not (project.folder / ".git" / "refs" / "fairlead").exists()
    assert not Path(places.state).exists()


@pytest.mark.slow
def test_the_last_uninstall_names_what_stays(machine: Machine, dev: Path) -> None:
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    install(machine, dev, "kiro")
    _, shown = at_terminal(machine, "uninstall", "--yes", environment={"HOME": str(dev)})
    assert f"these stay: {machine.home}/state, {machine.home}/share" in " ".join(shown.split())


@pytest.mark.parametrize(
    "agent", sorted(set(INSTALLS) - {"amp", "opencode", "kilo", "cline", "kimi", "windsurf"})
)
def test_the_client_answers_before_the_timeout_that_the_agent_was_told(
    machine: Machine, dev: Path, agent: str
) -> None:
    """The client takes 0.6 of what its record says, which is what the settings say."""
    install(machine, dev, agent)
    record = (machine.home / "share" / "bin" / "fairlead-hook.record").read_text()
    assert "timeout=60\n" in record
    told = [
        value
        for file in dev.rglob("*.json")
        for key, value in _members(json.loads(file.read_text()))
        if key in ("timeout", "timeoutSec")
    ]
    if agent != "antigravity":  # which cannot be told
        assert told
    assert set(told) <= {60, 60_000}
    milliseconds = agent in ("gemini", "llxprt", "auggie")
    assert all((value == 60_000) is milliseconds for value in told)


def _members(value: object) -> list[tuple[str, object]]:
    if isinstance(value, list):
        return [pair for item in value for pair in _members(item)]
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in [(key, item), *_members(item)]]
    return []
