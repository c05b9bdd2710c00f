"""A question to a person, in real agents: by a code where the agent cannot ask, and never an unasked yes."""

from __future__ import annotations

import os
import time
from threading import Thread

import pytest

from clients_kit import REAL_AGENTS, Agent
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, at_terminal

pytestmark = REAL_AGENTS

BY_CODE = ("codex", "gemini", "opencode", "kimi", "droid", "cline", "auggie", "kilo")
"""The others ask a person themselves, and take a no where nobody can be asked."""
POLICY = "event: PreToolUse\nmiddleware: [{id: ask, type: safety, path: ask.py}]\n"
ASK = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    asked = "asked-for" in str(hook_input["tool_input"])
    return MiddlewareResult(decision="ask" if asked else "continue", reason="PLEASE-ASK")
"""


@pytest.mark.proves("ask")
def test_a_question_is_answered_by_a_person_for_one_call_or_not_at_all(agent: Agent) -> None:
    machine = agent.machine
    (machine.user_policy(POLICY, name="ask") / "ask.py").write_text(ASK)
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    file = machine.project / "asked-for"
    same = {"kind": "shell", "command": f"echo ran >> {file}"}
    person = Thread(target=approve, args=(agent,))
    person.start()
    results = agent.session([same, {"kind": "shell", "command": "sleep 8"}, same, same])["results"]
    person.join()
    assert isinstance(results, list)
    refused = ["PLEASE-ASK" in said for said in results]
    if agent.client in BY_CODE:
        assert "fairlead approve" in results[0]
        assert (refused, file.read_text()) == ([True, False, False, True], "ran\n")
    else:
        assert (refused, file.exists()) == ([True, False, True, True], False), results


def approve(agent: Agent) -> None:
    """Somebody at a terminal, who says yes to the first question that comes."""
    folder = agent.machine.home / "state" / "questions" / "asked"
    for _ in range(900 if agent.client in BY_CODE else 1):
        codes = [name for name in os.listdir(folder) if "." not in name] if folder.is_dir() else []
        if codes:
            status, shown = at_terminal(agent.machine, "approve", codes[0], "--yes")
            assert status == 0, shown
            return
        time.sleep(0.1)
