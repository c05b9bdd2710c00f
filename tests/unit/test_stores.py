"""What the stores of agents get is made from the dialects, and cannot drift from them."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from fairlead import __version__
from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.model.event_name import GATING, event_named
from plugins.generate import PROGRAM, all_files, main, stale

FILES = all_files()
HOOKS = {
    "claude": "plugins/claude/hooks/hooks.json",
    "codex": "plugins/codex/hooks/hooks.json",
    "gemini": "plugins/gemini/hooks/hooks.json",
    "vscode": "plugins/vscode/fairlead-vscode.json",
}


def _commands(agent: str) -> dict[str, str]:
    found = {}
    for event, (entry,) in json.loads(FILES[HOOKS[agent]])["hooks"].items():
        found[event] = entry["hooks"][0]["command"] if "hooks" in entry else entry["command"]
    return found


def test_the_files_are_what_the_script_makes():
    assert stale() == [], "run python plugins/generate.py"


def test_the_check_says_which_file_is_another(tmp_path):
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    assert stale(tmp_path) == []
    (tmp_path / "plugins/gemini/hooks/hooks.json").write_text("{}")
    (tmp_path / "plugins/opencode/index.js").unlink()
    assert stale(tmp_path) == ["plugins/gemini/hooks/hooks.json", "plugins/opencode/index.js"]


def test_the_check_is_a_command(capsys):
    assert (main(["--check"]), capsys.readouterr().out) == (0, "")


@pytest.mark.parametrize("path", [path for path in FILES if path.endswith(".json")])
def test_manifests_agree_on_name_and_version(path):
    described = json.loads(FILES[path])
    assert described.get("version", __version__) in (__version__, 1)
    assert described.get("name", "fairlead").startswith("fairlead")
    assert not re.search(rb"/(?:root|tmp|work)/", FILES[path])


@pytest.mark.parametrize("agent", HOOKS)
def test_a_store_has_every_event_that_install_writes(agent):
    setup = INSTALLS[agent]
    assert set(_commands(agent)) <= set(dialect_named(agent).events)
    assert set(setup.events) <= set(_commands(agent))
    assert any(event_named(event) in GATING for event in _commands(agent))


@pytest.mark.parametrize("agent", HOOKS)
def test_without_the_client_a_gate_refuses_and_says_what_to_do(agent, tmp_path):
    for event, command in _commands(agent).items():
        done = subprocess.run(
            ["sh", "-c", command],
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
            capture_output=True,
            check=False,
        )
        said = (done.stdout + done.stderr).decode()
        if event_named(event) in GATING:
            assert "fairlead install --client" in said, event
            assert done.returncode == 2 or "deny" in said, event
        else:
            assert done.returncode == 0, event
            assert b"deny" not in done.stdout


@pytest.mark.parametrize("agent", HOOKS)
def test_the_client_is_found_below_the_home_of_whoever_runs_it(agent, tmp_path):
    home = tmp_path / "a home"
    client = home / PROGRAM.removeprefix("~/")
    client.parent.mkdir(parents=True)
    client.write_text('#!/bin/sh\necho "$# $1 $2"\n')
    client.chmod(0o755)
    for event, command in _commands(agent).items():
        done = subprocess.run(
            ["sh", "-c", command],
            env={"HOME": str(home), "PATH": os.environ["PATH"]},
            capture_output=True,
            check=False,
        )
        assert done.stdout.decode() == f"2 {agent} {event}\n"


def test_cursors_gates_fail_closed():
    hooks = json.loads(FILES["plugins/cursor/hooks.json"])["hooks"]
    for event in ("beforeShellExecution", "beforeMCPExecution", "beforeReadFile"):
        assert hooks[event][0]["failClosed"] is True
