"""Audit with real agents: the forbidden call runs, the model is not told, and Fairlead guards itself."""

from __future__ import annotations

import pytest

from clients_kit import REAL_AGENTS, Agent

pytestmark = REAL_AGENTS

WATCHED = ("--shell-command", "touch {marker}; git push --force origin main")
OWN = ("--shell-command", "fairlead off; touch {marker}")


@pytest.mark.proves("audit")
def test_in_audit_a_forbidden_call_runs_and_is_on_record_and_self_protection_still_stops(
    agent: Agent,
) -> None:
    (agent.machine.home / "config" / "hooks" / "mode.yaml").write_text("mode: audit\n")
    ran = agent.run(*WATCHED, "--expect", "ran")
    assert "force-push" not in str(ran["tool_result"]) and "Fairlead" not in str(ran["tool_result"])
    agent.run(*OWN, "--expect", "blocked", "--reason", "self-protection/own-commands", "--require-reason")
    calls = [line["verdict"] for line in agent.machine.journal() if line["event"] == "BeforeTool"]
    kept = [call["would"] for call in calls if "would" in call]
    assert [(each["decision"], each["rule"]) for each in kept][:1] == [("block", "git/force-push")]
    assert kept[0]["evidence"]
    assert calls[-1]["decision"] == "block"
