"""Real agents that run hooks of others beside ours: whatever those do, what is forbidden does not run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clients_kit import FORBIDDEN, REAL_AGENTS, REFUSED, Agent

pytestmark = REAL_AGENTS


def hook_files(home: Path, hook: str) -> None:
    """Cline runs every file that is named after an event, in the order of their paths."""
    folder = home / "Documents" / "Cline" / "Hooks"
    for name in ("PreToolUse.sh", "PreToolUse.bash"):
        (folder / name).write_text(f"#!/bin/sh\n{hook}\n")
        (folder / name).chmod(0o755)


def auggie_settings(home: Path, hook: str) -> None:
    file = home / ".augment" / "settings.json"
    document = json.loads(file.read_text())
    other = {"matcher": ".*", "hooks": [{"type": "command", "command": f"{hook};"}]}
    gates = document["hooks"]["PreToolUse"]
    document["hooks"]["PreToolUse"] = [other, *gates, other]
    file.write_text(json.dumps(document))


def kilo_plugins(home: Path, hook: str) -> None:
    body = 'export const Other = async () => ({ "tool.execute.before": async () => { %s } })\n'
    for name in ("a.js", "z.js"):
        (home / ".config" / "kilo" / "plugin" / name).write_text(body % hook)


NEIGHBOURS: dict[str, tuple[Callable[[Path, str], None], dict[str, str]]] = {
    "cline": (
        hook_files,
        {"allows": """echo '{"cancel": false}'""", "fails": "exit 1", "says rubbish": "echo rubbish"},
    ),
    "auggie": (auggie_settings, {"fails": "exit 1", "says rubbish": "echo rubbish"}),
    "kilo": (kilo_plugins, {"does nothing": ""}),
}


def test_another_hook_does_not_let_through_what_ours_refuses(agent: Agent) -> None:
    if agent.client not in NEIGHBOURS:
        pytest.skip(f"NOT TESTED: hooks of others beside ours in {agent.client}")
    write, hooks = NEIGHBOURS[agent.client]
    for hook in hooks.values():
        write(agent.home, hook)
        agent.run(*FORBIDDEN, *REFUSED)
