"""Hooks of others beside ours, and files that hide or break ours: nothing forbidden runs, or doctor sees it.

For the agents in which a neighbour was seen to win, or to take all hooks with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clients_kit import FORBIDDEN, REAL_AGENTS, REFUSED, Agent
from kit import Machine

pytestmark = REAL_AGENTS


def first_in_droid(home: Path, command: str) -> None:
    file = home / ".factory" / "settings.json"
    document = json.loads(file.read_text())
    document["hooks"]["PreToolUse"].insert(0, {"hooks": [{"type": "command", "command": command}]})
    file.write_text(json.dumps(document))


def first_in_kimi(home: Path, command: str) -> None:
    file = home / ".kimi-code" / "config.toml"
    entry = f'[[hooks]]\nevent = "PreToolUse"\ncommand = {json.dumps(command)}\n'
    file.write_text(entry + file.read_text())


PUT_FIRST: dict[str, Callable[[Path, str], None]] = {"droid": first_in_droid, "kimi": first_in_kimi}
ALLOW = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
NEIGHBOURS = {
    "allows": f"echo '{json.dumps(ALLOW)}'",
    "fails": "exit 1",
    "is not there": "/gone/hook",
    "is killed": "kill -9 $$",
    "prints noise": "echo noise",
}


@pytest.mark.proves("neighbours")
@pytest.mark.parametrize("client", PUT_FIRST)
@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_a_hook_of_somebody_else_does_not_open_the_gate(
    machine: Machine, client: str, neighbour: str
) -> None:
    agent = Agent(client, machine)
    PUT_FIRST[client](agent.home, NEIGHBOURS[neighbour])
    agent.run(*FORBIDDEN, *REFUSED)
    machine.fairlead("daemon", "stop")


HIDING = {"PreToolUse": [], "Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}


@pytest.mark.client("droid")
@pytest.mark.proves("off-switches")
def test_a_hooks_file_of_droid_that_hides_ours_is_found_and_mended(machine: Machine) -> None:
    agent = Agent("droid", machine)
    file = agent.home / ".factory" / "hooks.json"
    file.write_text(json.dumps(HIDING))
    said = agent.doctor()
    assert said[f"{file} is not as `install` left it"] is False
    assert said["factory itself ran a forbidden call: its hooks are not in force"] is False
    agent.install("droid")
    agent.run(*FORBIDDEN, *REFUSED)
    assert all(agent.doctor().values())
    machine.fairlead("daemon", "stop")


BREAKS = {
    "an unknown event": '[[hooks]]\nevent = "BeforeLunch"\ncommand = "true"\n',
    "an unknown key": '[[hooks]]\nevent = "Stop"\ncommand = "true"\nname = "mine"\n',
    "a long timeout": '[[hooks]]\nevent = "Stop"\ncommand = "true"\ntimeout = 601\n',
    "no TOML": "model = \n",
}


@pytest.mark.client("kimi")
@pytest.mark.proves("off-switches")
@pytest.mark.parametrize("mistake", BREAKS)
def test_a_mistake_that_makes_kimi_drop_all_hooks_is_found_and_seen_by_kimi_itself(
    machine: Machine, mistake: str
) -> None:
    agent = Agent("kimi", machine)
    file = agent.home / ".kimi-code" / "config.toml"
    file.write_text(file.read_text() + BREAKS[mistake])
    said = agent.doctor()
    assert said["kimi itself ran a forbidden call: its hooks are not in force"] is False
    assert any(what.startswith(f"{file}:") for what, ok in said.items() if not ok), said
    machine.fairlead("daemon", "stop")


@pytest.mark.client("kimi")
@pytest.mark.proves("shell")
def test_settings_of_an_older_kimi_stay_beside_the_new_ones(machine: Machine) -> None:
    (machine.project.parent / "dev" / ".kimi").mkdir(parents=True)
    agent = Agent("kimi", machine)
    assert "fairlead-hook" in (agent.home / ".kimi" / "config.toml").read_text()
    agent.run(*FORBIDDEN, *REFUSED)
    machine.fairlead("daemon", "stop")
