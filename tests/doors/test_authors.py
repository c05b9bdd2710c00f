"""For authors: hooks in three languages from a scaffold, and hooks that an agent had already."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal

pytestmark = pytest.mark.slow

GUARD = {"type": "command", "command": "grep -q evil && { echo no evil >&2; exit 2; }; exit 0", "timeout": 5}
SLOW = {"type": "command", "command": "sleep 30", "timeout": 1500}


@pytest.fixture
def guarded(machine: Machine) -> Machine:
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    return machine


@pytest.mark.parametrize("language", ["python", "bash", "node"])
def test_a_new_middleware_passes_its_own_test_once_it_is_trusted(guarded: Machine, language: str) -> None:
    if language == "node" and not shutil.which("node"):
        pytest.skip("NOT TESTED: there is no node on this machine")
    assert guarded.fairlead("new", "middleware", "my-rule", "--lang", language).returncode == 0
    code, shown = at_terminal(guarded, "trust", "--yes")
    assert code == 0, shown
    done = guarded.fairlead("test")
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"2 of 2 tests passed" in done.stdout + done.stderr


def test_a_new_middleware_overwrites_nothing_and_has_a_plain_name(guarded: Machine) -> None:
    guarded.fairlead("new", "middleware", "my-rule")
    again = guarded.fairlead("new", "middleware", "my-rule")
    assert {line[:4] for line in again.stdout.decode().splitlines()} == {"kept"}
    assert guarded.fairlead("new", "middleware", "../rule").returncode == 64


def agent_home(machine: Machine, folder: str, hooks: object) -> dict[str, str]:
    home: Path = machine.project.parent / "dev"
    (home / folder).mkdir(parents=True)
    (home / folder / "settings.json").write_text(json.dumps({"hooks": hooks}))
    return {"HOME": str(home)}


def test_imported_hooks_judge_every_agent_and_a_broken_one_no_longer_lets_calls_through(
    guarded: Machine,
) -> None:
    ours = {"type": "command", "command": "/x/fairlead-hook claude PreToolUse"}
    groups = [{"matcher": "Bash", "hooks": [GUARD, ours, {"type": "prompt", "prompt": "x"}]}]
    environment = agent_home(guarded, ".claude", {"PreToolUse": groups})
    code, shown = at_terminal(guarded, "import", "claude", "--yes", environment=environment)
    assert code == 1, shown  # one of them stays where it is
    assert "a handler of type 'prompt' runs only inside claude" in shown
    assert guarded.fairlead("policy", "check").returncode == 0
    refused = guarded.hook(guarded.bash("echo evil"), "codex")
    assert refused.returncode == 2
    assert b"no evil" in refused.stderr
    assert guarded.hook(guarded.bash("echo good"), "codex").returncode == 0
    script = next((guarded.home / "config" / "hooks" / "imported-claude").rglob("*.sh"))
    script.write_text("#!/bin/sh\nexit 7\n")
    assert guarded.hook(guarded.bash("echo good")).returncode == 2


def test_times_of_gemini_are_milliseconds(guarded: Machine) -> None:
    environment = agent_home(guarded, ".gemini", {"BeforeTool": [{"hooks": [SLOW]}]})
    code, shown = at_terminal(guarded, "import", "gemini", "--yes", environment=environment)
    assert code == 0, shown
    policy = next((guarded.home / "config" / "hooks").rglob("hook.meta.yaml"))
    assert "timeout: 2\n" in policy.read_text()
    assert guarded.hook(guarded.bash("ls")).returncode == 2


def test_import_needs_a_human(guarded: Machine) -> None:
    environment = agent_home(guarded, ".claude", {"PreToolUse": [{"hooks": [GUARD]}]})
    assert guarded.fairlead("import", "claude", "--yes", environment=environment).returncode == 1
    assert not (guarded.home / "config" / "hooks").exists()
