"""Files of a project that switch the user's hooks off, agent by agent, and what they do with them.

The guard keeps the agent from writing them by any tool; `doctor` finds them, in the file and by the agent
itself; and Claude Code, which reads its settings again while it runs, is told not to.
"""

from __future__ import annotations

import time
from pathlib import Path
from threading import Thread

import pytest

from clients_kit import REAL_AGENTS, Agent
from kit import Machine

pytestmark = REAL_AGENTS

NO_HOOKS = '{"disableAllHooks": true}'
SWITCHES = {
    "claude": ((".claude/settings.local.json", NO_HOOKS), (".claude/settings.json", NO_HOOKS)),
    "codex": ((".codex/config.toml", "features.hooks = false"),),
    "gemini": ((".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),),
    "qwen": ((".qwen/settings.json", NO_HOOKS),),
    "copilot": ((".claude/settings.json", NO_HOOKS), (".github/copilot/settings.json", NO_HOOKS)),
    "droid": (
        (".factory/settings.json", '{"hooks": {"hooksDisabled": true}}'),
        (".factory/hooks.json", '{"hooksDisabled": true}'),
    ),
}
GUARDED = {
    **SWITCHES,
    "opencode": ((".opencode/plugin/fairlead.js", "export const X = 1"),),
    "kimi": ((".kimi-code/config.toml", "hooks = 1"),),
    "kilo": ((".kilo/plugin/fairlead.js", "export const X = 1"),),
    "cline": ((".cline/hooks/PreToolUse.sh", "true"), (".clinerules/hooks/PreToolUse.sh", "true")),
    "auggie": ((".augment/settings.json", '{"hooks": {"PreToolUse": []}}'),),
}
"""These have no such file, but load a plugin or a hook from wherever one stands."""
NOTHING = {".json": "{}", ".toml": "# nothing", ".js": "// nothing", ".sh": "# nothing"}
HOOK_AT_ONCE = ("cline",)
"""A file of that name is a hook of somebody else, whatever it says; beside one, a refusal ends the run."""
TOLD_BESIDE = ("cline",)
"""Told beside the result of a file tool, which only says that its input is wrong."""


def ways_to_write(file: Path, text: str) -> list[dict[str, str]]:
    """By shell in four ways, by the tools that write and edit; all want to have read the file."""
    path = str(file)
    return [
        {"kind": "read", "path": path},
        {"kind": "shell", "command": f"printf %s '{text}' > {path}"},
        {"kind": "shell", "command": f"cd {file.parent} && echo '{text}' | tee {file.name}"},
        {"kind": "shell", "command": f"""python3 -c 'open("{path}", "w").write("x")'"""},
        {"kind": "shell", "command": f"cp README.md {path}"},
        {"kind": "write", "path": path, "content": f"{text}\n"},
        {"kind": "edit", "path": path, "old": NOTHING[file.suffix], "new": text},
    ]


@pytest.mark.core
@pytest.mark.proves("off-switches")
def test_an_agent_cannot_write_what_switches_its_hooks_off_by_any_tool(agent: Agent) -> None:
    for name, text in GUARDED[agent.client]:
        file = agent.machine.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        before = "" if agent.client in HOOK_AT_ONCE else f"{NOTHING[file.suffix]}\n"
        if before:
            file.write_text(before)
        results = agent.session(ways_to_write(file, text))["results"]
        assert isinstance(results, list)
        told = results[-6:]  # before those, the file was read
        if agent.client in TOLD_BESIDE:
            told = told[:4]
        assert all("self-protection/agent-settings" in said for said in told), told
        assert (file.read_text() if file.exists() else "") == before


OWN = {
    "kimi": (".kimi-code/config.toml", ".kimi/config.toml"),
    "droid": (".factory/settings.json", ".factory/hooks.json"),
}
"""Below the home: what the hooks stand in, or would be looked for."""


@pytest.mark.proves("off-switches")
@pytest.mark.parametrize("client", OWN)
def test_an_agent_cannot_write_the_file_that_its_hooks_stand_in(machine: Machine, client: str) -> None:
    agent = Agent(client, machine)
    for name in OWN[client]:
        file = agent.home / name
        was_there = file.exists()
        steps = [
            {"kind": "shell", "command": f"echo broken >> {file}"},
            {"kind": "shell", "command": f"mkdir -p {file.parent} && printf broken | tee {file}"},
            {"kind": "shell", "command": f"mv {file.parent} {file.parent}.old"},
            {"kind": "write", "path": str(file), "content": "broken\n"},
        ]
        results = agent.session(steps)["results"]
        assert isinstance(results, list)
        assert ["self-protection" in said for said in results] == [True] * 4, results
        assert file.exists() is was_there
        assert not was_there or "broken" not in file.read_text()
    machine.fairlead("daemon", "stop")


@pytest.mark.proves("off-switches")
def test_doctor_finds_the_file_and_sees_by_the_agent_itself_that_its_hooks_are_off(agent: Agent) -> None:
    if agent.client not in SWITCHES:
        pytest.skip("no file of a project switches a plugin of the user off")
    for name, text in SWITCHES[agent.client]:
        file = agent.machine.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        said = agent.doctor()
        assert said[f"{agent.name} itself ran a forbidden call: its hooks are not in force"] is False
        assert any(f"{name} switches hooks off" in what for what, ok in said.items() if not ok)
        file.unlink()


@pytest.mark.client("claude")
@pytest.mark.proves("off-switches")
@pytest.mark.parametrize(
    ("before", "after"),
    [("{", "// mine\n{"), ("{", '{"cleanupPeriodDays": "soon", ')],
    ids=["comment", "value"],
)
def test_a_mistake_anywhere_in_claudes_settings_is_found_by_claude_itself(
    machine: Machine, before: str, after: str
) -> None:
    """It drops the whole file in silence, our hooks with it."""
    agent = Agent("claude", machine)
    file = agent.home / ".claude" / "settings.json"
    file.write_text(file.read_text().replace(before, after, 1))
    said = agent.doctor()
    assert said["claude itself ran a forbidden call: its hooks are not in force"] is False


@pytest.mark.client("copilot")
@pytest.mark.proves("off-switches")
def test_the_start_of_a_session_tells_what_switches_another_agent_off(machine: Machine) -> None:
    agent = Agent("copilot", machine)
    agent.install("qwen")
    told = ("--shell-command", "touch {marker}", "--expect", "ran", "--reason", "the hooks of qwen off")
    assert agent.run(*told)["reason_reached_model"] is False
    file = machine.project / ".qwen" / "settings.json"
    file.parent.mkdir()
    file.write_text(NO_HOOKS)
    assert agent.run(*told)["reason_reached_model"] is True
    machine.fairlead("daemon", "stop")


KEEP = "event: ConfigChange\nmiddleware:\n  - {id: keep-hooks-on, type: safety, enabled: %s}\n"


@pytest.mark.client("claude")
@pytest.mark.proves("off-switches")
@pytest.mark.parametrize("name", [".claude/settings.local.json", ".claude/settings.json"])
@pytest.mark.parametrize("kept", [True, False], ids=["keep-hooks-on", "without it"])
def test_a_running_claude_code_does_not_take_over_settings_that_switch_its_hooks_off(
    machine: Machine, name: str, kept: bool
) -> None:
    """Somebody else writes the file while a command of the agent runs; without the hook, that is the end."""
    agent = Agent("claude", machine)
    machine.user_policy(KEEP % str(kept).lower(), name="config")
    file, started = machine.project / name, machine.project / "started"
    file.parent.mkdir(exist_ok=True)
    writer = Thread(target=write_when, args=(started, file))
    writer.start()
    steps = [
        {"kind": "shell", "command": f"touch {started}; sleep 5"},
        {"kind": "shell", "command": "terraform destroy -auto-approve"},
    ]
    told = agent.session(steps, shims=("terraform",))
    writer.join()
    machine.fairlead("daemon", "stop")
    assert told["executed"] is not kept, told
    changes = [line for line in machine.journal() if line["native_event"] == "ConfigChange"]
    assert [line["verdict"]["rule"] for line in changes] == ["self-protection/hooks-off" if kept else ""]


def write_when(sign: Path, file: Path) -> None:
    for _ in range(1200):
        if sign.exists():
            file.write_text(NO_HOOKS)
            return
        time.sleep(0.05)
