"""`fairlead install` and its way back, as real processes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from fairlead.dialects.installs import INSTALLS
from fairlead.dialects.table import dialect_named
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal

SETTINGS = '{\n  // mine\n  "model": "opus",\n  "hooks": {"Stop": []}\n}\n'


@pytest.fixture
def dev(machine: Machine) -> Path:
    """The home that agents look their settings up in."""
    home = machine.project.parent / "dev"
    home.mkdir()
    return home


def install(machine: Machine, dev: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return machine.fairlead("install", *words, environment={"HOME": str(dev), "XDG_CONFIG_HOME": ""})


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
    done = machine.fairlead("install", environment={"HOME": str(dev), "PATH": "/nowhere"})
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
    assert b"never called" in machine.fairlead("status", environment={"HOME": str(dev)}).stdout
    machine.hook({**machine.bash("ls"), "tool_name": "execute_bash"}, "kiro")
    assert b"installed      called 2" in machine.fairlead("status", environment={"HOME": str(dev)}).stdout


@pytest.mark.slow
def test_a_passphrase_can_be_chosen_at_install_and_is_then_asked_for(machine: Machine, dev: Path) -> None:
    home = {"HOME": str(dev)}
    code, shown = at_terminal(machine, "install", "kiro", "--passphrase", environment=home)
    assert (code, "a human is needed" in shown) == (1, True), "an agent could choose one that it knows"
    code, shown = at_terminal(machine, "install", "kiro", "--passphrase", environment=home, logged_in=True)
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
