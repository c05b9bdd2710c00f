"""`fairlead doctor` through an agent itself: here a small one in Python, whose hooks work or do not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from kit import Machine

pytestmark = pytest.mark.slow

AGENT = '''#!{python}
"""As much of Claude Code as a canary needs: a model, a shell tool, and the hooks before it."""
import json, os, subprocess, sys, urllib.request

if "--version" in sys.argv:
    sys.exit(print("0.0.1 (small)"))
{start}
home, results = os.environ["HOME"], []
assert "SECRET" not in " ".join(os.environ.values())
hooks = json.load(open(home + "/.claude/settings.json"))["hooks"]["PreToolUse"]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({{}}))

def ask():
    body = {{"model": "m", "tools": [{{"name": "Bash"}}], "messages": [{{"role": "user", "content": [
        {{"type": "tool_result", "content": said}} for said in results]}}]}}
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    return json.load(opener.open(url, json.dumps(body).encode()))["content"][0]

def run(command):
    payload = {{"session_id": "s", "transcript_path": "", "cwd": os.getcwd(), "hook_event_name": "PreToolUse",
                "tool_name": "Bash", "tool_input": {{"command": command}}, "tool_use_id": str(len(results))}}
    for group in hooks{which}:
        for hook in group["hooks"]:
            told = json.dumps(payload).encode()
            done = subprocess.run(hook["command"], shell=True, input=told, capture_output=True)
            if done.returncode == 2:
                return {reason}
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout

while (block := ask())["type"] == "tool_use":
    results.append(run(block["input"]["command"]))
'''


ONLY = "not proved: tried through the installed command only:"


class Clinic:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dev, self.programs = machine.project.parent / "dev", machine.project.parent / "programs"
        self.temporary = machine.project.parent / "tmp"
        for folder in (self.dev, self.programs, self.temporary):
            folder.mkdir()

    def agent(self, *, start: str = "", which: str = "", reason: str = "done.stderr.decode()") -> None:
        text = AGENT.format(python=sys.executable, start=start, which=which, reason=reason)
        (self.programs / "claude").write_text(text)
        (self.programs / "claude").chmod(0o755)

    def run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        path = f"{self.programs}:{os.environ['PATH']}"
        environment = {"HOME": str(self.dev), "PATH": path, "ANTHROPIC_AUTH_TOKEN": "SECRET"}
        environment["TMPDIR"] = str(self.temporary)
        return self.machine.fairlead(*words, environment=environment)

    def said(self, *words: str) -> dict[str, bool]:
        findings = json.loads(self.run("doctor", "claude", "--json", *words).stdout)
        return {finding["what"]: finding["ok"] for finding in findings}


@pytest.fixture
def clinic(machine: Machine) -> Iterator[Clinic]:
    clinic = Clinic(machine)
    clinic.run("install", "--in-place", "claude")
    yield clinic
    machine.fairlead("daemon", "stop")


def test_an_agent_that_keeps_to_its_hooks_is_found_guarded(clinic: Clinic) -> None:
    clinic.agent()
    said = clinic.said()
    assert said["claude itself: a harmless call runs"]
    assert said["claude itself: a forbidden call is refused, the model is told why, and it is on record"]
    assert not list(clinic.temporary.iterdir())


def test_calls_that_an_agent_makes_for_the_doctor_are_marked_and_leave_nothing_behind(clinic: Clinic) -> None:
    clinic.agent()
    clinic.said()
    state = clinic.machine.home / "state"
    lines = [json.loads(line) for line in (state / "journal" / "journal.jsonl").read_text().splitlines()]
    assert [line["session"] for line in lines].count("s") == 2
    assert all(line["canary"] is True for line in lines)
    assert not (state / "sessions").exists()
    assert list((state / "canaries").iterdir()) == []


def test_an_agent_that_skips_its_hooks_is_found_out(clinic: Clinic) -> None:
    clinic.agent(which="[:0]")
    assert clinic.said()["claude itself ran a forbidden call: its hooks are not in force"] is False
    assert clinic.run("doctor", "claude").returncode == 1


def test_an_agent_that_swallows_the_reason_is_found_out(clinic: Clinic) -> None:
    clinic.agent(reason="'hook exited with code 2'")
    bad = [what for what, ok in clinic.said().items() if not ok]
    assert len(bad) == 1
    assert "the model was not told why: hook exited with code 2" in bad[0]


def test_a_refusal_that_is_not_ours_is_no_proof(clinic: Clinic) -> None:
    clinic.agent(which="[:0]", start="subprocess.run = lambda *a, **k: sys.exit('the sandbox said no')")
    said = clinic.said()
    assert not any(what.startswith("claude itself") for what in said)
    assert f"{ONLY} claude stopped after 0 calls (the sandbox said no)" in said


def test_an_agent_that_does_not_start_says_nothing_about_its_hooks(clinic: Clinic) -> None:
    clinic.agent(start="sys.exit('please sign in')")
    said = clinic.said()
    assert [what for what, ok in said.items() if not ok] == [
        f"{ONLY} claude asked its model for nothing (please sign in)"
    ]
    assert clinic.run("doctor", "claude").returncode == 0


def test_quick_starts_no_agent(clinic: Clinic) -> None:
    clinic.agent(start=f"open({str(clinic.dev / 'started')!r}, 'w')")
    assert clinic.run("doctor", "claude", "--quick").returncode == 0
    assert not (clinic.dev / "started").exists()


def test_an_agent_that_is_not_installed_is_not_started(clinic: Clinic) -> None:
    said = clinic.run("doctor", "gemini").stdout.decode()
    assert "gemini: not installed" in said
    assert "fairlead install gemini" in said
    assert "itself" not in said


def test_what_cannot_be_tried_says_why(clinic: Clinic) -> None:
    clinic.run("install", "--in-place", "kiro")
    said = clinic.run("doctor", "--verbose").stdout.decode()
    assert f"kiro: {ONLY} how to run it" in said
    assert f"{ONLY} `claude` is not on the path" in said


def test_what_was_not_proved_is_never_called_ok(clinic: Clinic) -> None:
    """By no word of the summary, and by no mark before the agent's name."""
    clinic.run("install", "--in-place", "kiro")
    clinic.agent()
    done = clinic.run("doctor")
    said, summary = done.stdout.decode().splitlines(), done.stderr.decode()
    assert done.returncode == 0, said
    assert [line.split()[0] for line in said if " kiro:" in line] == ["?", "?"]
    assert [line.split()[0] for line in said if " claude:" in line] == ["ok"]
    assert summary.splitlines()[-1] == "not proved: kiro"


def status_of(clinic: Clinic, agent: str = "claude") -> tuple[str, str]:
    shown = json.loads(clinic.run("status", "--json").stdout)
    (row,) = (row for row in shown["agents"] if row["agent"] == agent)
    return row["proved"], row["not_proved"]


def test_status_says_not_proved_until_the_agent_itself_was_refused(clinic: Clinic) -> None:
    clinic.agent()
    assert status_of(clinic) == ("", "it has not made a call for `fairlead doctor` yet")
    shown = clinic.run("status").stdout.decode()
    assert "installed, not proved" in shown
    assert "claude is not proved: it has not made a call" in shown
    clinic.said("--quick")
    assert status_of(clinic)[0] == ""
    clinic.said()
    day, why = status_of(clinic)
    assert (len(day), why) == (10, "")
    assert f"installed, proved {day}" in clinic.run("status").stdout.decode()
    assert clinic.said("--quick")[f"claude itself refused a forbidden call on {day}"]


def test_an_agent_that_nobody_can_drive_stays_unproved(clinic: Clinic) -> None:
    clinic.run("install", "--in-place", "kiro")
    clinic.run("doctor", "kiro")
    assert status_of(clinic, "kiro") == ("", "only its documentation stands behind it, nobody has driven it")


@pytest.mark.parametrize("change", ["program", "settings", "project", "client"])
def test_a_proof_ends_with_what_it_rests_on(clinic: Clinic, change: str) -> None:
    clinic.agent()
    clinic.said()
    assert status_of(clinic)[0]
    if change == "program":
        clinic.agent(start="# a newer one")
    elif change == "settings":
        file = clinic.dev / ".claude" / "settings.json"
        file.write_text(file.read_text().replace("{", '{"model": "x",', 1))
    elif change == "project":
        (clinic.machine.project / ".claude").mkdir()
        (clinic.machine.project / ".claude" / "settings.json").write_text("{}")
    else:
        client = clinic.machine.home / "share" / "bin" / "fairlead-hook"
        client.write_bytes(client.read_bytes() + b"\0")
    day, why = status_of(clinic)
    assert day == ""
    assert change == "client" or why.startswith("its program, its settings or Fairlead changed since")


def test_a_proof_ends_when_the_agent_fails_the_next_one(clinic: Clinic) -> None:
    clinic.agent()
    clinic.said()
    proofs = clinic.machine.home / "state" / "proofs.json"
    assert list(json.loads(proofs.read_text())) == ["claude"]
    clinic.agent(which="[:0]")
    clinic.said()
    assert json.loads(proofs.read_text()) == {}
    proofs.write_text("[1")
    assert status_of(clinic)[0] == ""
