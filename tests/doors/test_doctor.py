"""`fairlead doctor`: it believes nothing, and asks the installed command itself."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.dialects.installs import INSTALLS
from kit import Machine

pytestmark = pytest.mark.slow


class Clinic:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dev = machine.project.parent / "dev"
        self.dev.mkdir()

    def run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        return self.machine.fairlead(*words, environment={"HOME": str(self.dev), "XDG_CONFIG_HOME": ""})

    def bad(self, *words: str) -> list[str]:
        findings = json.loads(self.run("doctor", "--quick", "--json", *words).stdout)
        return [finding["what"] for finding in findings if not finding["ok"]]


@pytest.fixture
def clinic(machine: Machine) -> Iterator[Clinic]:
    yield Clinic(machine)
    machine.fairlead("daemon", "stop")


def test_every_agent_that_was_installed_refuses_and_lets_pass(clinic: Clinic) -> None:
    clinic.run("install", *INSTALLS)
    done = clinic.run("doctor", "--quick")
    assert done.returncode == 0, done.stdout.decode()
    for agent in INSTALLS:
        assert f"{agent}: a forbidden call is refused" in done.stdout.decode()
        assert f"{agent}: a harmless call passes" in done.stdout.decode()


def test_a_changed_setting_and_a_lost_client_are_found_and_mended(clinic: Clinic) -> None:
    clinic.run("install", "cursor")
    hooks = clinic.dev / ".cursor" / "hooks.json"
    hooks.write_text(hooks.read_text().replace("failClosed", "failOpen"))
    (clinic.machine.home / "share" / "bin" / "fairlead-hook").unlink()
    bad = clinic.bad()
    assert any("hooks.json is not as `install` left it" in what for what in bad)
    assert any("fairlead-hook is missing" in what for what in bad)
    assert clinic.run("doctor", "--quick", "--fix").returncode == 0
    assert "failOpen" not in hooks.read_text()


def test_a_policy_that_lets_the_forbidden_call_through_fails_the_canary(clinic: Clinic) -> None:
    clinic.run("install", "kiro")
    folder = clinic.machine.user_policy(
        "event: PreToolUse\nmiddleware:\n  - {id: x, type: saftey, path: x.py}\n"
    )
    assert folder.exists()
    bad = clinic.bad("kiro")
    assert any("policy:" in what for what in bad)
    assert any("a harmless call is refused" in what for what in bad)


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        ("claude", ".claude/settings.local.json", '{"disableAllHooks": true}'),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
        ("qwen", ".qwen/settings.json", '{"disableAllHooks": true}'),
        ("copilot", ".github/copilot/settings.json", '{"disableAllHooks": true}'),
    ],
)
def test_a_file_in_the_project_that_switches_hooks_off_is_found(
    clinic: Clinic, agent: str, path: str, text: str
) -> None:
    clinic.run("install", agent)
    file: Path = clinic.machine.project / path
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert any(f"{path} switches hooks off" in what for what in clinic.bad(agent))


def test_off_is_found(clinic: Clinic) -> None:
    clinic.run("install", "kiro")
    (clinic.machine.home / "state" / "off").write_text("0\n")
    bad = clinic.bad("kiro")
    assert any("Fairlead is off" in what for what in bad)
    assert any("a forbidden call got through" in what for what in bad)


def test_hooks_that_an_agent_runs_twice_are_named(clinic: Clinic) -> None:
    clinic.run("install", "copilot", "vscode")
    clinic.run("install", "copilot", "--project")
    said = clinic.run("doctor", "copilot", "--quick").stdout.decode()
    assert "copilot: beside its own hooks it runs those of the project, those of vscode (user)" in said
