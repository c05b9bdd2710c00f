"""Real agents: what is forbidden does not run and the model is told, what is harmless does.

`make test-clients` runs these.
"""

from __future__ import annotations

import pytest

from benchmarks.agents.clients import CLIENTS
from clients_kit import FORBIDDEN, REAL_AGENTS, REFUSED, Agent
from kit import Machine

pytestmark = REAL_AGENTS

UNTOLD = {("cline", "mcp")}
"""Refused in a way that ends the run without a word: an MCP server might act on any other input."""
REWRITERS = tuple(client for client in CLIENTS if client not in ("qwen", "kimi"))


@pytest.mark.core
@pytest.mark.proves("shell", "daemon killed")
def test_a_forbidden_command_is_refused_and_a_harmless_one_runs(agent: Agent) -> None:
    """The first call finds no daemon, the others do, and the last finds one that was killed."""
    agent.run(*FORBIDDEN, *REFUSED)
    agent.run("--shell-command", "touch {marker}", "--expect", "ran")
    agent.run(*FORBIDDEN, *REFUSED)
    agent.machine.fairlead("daemon", "stop")
    agent.run(*FORBIDDEN, *REFUSED)


TOOLS = {"write": "write", "edit": "edit", "mcp": "MCP"}


@pytest.mark.core
@pytest.mark.parametrize(
    "tool", [pytest.param(tool, marks=pytest.mark.proves(row)) for tool, row in TOOLS.items()]
)
def test_a_forbidden_write_edit_and_mcp_call_is_refused_and_the_model_is_told(
    agent: Agent, tool: str
) -> None:
    model = ("--model", "gpt-6-sol") if agent.client == "codex" and tool == "mcp" else ()
    told = () if (agent.client, tool) in UNTOLD else ("--require-reason",)
    agent.run("--tool", tool, "--expect", "blocked", "--reason", "REFUSED-HERE", *told, *model)


NOT_READERS = ("codex",)
"""It has no tool that reads a file: it runs a command."""
NO_READING = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    read = "README.md" in str(hook_input["tool_input"])
    return MiddlewareResult(decision="block" if read else "continue", reason="NOT-TO-BE-READ")
"""


@pytest.mark.proves("read")
def test_a_forbidden_read_is_refused_and_the_model_is_told(agent: Agent) -> None:
    if agent.client in NOT_READERS:
        pytest.skip(f"NOT TESTED: {agent.client} has no tool that reads a file")
    machine = agent.machine
    entry = "event: PreToolUse\nmiddleware: [{id: unread, type: safety, path: unread.py}]\n"
    (machine.user_policy(entry, name="unread") / "unread.py").write_text(NO_READING)
    told = ("--reason", "NOT-TO-BE-READ", "--require-reason")
    agent.run("--tool", "read", "--expect", "blocked", *told)


@pytest.mark.core
@pytest.mark.proves("rewrite")
def test_a_rewrite_is_applied_where_the_agent_can_and_refused_where_not(agent: Agent) -> None:
    command = ("--shell-command", "touch {marker} # please-rewrite", "--rewrite-to", "unused")
    if agent.client in REWRITERS:
        agent.run(*command, "--expect", "rewritten")
    else:
        agent.run(
            *command, "--expect", "blocked", "--reason", "Make it like this instead", "--require-reason"
        )


@pytest.mark.core
@pytest.mark.proves("profile noise")
def test_a_shell_profile_that_prints_does_not_open_the_gate(agent: Agent) -> None:
    for name in (".bash_profile", ".profile", ".bashrc", ".noise"):
        (agent.home / name).write_text("echo loading the profile ...\n")
    noise = ("--env", f"BASH_ENV={agent.home}/.noise", "--env", f"ENV={agent.home}/.noise")
    agent.run(*FORBIDDEN, "--expect", "blocked", *noise)


@pytest.mark.core
@pytest.mark.proves("doctor")
def test_doctor_lets_the_agent_itself_make_a_harmless_and_a_forbidden_call(agent: Agent) -> None:
    said = agent.doctor()
    assert all(said.values()), said
    assert f"{agent.name} itself: a harmless call runs" in said
    refused = "a forbidden call is refused, the model is told why, and it is on record"
    assert f"{agent.name} itself: {refused}" in said


@pytest.mark.client("copilot")
@pytest.mark.proves("neighbours")
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
PLUGINS = ("opencode", "kilo")
DEAF_TO_PROMPTS = ("cline", "auggie", "droid")
"""Those that take no answer to a prompt, or run no hook of one without a terminal."""
EFFECTS = {
    "context at the start of a session": (
        "SessionStart",
        "transformation",
        TOLD,
        (*PLUGINS, "cline", "auggie", "kimi"),
    ),
    "context of a prompt": ("UserPromptSubmit", "transformation", TOLD, DEAF_TO_PROMPTS),
    "context of a result": ("PostToolUse", "transformation", TOLD, (*PLUGINS, "kimi")),
    "a result that is withheld": ("PostToolUse", "safety", REFUSED_HERE, ("cline", "kimi")),
    "a turn that must go on": ("Stop", "safety", REFUSED_HERE, (*PLUGINS, "cline", "auggie")),
}
"""The event, the type of the hook, what it answers, and the agents that cannot be told."""


@pytest.mark.proves("context")
@pytest.mark.parametrize("effect", EFFECTS)
def test_what_hooks_say_at_other_events_reaches_the_model(agent: Agent, effect: str) -> None:
    event, type_, answer, cannot = EFFECTS[effect]
    folder = agent.machine.user_policy(
        f"event: {event}\nmiddleware: [{{id: x, type: {type_}, path: x.py}}]\n"
    )
    (folder / "x.py").write_text(SAYS.format(answer=answer))
    told = agent.run("--shell-command", "touch {marker}", "--expect", "ran", "--reason", "SAID-HERE")
    assert told["reason_reached_model"] is (agent.client not in cannot)


@pytest.mark.proves("context")
def test_a_refused_prompt_never_reaches_the_model(agent: Agent) -> None:
    if agent.client in DEAF_TO_PROMPTS:
        pytest.skip(f"NOT TESTED: {agent.client} takes no answer to a prompt without a terminal")
    folder = agent.machine.user_policy(
        "event: UserPromptSubmit\nmiddleware: [{id: x, type: safety, path: x.py}]\n"
    )
    (folder / "x.py").write_text(SAYS.format(answer=REFUSED_HERE))
    done = agent.run("--shell-command", "touch {marker}")
    assert done["model_requests"] == 0
    assert done["executed"] is False
