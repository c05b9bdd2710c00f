"""Undo with real agents: the loss passes, the file is gone, and `fairlead undo` has it back."""

from __future__ import annotations

import pytest

from clients_kit import REAL_AGENTS, Agent

pytestmark = REAL_AGENTS

LOSES = ("--shell-command", "rm -r work && touch {marker}")


@pytest.mark.proves("undo")
def test_what_an_agent_deletes_is_gone_and_then_back(agent: Agent) -> None:
    (agent.machine.home / "config" / "hooks" / "mode.yaml").write_text("mode: enforce\nrecover: pass\n")
    work = agent.machine.project / "work"
    work.mkdir()
    (work / "notes.txt").write_text("a day's work\n")
    agent.run(*LOSES, "--expect", "ran")
    assert not work.exists()
    done = agent.machine.fairlead("undo")
    assert done.returncode == 0, done.stderr
    assert (work / "notes.txt").read_text() == "a day's work\n"
