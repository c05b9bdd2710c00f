"""The same two hundred calls, sent as each agent sends them, are decided alike."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import AGENTS
from tests.differential.wanted import Judge, forms_of, wanted_calls

CALLS = wanted_calls()
ACTS = sorted({call.act for call in CALLS})
ONE_COMMAND = "its shell takes one command at a time"
NO_DELETING = "it deletes by its shell alone"
NO_FETCHING = "no tool of its own that fetches is known"
_DELETING_BY_SHELL = "claude gemini qwen llxprt windsurf kimi antigravity generic"
WITHOUT = {
    **{(agent, "shells"): ONE_COMMAND for agent in AGENTS if agent != "cline"},
    **{(agent, "delete"): NO_DELETING for agent in _DELETING_BY_SHELL.split()},
    **{(agent, "fetch"): NO_FETCHING for agent in ("codex", "windsurf", "kiro")},
}
"""What an agent has no tool for, and why: these differences are the agents'."""
OTHER_LANGUAGES = {"PowerShell": "claude generic", "powershell": "copilot"}
"""Tools that read another language than the commands here are written in, by the agents that have them."""


def test_there_are_two_hundred_calls_of_every_kind_and_of_every_decision() -> None:
    assert len({call.line for call in CALLS}) == len(CALLS) >= 200
    decisions = Counter(call.decision for call in CALLS)
    assert set(decisions) == {"pass", "ask", "block"}
    assert decisions["pass"] >= 60 and decisions["block"] >= 60 and decisions["ask"] >= 8


@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_is_decided_alike_whoever_makes_it(agent: str, tmp_path: Path) -> None:
    judge = Judge(agent, tmp_path)
    wrong = [
        (call.line, tool, decision)
        for call in CALLS
        for tool, decision in judge.decisions(call)
        if decision != call.decision and tool not in OTHER_LANGUAGES
    ]
    assert wrong == []


@pytest.mark.parametrize("agent", AGENTS)
def test_what_an_agent_has_no_tool_for_is_listed_with_the_reason(agent: str) -> None:
    missing = {(agent, act) for act in ACTS if not list(forms_of(agent, act))}
    assert missing == {pair for pair in WITHOUT if pair[0] == agent}


@pytest.mark.parametrize("tool", OTHER_LANGUAGES)
def test_a_tool_of_another_language_is_known_to_the_agents_that_have_it(tool: str) -> None:
    having = [agent for agent in AGENTS if tool in {name for name, _ in forms_of(agent, "shell")}]
    assert " ".join(having) == OTHER_LANGUAGES[tool]
