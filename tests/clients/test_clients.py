"""Real agents, set up by `fairlead install` alone, against a scripted model on loopback.

`make test-clients` runs these. They need node, npm and the rig that drives the clients (FAIRLEAD_RIG); the
clients are fetched once into a cache outside the tree. FAIRLEAD_CLIENTS chooses some of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit import Machine

CLIENTS = ("claude", "codex", "gemini", "qwen", "copilot", "opencode")
REWRITERS = tuple(client for client in CLIENTS if client != "qwen")
CHOSEN = tuple(os.environ.get("FAIRLEAD_CLIENTS", " ".join(CLIENTS)).split())
RIG = os.environ.get("FAIRLEAD_RIG", "")
CACHE = os.environ.get("FAIRLEAD_CLIENT_CACHE", os.path.expanduser("~/.cache/fairlead-clients"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.clients,
    pytest.mark.skipif(
        not os.path.isfile(RIG), reason="NOT TESTED WITH REAL AGENTS: FAIRLEAD_RIG names no rig"
    ),
    pytest.mark.skipif(not shutil.which("npm"), reason="NOT TESTED WITH REAL AGENTS: there is no npm"),
]

POLICY = """\
event: PreToolUse
middleware:
  - id: shorten
    type: transformation
    path: rules.py
  - id: refuse
    type: safety
    path: refuse.py
"""
REWRITE = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    given = hook_input["tool_input"]
    key = "cmd" if "cmd" in given else "command"
    words = given.get(key, "")
    if not isinstance(words, str) or "please-rewrite" not in words:
        return MiddlewareResult(decision="continue", reason="")
    return MiddlewareResult(
        decision="continue", reason="", updated_input={**given, key: words.split(" # ")[0] + ".rewritten"}
    )
"""
REFUSE = """\
import json
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    text = json.dumps(hook_input)
    if "rig made this" in text or "# RIG" in text or '"text": "hi"' in text:
        return MiddlewareResult(decision="block", reason="REFUSED-HERE")
    return MiddlewareResult(decision="continue", reason="")
"""


class Agent:
    """One client in a home and a project of its own, guarded."""

    def __init__(self, client: str, machine: Machine) -> None:
        self.client, self.machine = client, machine
        self.home = machine.project.parent / "dev"
        self.home.mkdir()
        (machine.project / "README.md").write_text("# rig project\n")
        folder = machine.user_policy(POLICY)
        (folder / "rules.py").write_text(REWRITE)
        (folder / "refuse.py").write_text(REFUSE)
        self.install(client)

    def install(self, *words: str) -> None:
        environment = {"HOME": str(self.home), "XDG_CONFIG_HOME": ""}
        done = self.machine.fairlead("install", *words, environment=environment)
        assert done.returncode == 0, done.stderr

    def run(self, *words: str) -> dict[str, object]:
        log = self.machine.home / "state" / "journal" / "journal.jsonl"
        untrusted = ["--no-trust"] if self.client == "codex" else []
        command = [sys.executable, RIG, self.client, "--clients", CACHE, "--home", str(self.home)]
        command += ["--project", str(self.machine.project), "--no-hook-config", "--hook-log", str(log)]
        done = subprocess.run(
            [*command, *untrusted, *words], capture_output=True, text=True, timeout=300, check=False
        )
        verdict: dict[str, object] = json.loads(done.stdout)
        assert verdict.get("ok") or "--expect" not in words, verdict
        return verdict


@pytest.fixture(params=[client for client in CLIENTS if client in CHOSEN])
def agent(request: pytest.FixtureRequest, machine: Machine) -> Iterator[Agent]:
    if not os.path.isdir(os.path.join(CACHE, request.param)):
        install = [sys.executable, RIG, "install", request.param, "--clients", CACHE]
        subprocess.run(install, check=True, capture_output=True, timeout=600)
    yield Agent(request.param, machine)
    machine.fairlead("daemon", "stop")


FORBIDDEN = ("--shim", "terraform", "--shell-command", "terraform destroy -auto-approve")
REFUSED = ("--expect", "blocked", "--reason", "cloud/destroy", "--require-reason")


def test_a_forbidden_command_is_refused_and_a_harmless_one_runs(agent: Agent) -> None:
    """The first call finds no daemon, the others do, and the last finds one that was killed."""
    agent.run(*FORBIDDEN, *REFUSED)
    agent.run("--shell-command", "touch {marker}", "--expect", "ran")
    agent.run(*FORBIDDEN, *REFUSED)
    agent.machine.fairlead("daemon", "stop")
    agent.run(*FORBIDDEN, *REFUSED)


@pytest.mark.parametrize("tool", ["write", "edit", "mcp"])
def test_a_forbidden_write_edit_and_mcp_call_is_refused_and_the_model_is_told(
    agent: Agent, tool: str
) -> None:
    model = ("--model", "gpt-6-sol") if agent.client == "codex" and tool == "mcp" else ()
    agent.run("--tool", tool, "--expect", "blocked", "--reason", "REFUSED-HERE", "--require-reason", *model)


def test_a_rewrite_is_applied_where_the_agent_can_and_refused_where_not(agent: Agent) -> None:
    command = ("--shell-command", "touch {marker} # please-rewrite", "--rewrite-to", "unused")
    if agent.client in REWRITERS:
        agent.run(*command, "--expect", "rewritten")
    else:
        agent.run(
            *command, "--expect", "blocked", "--reason", "Make it like this instead", "--require-reason"
        )


def test_a_shell_profile_that_prints_does_not_open_the_gate(agent: Agent) -> None:
    for name in (".bash_profile", ".profile", ".bashrc", ".noise"):
        (agent.home / name).write_text("echo loading the profile ...\n")
    noise = ("--env", f"BASH_ENV={agent.home}/.noise", "--env", f"ENV={agent.home}/.noise")
    agent.run(*FORBIDDEN, "--expect", "blocked", *noise)


OFF_SWITCHES = {
    "claude": (".claude/settings.local.json", '{"disableAllHooks": true}'),
    "codex": (".codex/config.toml", "[features]\nhooks = false\n"),
    "gemini": (".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
    "qwen": (".qwen/settings.json", '{"disableAllHooks": true}'),
    "copilot": (".github/copilot/settings.json", '{"disableAllHooks": true}'),
    "opencode": (".opencode/plugin/fairlead.js", ""),
}


def test_an_agent_cannot_write_the_file_that_switches_its_hooks_off(agent: Agent) -> None:
    name, text = OFF_SWITCHES[agent.client]
    folder = str(Path(name).parent)
    command = f"mkdir -p {folder} && printf %s '{text}' > {name} && touch {{marker}}"
    rule = ("--reason", "self-protection/agent-settings", "--require-reason")
    agent.run("--shell-command", command, "--expect", "blocked", *rule)
    assert not (agent.machine.project / name).exists()


def doctor(agent: Agent) -> dict[str, bool]:
    """What `fairlead doctor` finds, with the client on the path."""
    path = f"{CACHE}/{agent.client}/node_modules/.bin:{os.environ['PATH']}"
    environment = {"HOME": str(agent.home), "XDG_CONFIG_HOME": "", "PATH": path}
    done = agent.machine.fairlead("doctor", agent.client, "--json", environment=environment, timeout=180)
    return {finding["what"]: finding["ok"] for finding in json.loads(done.stdout)}


def test_doctor_lets_the_agent_itself_make_a_harmless_and_a_forbidden_call(agent: Agent) -> None:
    said = doctor(agent)
    assert all(said.values()), said
    assert f"{agent.client} itself: a harmless call runs" in said
    refused = "a forbidden call is refused, the model is told why, and it is on record"
    assert f"{agent.client} itself: {refused}" in said


def test_doctor_sees_by_the_agent_itself_that_its_hooks_are_off(agent: Agent) -> None:
    if agent.client == "opencode":
        pytest.skip("no file of a project switches a plugin of the user off")
    name, text = OFF_SWITCHES[agent.client]
    file = agent.machine.project / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    said = doctor(agent)
    assert said[f"{agent.client} itself ran a forbidden call: its hooks are not in force"] is False
    assert any(f"{name} switches hooks off" in what for what, ok in said.items() if not ok)


@pytest.mark.skipif("copilot" not in CHOSEN, reason="NOT TESTED: Copilot was not chosen")
@pytest.mark.parametrize("other", [("vscode",), ("claude", "--project")], ids=" ".join)
def test_copilot_running_the_hooks_of_others_is_answered_in_its_own_words_and_counted_once(
    machine: Machine, other: tuple[str, ...]
) -> None:
    agent = Agent("copilot", machine)
    agent.install(*other)
    agent.run(*FORBIDDEN, *REFUSED)
    agent.run("--shell-command", "touch {marker}", "--expect", "ran")
    machine.fairlead("daemon", "stop")
    calls = [line for line in machine.journal() if line["event"] == "BeforeTool"]
    assert {line["agent"] for line in machine.journal()} == {"copilot"}
    assert [line["verdict"]["decision"] for line in calls] == ["block", "continue"]
    assert calls[-1]["attempts"] == 2


SAYS = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    if hook_input.get("stop_hook_active"):
        return MiddlewareResult(decision="continue", reason="")
    return MiddlewareResult({answer})
"""
TOLD = "decision='continue', reason='', additional_context='SAID-HERE'"
REFUSED_HERE = "decision='block', reason='SAID-HERE'"
EFFECTS = {
    "context at the start of a session": ("SessionStart", "transformation", TOLD, ("opencode",)),
    "context of a prompt": ("UserPromptSubmit", "transformation", TOLD, ()),
    "context of a result": ("PostToolUse", "transformation", TOLD, ("opencode",)),
    "a result that is withheld": ("PostToolUse", "safety", REFUSED_HERE, ()),
    "a turn that must go on": ("Stop", "safety", REFUSED_HERE, ("opencode",)),
}
"""The event, the type of the hook, what it answers, and the agents that cannot be told."""


@pytest.mark.parametrize("effect", EFFECTS)
def test_what_hooks_say_at_other_events_reaches_the_model(agent: Agent, effect: str) -> None:
    event, type_, answer, cannot = EFFECTS[effect]
    folder = agent.machine.user_policy(
        f"event: {event}\nmiddleware: [{{id: x, type: {type_}, path: x.py}}]\n"
    )
    (folder / "x.py").write_text(SAYS.format(answer=answer))
    told = agent.run("--shell-command", "touch {marker}", "--expect", "ran", "--reason", "SAID-HERE")
    assert told["reason_reached_model"] is (agent.client not in cannot)


def test_a_refused_prompt_never_reaches_the_model(agent: Agent) -> None:
    folder = agent.machine.user_policy(
        "event: UserPromptSubmit\nmiddleware: [{id: x, type: safety, path: x.py}]\n"
    )
    (folder / "x.py").write_text(SAYS.format(answer=REFUSED_HERE))
    done = agent.run("--shell-command", "touch {marker}")
    assert done["model_requests"] == 0
    assert done["executed"] is False
