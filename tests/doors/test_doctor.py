"""`fairlead doctor`: it believes nothing, asks the installed command itself, and names the cause."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairlead.dialects.setup.installs import INSTALLS
from kit import Machine, own_installation

pytestmark = pytest.mark.slow

Finding = dict[str, Any]


class Clinic:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dev = machine.project.parent / "dev"
        self.dev.mkdir()
        self.state = machine.home / "state"
        self.client = machine.home / "share" / "bin" / "fairlead-hook"
        self.record = machine.home / "share" / "bin" / "fairlead-hook.record"

    def run(self, *words: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
        environment = {"HOME": str(self.dev), "XDG_CONFIG_HOME": "", **more.pop("environment", {})}
        return self.machine.fairlead(*words, environment=environment, timeout=180, **more)

    def install(self, *agents: str) -> None:
        """Without an environment of its own, which takes longer than all the rest."""
        assert self.run("install", "--in-place", *agents).returncode == 0

    def findings(self, *words: str, **more: Any) -> list[Finding]:
        found: list[Finding] = json.loads(self.run("doctor", "--quick", "--json", *words, **more).stdout)
        return found

    def bad(self, *words: str) -> list[str]:
        return [finding["what"] for finding in self.findings(*words) if finding["level"] == "bad"]

    def write_record(self, **fields: object) -> None:
        known = dict(line.split("=", 1) for line in self.record.read_text().splitlines())
        self.record.write_text("".join(f"{key}={value}\n" for key, value in {**known, **fields}.items()))

    def program(self, name: str, text: str) -> Path:
        path = self.dev / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def project_policy(self, text: str) -> None:
        folder = self.machine.project / ".fairlead" / "hooks" / "own"
        folder.mkdir(parents=True)
        (folder / "hook.meta.yaml").write_text(text)


@pytest.fixture
def clinic(machine: Machine) -> Iterator[Clinic]:
    yield Clinic(machine)
    machine.fairlead("daemon", "stop")


def test_every_agent_that_was_installed_refuses_and_lets_pass(clinic: Clinic) -> None:
    clinic.install(*INSTALLS)
    done = clinic.run("doctor", "--quick", "--verbose")
    assert done.returncode == 0, done.stdout.decode()
    for agent in INSTALLS:
        assert f"{agent}: a forbidden call is refused" in done.stdout.decode()
        assert f"{agent}: a harmless call passes" in done.stdout.decode()
    assert all(line["canary"] is True for line in clinic.machine.journal())
    assert not (clinic.state / "sessions").exists()


def test_an_environment_of_its_own_is_well_and_one_of_another_build_is_not(clinic: Clinic) -> None:
    clinic.run("install", "kiro")
    assert clinic.bad() == []
    interpreter = next(
        line for line in clinic.record.read_text().splitlines() if line.startswith("interpreter=")
    )
    package = next(
        Path(interpreter[len("interpreter=") :]).parent.parent.glob("lib/*/site-packages/fairlead")
    )
    with (package / "errors.py").open("a") as file:
        file.write("# changed\n")
    finding = _named(clinic.findings("--fix"), "build")
    assert "agents are answered by another build" in finding["what"]
    assert finding["fix"] == "fairlead install"
    clinic.run("install", "kiro")
    assert clinic.bad() == []


def test_a_healthy_machine_is_told_so_in_few_lines(clinic: Clinic) -> None:
    clinic.install("kiro", "claude")
    done = clinic.run("doctor", "--quick", environment={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "ok   fairlead",
        "?    claude",
        "?    claude",
        "?    kiro",
        "?    kiro",
    ]
    assert all("not proved" in line for line in (lines[2], lines[4]))


# --- each way in which an installation can rot: break one thing, and see it named and mended ---


def _hide_client(clinic: Clinic) -> None:
    clinic.client.unlink()


def _lock_client(clinic: Clinic) -> None:
    clinic.client.chmod(0o644)


def _spoil_client(clinic: Clinic) -> None:
    clinic.client.write_bytes(b"\x00\x01")


def _other_build(clinic: Clinic) -> None:
    with clinic.client.open("ab") as file:
        file.write(b"\n#\n")


def _hide_record(clinic: Clinic) -> None:
    clinic.record.unlink()


def _hide_interpreter(clinic: Clinic) -> None:
    clinic.write_record(interpreter=clinic.dev / "venv" / "bin" / "python")


def _bare_interpreter(clinic: Clinic) -> None:
    clinic.write_record(interpreter=clinic.program("python", "echo No module named fairlead >&2; exit 1"))


def _long_timeout(clinic: Clinic) -> None:
    clinic.write_record(timeout=600)


def _hide_settings(clinic: Clinic) -> None:
    (clinic.dev / ".kiro" / "hooks" / "fairlead.json").unlink()


def _short_timeout(clinic: Clinic) -> None:
    path = clinic.dev / ".kiro" / "hooks" / "fairlead.json"
    path.write_text(path.read_text().replace('"timeout": 60', '"timeout": 1'))


def _marker_folder(clinic: Clinic) -> None:
    (clinic.state / "off" / "x").mkdir(parents=True)


def _client_is_a_folder(clinic: Clinic) -> None:
    clinic.client.unlink()
    (clinic.client / "x").mkdir(parents=True)


def _client_is_a_link(clinic: Clinic) -> None:
    clinic.client.rename(clinic.dev / "moved")
    clinic.client.symlink_to(clinic.dev / "moved")


def _socket_is_a_folder(clinic: Clinic) -> None:
    (clinic.machine.home / "run").mkdir(mode=0o700, exist_ok=True)
    (clinic.machine.home / "run" / "daemon.sock" / "x").mkdir(parents=True)


def _switch_off(clinic: Clinic) -> None:
    clinic.state.mkdir(exist_ok=True)
    (clinic.state / "off").write_text("0\n")
    (clinic.state / "off").chmod(0o600)


def _no_journal(clinic: Clinic) -> None:
    clinic.state.mkdir(exist_ok=True)
    (clinic.state / "journal").write_text("")


def _spoil_ledger(clinic: Clinic) -> None:
    (clinic.state / "installed.json").write_text("{{{")


Break = Callable[[Clinic], None]

MENDED: list[tuple[Break, str, str, str]] = [
    (_hide_client, "client", "is missing", "fairlead install"),
    (_lock_client, "client", "may not be run", "fairlead install"),
    (_client_is_a_folder, "client", "is not a plain file", "fairlead install"),
    (_client_is_a_link, "client", "is not a plain file", "fairlead install"),
    (_spoil_client, "client", "does not run", "fairlead install"),
    (_other_build, "build", "another build", "fairlead install"),
    (_hide_record, "interpreter", "is not recorded", "fairlead install"),
    (_hide_interpreter, "interpreter", "is gone", "fairlead install"),
    (_bare_interpreter, "interpreter", "has no Fairlead (No module named fairlead)", "fairlead install"),
    (_long_timeout, "timeout", "counts on 600 seconds", "fairlead install"),
    (_hide_settings, "settings", "is not as `install` left it", "fairlead install kiro"),
    (_short_timeout, "settings", "is not as `install` left it", "fairlead install kiro"),
    (_spoil_ledger, "ledger", "installed.json cannot be read", "mv "),
    (_marker_folder, "off", "is a folder", "mv "),
]
BY_HAND: list[tuple[Break, str, str, str]] = [
    (_socket_is_a_folder, "socket", "daemon.sock is a folder", "rm -r "),
    (_switch_off, "off", "Fairlead is off for every agent until it is switched on", "fairlead on"),
    (_no_journal, "journal", "is not a folder", "mv "),
]


def _named(found: list[Finding], id: str) -> Finding:
    (finding,) = [one for one in found if one["id"] == id and one["level"] == "bad"]
    return finding


@pytest.mark.parametrize(("broken", "id", "what", "fix"), MENDED, ids=[row[0].__name__ for row in MENDED])
def test_what_is_broken_is_named_with_its_command_and_mended(
    clinic: Clinic, broken: Break, id: str, what: str, fix: str
) -> None:
    clinic.install("kiro")
    broken(clinic)
    finding = _named(clinic.findings(), id)
    assert what in finding["what"]
    assert finding["fix"].startswith(fix)
    assert finding["why"]
    done = clinic.run("doctor", "--quick", "--fix")
    assert done.returncode == 0, done.stdout.decode()
    assert f"mended: {finding['what']}" in done.stderr.decode()
    assert [line for line in clinic.findings() if line["level"] == "bad"] == []


@pytest.mark.parametrize(("broken", "id", "what", "fix"), BY_HAND, ids=[row[0].__name__ for row in BY_HAND])
def test_what_only_a_person_may_mend_is_named_with_its_command_and_left_alone(
    clinic: Clinic, broken: Break, id: str, what: str, fix: str
) -> None:
    clinic.install("kiro")
    broken(clinic)
    finding = _named(clinic.findings("--fix"), id)
    assert what in finding["what"]
    assert finding["fix"].startswith(fix)
    assert not finding["mendable"]
    assert clinic.run("doctor", "--quick", "--fix").returncode == 1


def test_an_interpreter_that_is_gone_leaves_no_agent_well(clinic: Clinic) -> None:
    """The client then answers by itself: that is no judgement, whatever the agent's words for it."""
    clinic.install(*INSTALLS)
    _hide_interpreter(clinic)
    found = clinic.findings()
    for agent in INSTALLS:
        mine = {one["id"]: one for one in found if one["agent"] == agent}
        assert not mine["refuses"]["ok"], agent
        assert not mine["passes"]["ok"], agent
        assert "nothing could answer" in mine["passes"]["why"], agent
    assert clinic.run("doctor", "--quick", "--fix").returncode == 0


def test_a_socket_folder_that_is_open_to_others_is_closed(clinic: Clinic) -> None:
    clinic.install("kiro")
    run = clinic.machine.home / "run"
    run.mkdir(exist_ok=True)
    run.chmod(0o755)
    done = clinic.run("doctor", "--quick", "--fix")
    assert done.returncode == 0
    assert f"mended: {run} is open to others (mode 755)" in done.stderr.decode()
    assert run.stat().st_mode & 0o777 == 0o700


def test_an_installation_that_was_deleted_is_found_and_mended_from_another_one(clinic: Clinic) -> None:
    python = own_installation(clinic.dev / "venv")
    words = [
        python,
        "-I",
        "-m",
        "fairlead",
        "--home",
        clinic.machine.home,
        "install",
        "--in-place",
        "gemini",
        "qwen",
    ]
    environment = {"HOME": str(clinic.dev), "PATH": "/usr/bin:/bin"}
    subprocess.run(words, env=environment, cwd=clinic.machine.project, check=True, capture_output=True)
    shutil.rmtree(clinic.dev / "venv")
    found = clinic.findings()
    assert f"{python} is gone" in _named(found, "interpreter")["what"]
    for agent in ("gemini", "qwen"):
        assert [one["ok"] for one in found if one["agent"] == agent and one["id"] == "passes"] == [False]
    assert clinic.run("doctor", "--quick", "--fix").returncode == 0
    assert str(python) not in clinic.record.read_text().splitlines()[0]


def test_a_change_in_the_settings_is_shown_by_its_first_line(clinic: Clinic) -> None:
    clinic.install("kiro")
    _short_timeout(clinic)
    assert _named(clinic.findings(), "settings")["why"] == (
        'it has `"timeout": 1,`, where `"timeout": 60,` belongs'
    )


def test_a_changed_setting_and_a_lost_client_are_found_and_mended_at_once(clinic: Clinic) -> None:
    clinic.install("cursor")
    hooks = clinic.dev / ".cursor" / "hooks.json"
    hooks.write_text(hooks.read_text().replace("failClosed", "failOpen"))
    clinic.client.unlink()
    bad = clinic.bad()
    assert any("hooks.json is not as `install` left it" in what for what in bad)
    assert any("fairlead-hook is missing" in what for what in bad)
    assert clinic.run("doctor", "--quick", "--fix").returncode == 0
    assert "failOpen" not in hooks.read_text()


def test_a_policy_that_lets_the_forbidden_call_through_fails_the_canary(clinic: Clinic) -> None:
    clinic.install("kiro")
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
        ("factory", ".factory/settings.json", '{"hooks": {"hooksDisabled": true}}'),
        ("factory", ".factory/hooks.json", '{"hooksDisabled": true}'),
        ("llxprt", ".llxprt/settings.json", '{"hooksConfig": {"enabled": false}}'),
        ("llxprt", ".llxprt/settings.json", '{"tools": {"enableHooks": false}}'),
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


def test_a_switch_of_the_user_is_found(clinic: Clinic) -> None:
    clinic.install("codex")
    config = clinic.dev / ".codex" / "config.toml"
    config.write_text(config.read_text() + "\n[features]\nhooks = false\n")
    assert _named(clinic.findings(), "switch")["what"] == f"{config} switches hooks off (features.hooks)"


def test_gemini_with_our_hooks_on_its_list_of_hooks_left_out_is_not_well(clinic: Clinic) -> None:
    clinic.install("gemini")
    path = clinic.dev / ".gemini" / "settings.json"
    settings = json.loads(path.read_text())
    line = settings["hooks"]["BeforeTool"][0]["hooks"][0]["command"]
    path.write_text(json.dumps(settings | {"hooksConfig": {"disabled": [line]}}, indent=2))
    assert _named(clinic.findings(), "switch")["fix"] == f"remove hooksConfig.disabled from {path}"


@pytest.mark.parametrize(
    ("agent", "path"),
    [("kimi", ".kimi-code/config.toml"), ("llxprt", ".config/llxprt-code/settings.json")],
)
def test_the_file_that_the_agent_reads_today_is_the_one_that_is_looked_at(
    clinic: Clinic, agent: str, path: str
) -> None:
    clinic.install(agent)
    (clinic.dev / path).write_text("" if path.endswith(".toml") else "{}")
    assert any(f"{path} is not as `install` left it" in what for what in clinic.bad(agent))


def test_off_is_found_and_so_is_what_it_lets_through(clinic: Clinic) -> None:
    clinic.install("kiro")
    _switch_off(clinic)
    bad = clinic.bad("kiro")
    assert any("Fairlead is off" in what for what in bad)
    assert any("a forbidden call got through" in what for what in bad)


def test_hooks_that_an_agent_runs_twice_are_named(clinic: Clinic) -> None:
    clinic.install("copilot", "vscode")
    clinic.run("install", "copilot", "--project")
    said = clinic.run("doctor", "copilot", "--quick").stdout.decode()
    assert "copilot: beside its own hooks it runs those of the project, those of vscode (user)" in said


# --- two installations ---


def _add_other_client(clinic: Clinic, path: Path) -> Path:
    settings = clinic.dev / ".codex" / "hooks.json"
    document = json.loads(settings.read_text())
    groups = document["hooks"]["PreToolUse"]
    ours = json.dumps(groups[0])
    groups.append(json.loads(ours.replace(str(clinic.client), str(path))))
    settings.write_text(json.dumps(document, indent=2))
    return settings


def test_the_client_of_another_installation_that_is_gone_is_taken_out(clinic: Clinic) -> None:
    clinic.install("codex")
    gone = clinic.dev / "old" / "bin" / "fairlead-hook"
    settings = _add_other_client(clinic, gone)
    finding = _named(clinic.findings(), "second-client")
    assert f"also runs {gone}, of another installation that is gone" in finding["what"]
    assert clinic.run("doctor", "--quick", "--fix").returncode == 0
    assert str(gone) not in settings.read_text()
    assert str(clinic.client) in settings.read_text()


def test_the_client_of_another_installation_that_works_is_noted(clinic: Clinic) -> None:
    clinic.install("codex")
    other = clinic.dev / "old" / "bin"
    other.mkdir(parents=True)
    (other / "fairlead-hook").write_bytes(clinic.client.read_bytes())
    (other / "fairlead-hook").chmod(0o755)
    _add_other_client(clinic, other / "fairlead-hook")
    notes = [one for one in clinic.findings() if one["level"] == "note"]
    assert "second-client" in [one["id"] for one in notes]


def test_another_installation_that_answers_is_noted(clinic: Clinic) -> None:
    clinic.install("kiro")
    package = clinic.dev / "other" / "fairlead" / "__init__.py"
    text = f'case "$2" in -m) echo "fairlead, version 9.9";; *) echo {package};; esac'
    other = clinic.program("python", text)
    clinic.write_record(interpreter=other)
    (found,) = [one for one in clinic.findings() if one["id"] == "build"]
    assert f"agents are answered by {other} (fairlead 9.9)" in found["what"]
    assert found["level"] == "note"


def test_another_fairlead_on_the_path_is_noted(clinic: Clinic) -> None:
    clinic.install("kiro")
    other = clinic.program("fairlead", "exit 1")
    found = clinic.findings(environment={"PATH": f"{clinic.dev}:{os.environ['PATH']}"})
    assert [one["what"] for one in found if one["id"] == "path"] == [
        f"`fairlead` on the path is {other}, another one than what agents are answered by"
    ]
    for folder in (os.path.dirname(sys.executable), str(clinic.client.parent)):
        found = clinic.findings(environment={"PATH": folder})
        assert not [one for one in found if one["id"] == "path"]


# --- trust ---

UNTRUSTED = """
event: PreToolUse
middleware:
  - {id: block-dangerous-commands, config: {dangerous_patterns: ["^ls$"]}}
  - {id: mine, type: safety, path: mine.py}
"""


def test_an_untrusted_policy_is_said_to_be_so_and_what_it_does_is_no_mystery(clinic: Clinic) -> None:
    clinic.install("kiro")
    clinic.project_policy(UNTRUSTED)
    found = clinic.findings("kiro")
    (trust,) = [one for one in found if one["id"] == "trust"]
    assert trust["level"] == "note"
    assert "is untrusted: 1 of its entries only tighten, 1 are left out" in trust["what"]
    assert trust["fix"] == "fairlead trust"
    refused = _named(found, "passes")
    assert "a rule of this project's own untrusted policy" in refused["why"]
    assert refused["fix"].startswith("fairlead explain ")
    explained = clinic.run(*refused["fix"].split()[1:]).stdout.decode()
    assert "made by `fairlead doctor`" in explained


def test_an_untrusted_policy_that_does_no_harm_is_no_fault(clinic: Clinic) -> None:
    clinic.install("kiro")
    clinic.project_policy("event: PreToolUse\nmiddleware:\n  - {id: block-dangerous-commands}\n")
    done = clinic.run("doctor", "--quick")
    assert done.returncode == 0
    assert "note" in done.stdout.decode()
    assert "fix: fairlead trust" in done.stdout.decode()


# --- its own calls ---


def test_doctor_judges_the_project_that_it_is_run_in_each_time(clinic: Clinic) -> None:
    clinic.install("claude")
    other = clinic.machine.project.parent / "other"
    (other / ".git").mkdir(parents=True)
    clinic.findings()
    clinic.findings(cwd=other, environment={"CLAUDE_PROJECT_DIR": str(clinic.machine.project)})
    roots = [call["root"] for call in clinic.machine.journal()]
    assert roots == [str(clinic.machine.project)] * 2 + [str(other)] * 2


def test_a_second_run_is_no_call_that_was_answered_twice(clinic: Clinic) -> None:
    clinic.install("claude")
    clinic.findings()
    clinic.findings()
    calls = clinic.machine.journal()
    assert len(calls) == 4
    assert not any("attempts" in call for call in calls)
    assert len({call["session"] for call in calls}) == 2


def test_the_journal_tells_of_agents_and_not_of_the_doctor(clinic: Clinic) -> None:
    clinic.install("claude")
    clinic.findings()
    clinic.machine.hook(clinic.machine.bash("ls -l"))
    for command, asked in (("log", 1), ("sessions", 1)):
        done = clinic.run(command, "--json")
        assert len(json.loads(done.stdout)) == asked
        assert b"2 calls of `fairlead doctor` are left out; --canaries shows them" in done.stderr
        assert len(json.loads(clinic.run(command, "--json", "--canaries").stdout)) == asked + (
            command == "log"
        ) * 2 + (command == "sessions")
    stats = json.loads(clinic.run("stats", "--json").stdout)
    assert (stats["total"]["calls"], stats["canaries_left_out"]) == (1, 2)
    assert json.loads(clinic.run("stats", "--json", "--canaries").stdout)["total"]["calls"] == 3
    assert len(clinic.run("tail", "--json").stdout.splitlines()) == 1
    assert len(clinic.run("tail", "--json", "--canaries").stdout.splitlines()) == 3
    assert b"1 call: 1 decided the same" in clinic.run("replay").stdout
    assert b"3 calls: 3 decided the same" in clinic.run("replay", "--canaries").stdout
    assert b"ls -l" in clinic.run("explain", "--last").stdout


# --- how it is asked, and how it answers ---


def test_an_agent_that_is_not_installed_is_a_fault_when_it_is_asked_for(clinic: Clinic) -> None:
    clinic.install("kiro")
    done = clinic.run("doctor", "claude", "--quick")
    assert done.returncode == 1
    assert "claude: not installed\n     fix: fairlead install claude" in done.stdout.decode()


def test_a_machine_without_a_guarded_agent_is_told_how_to_begin(clinic: Clinic) -> None:
    done = clinic.run("doctor", "--quick")
    assert done.returncode == 1
    assert "no agent is guarded" in done.stdout.decode()


@pytest.mark.parametrize("words", [["nobody"], ["generic"], ["--wrong"]])
def test_wrong_usage_has_its_own_exit_code(clinic: Clinic, words: list[str]) -> None:
    assert clinic.run("doctor", *words).returncode == 64


def test_every_finding_has_the_same_keys(clinic: Clinic) -> None:
    clinic.install("kiro")
    keys = {"id", "ok", "level", "agent", "what", "why", "fix", "mendable"}
    assert all(one.keys() == keys for one in clinic.findings())


def test_what_settings_say_cannot_steer_the_terminal(clinic: Clinic) -> None:
    clinic.install("kiro")
    path = clinic.dev / ".kiro" / "hooks" / "fairlead.json"
    path.write_text(path.read_text().replace('"timeout": 60', '"timeout": "\x1b[2J\x1b]0;x\x07"', 1))
    said = clinic.run("doctor", "--quick").stdout
    assert b"where `" in said
    assert b"\x1b" not in said


def test_a_home_with_a_blank_in_its_name_has_no_second_client(machine: Machine) -> None:
    machine.home = machine.home.parent / "my home"
    clinic = Clinic(machine)
    clinic.install("codex", "claude")
    found = clinic.findings()
    assert all(one["level"] != "bad" and one["id"] != "second-client" for one in found)
    machine.fairlead("daemon", "stop")


def test_a_hook_of_somebody_else_that_makes_cline_end_its_run_is_named(clinic: Clinic) -> None:
    clinic.install("cline")
    assert not [one for one in clinic.findings() if one["id"] == "neighbour"]
    other = clinic.dev / "Documents" / "Cline" / "Hooks" / "PreToolUse.py"
    other.write_text("#!/usr/bin/env python3\n")
    (finding,) = (one for one in clinic.findings() if one["id"] == "neighbour")
    assert (finding["level"], str(other) in finding["what"]) == ("note", True)
