"""Real agents that run hooks of others beside ours: whatever those do, what is forbidden does not run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clients_kit import FORBIDDEN, REAL_AGENTS, REFUSED, Agent
from kit import Machine

pytestmark = REAL_AGENTS


def hook_files(home: Path, hook: str) -> None:
    """Cline runs every file that is named after an event, in the order of their paths."""
    folder = home / "Documents" / "Cline" / "Hooks"
    for name in ("PreToolUse.sh", "PreToolUse.bash"):
        (folder / name).write_text(f"#!/bin/sh\n{hook}\n")
        (folder / name).chmod(0o755)


def groups_in(
    name: str, event: str = "PreToolUse", *, before: bool = True, **matching: str
) -> Callable[[Path, str], None]:
    """One before ours, if wanted, and one after, in a file that has groups of handlers."""

    def write(home: Path, hook: str) -> None:
        file = home / name
        document = json.loads(file.read_text())
        other = {**matching, "hooks": [{"type": "command", "command": f"{hook};"}]}
        gates = document["hooks"][event]
        document["hooks"][event] = [*([other] if before else []), *gates, other]
        file.write_text(json.dumps(document))

    return write


def copilot_files(home: Path, hook: str) -> None:
    handler = {"type": "command", "bash": hook}
    for name in ("a.json", "z.json"):
        text = json.dumps({"version": 1, "hooks": {"preToolUse": [handler]}})
        (home / ".copilot" / "hooks" / name).write_text(text)


def plugins_of(agent: str) -> Callable[[Path, str], None]:
    def write(home: Path, hook: str) -> None:
        body = 'export const Other = async () => ({ "tool.execute.before": async () => { %s } })\n'
        for name in ("a.js", "z.js"):
            (home / ".config" / agent / "plugin" / name).write_text(body % hook)

    return write


FAULTS = {"fails": "exit 1", "says rubbish": "echo rubbish", "is killed": "kill -9 $$"}
NEIGHBOURS: dict[str, tuple[Callable[[Path, str], None], dict[str, str]]] = {
    "cline": (
        hook_files,
        {"allows": """echo '{"cancel": false}'""", "fails": "exit 1", "says rubbish": "echo rubbish"},
    ),
    "claude": (groups_in(".claude/settings.json"), FAULTS),
    "codex": (groups_in(".codex/hooks.json", before=False), FAULTS),
    "gemini": (groups_in(".gemini/settings.json", "BeforeTool"), FAULTS),
    "qwen": (groups_in(".qwen/settings.json"), FAULTS),
    "copilot": (copilot_files, FAULTS),
    "auggie": (groups_in(".augment/settings.json", matcher=".*"), FAULTS),
    "droid": (groups_in(".factory/settings.json"), FAULTS),
    "opencode": (plugins_of("opencode"), {"does nothing": ""}),
    "kilo": (plugins_of("kilo"), {"does nothing": ""}),
}
"""Those of Kimi, and more of Droid's, are in test_neighbours.py."""
UNTOLD = ("cline", "copilot")
"""Beside a hook of somebody else, a refusal ends Cline's run: only that holds whatever the other one says.
Copilot takes a hook that fails for a refusal, and tells the model only that."""


@pytest.mark.proves("neighbours")
def test_another_hook_does_not_let_through_what_ours_refuses(agent: Agent) -> None:
    if agent.client not in NEIGHBOURS:
        pytest.skip(f"NOT TESTED: hooks of others beside ours in {agent.client}")
    write, hooks = NEIGHBOURS[agent.client]
    before = agent.settings()
    for hook in hooks.values():
        agent.restore(before)
        write(agent.home, hook)
        agent.run(*FORBIDDEN, *(REFUSED[:-1] if agent.client in UNTOLD else REFUSED))


@pytest.mark.client("codex")
@pytest.mark.proves("neighbours")
def test_a_hook_before_ours_voids_codexs_review_which_doctor_sees_and_install_mends(machine: Machine) -> None:
    """Its record of a review has the place of the hook in its name."""
    agent = Agent("codex", machine)
    groups_in(".codex/hooks.json")(agent.home, "true")
    said = agent.doctor()
    assert said["codex itself ran a forbidden call: its hooks are not in force"] is False
    assert said[f"{agent.home}/.codex/config.toml is not as `install` left it"] is False
    agent.install("codex")
    agent.run(*FORBIDDEN, *REFUSED)
    machine.fairlead("daemon", "stop")


REWRITES = """\
import json, sys
call = json.load(sys.stdin)["tool_call"]
print(json.dumps({"overrideInput": {"commands": ["true; " + line for line in call["input"]["commands"]]}}))
"""


@pytest.mark.client("cline")
@pytest.mark.proves("neighbours")
@pytest.mark.parametrize("folder", ["Documents/Cline/Hooks", ".cline/hooks"])
def test_a_hook_that_rewrites_a_call_does_not_put_back_what_ours_refused(
    machine: Machine, folder: str
) -> None:
    agent = Agent("cline", machine)
    other = agent.home / folder / "PreToolUse.py"
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_text(f"#!/usr/bin/env python3\n{REWRITES}")
    other.chmod(0o755)
    agent.run(*FORBIDDEN, "--expect", "blocked")
    agent.run("--shell-command", "touch {marker}", "--expect", "ran")
    machine.fairlead("daemon", "stop")
