import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import AGENTS, canonical_agent, dialect_named
from fairlead.dialects.answers.ready_answers import ANY, last_resorts
from fairlead.errors import PayloadError, UsageError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, EventName, event_named
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.verdict import Verdict

PAYLOADS = Path(__file__).parents[2] / "data" / "payloads"
GATES = [
    (agent, event)
    for agent in AGENTS
    for event in dialect_named(agent).events
    if event_named(event) in GATING and dialect_named(agent).abilities(event).refuse
]
DENIALS = (b'"deny"', b'"cancel": true', b'"block"')


def gate(agent: str, event: str) -> Event:
    call = ToolCall("t", {"command": "ls"}, ToolKind.SHELL)
    return Event(event_named(event), event, agent, tool=call)


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_has_a_dialect_of_its_name_with_payloads_to_prove_it(agent: str) -> None:
    assert dialect_named(agent).name == agent
    assert agent == "generic" or any((PAYLOADS / agent).iterdir())


def test_agents_have_the_names_that_people_use_for_them() -> None:
    assert canonical_agent("Claude Code") == "claude"
    assert canonical_agent("copilot_cli") == "copilot"
    with pytest.raises(UsageError, match="there is no agent 'clod'"):
        canonical_agent("clod")


@pytest.mark.parametrize(("agent", "event"), GATES)
@pytest.mark.parametrize("decision", [Decision.BLOCK, Decision.HALT])
def test_a_gate_says_no_in_a_way_that_the_agent_hears(agent: str, event: str, decision: Decision) -> None:
    reply = dialect_named(agent).render(gate(agent, event), Verdict(decision, "because", rule="r/1"))
    heard_by_exit = reply.exit_code == 2 and b"because" in reply.stderr
    heard_by_json = any(word in reply.stdout for word in DENIALS) and b"because" in reply.stdout
    assert heard_by_exit or heard_by_json
    assert b"r/1" in reply.stderr


@pytest.mark.parametrize(("agent", "event"), GATES)
def test_an_ask_that_cannot_be_asked_is_a_no_and_is_recorded(agent: str, event: str) -> None:
    dialect = dialect_named(agent)
    if dialect.abilities(event).ask or dialect.abilities(event).asks_itself:
        return
    reply = dialect.render(gate(agent, event), Verdict(Decision.ASK, "because"))
    assert "ask became block" in reply.degraded
    assert reply.exit_code == 2 or any(word in reply.stdout for word in DENIALS)


@pytest.mark.parametrize(("agent", "event"), GATES)
def test_a_rewrite_is_delivered_or_refused_but_never_dropped_before_a_tool(agent: str, event: str) -> None:
    if event_named(event) is not EventName.BEFORE_TOOL:
        return
    dialect = dialect_named(agent)
    reply = dialect.render(gate(agent, event), Verdict(updated_input={"command": "echo new"}))
    assert b"echo new" in reply.stdout + reply.stderr
    if not dialect.abilities(event).rewrite:
        assert "rewrite became block" in reply.degraded


@pytest.mark.parametrize("agent", AGENTS)
def test_no_objection_never_approves(agent: str) -> None:
    """Law 3. Cursor and Antigravity have no silence; their `allow` leaves their own prompts in force."""
    dialect = dialect_named(agent)
    for event in dialect.events:
        reply = dialect.render(gate(agent, event), Verdict(Decision.ALLOW, "fine"))
        assert reply.exit_code == 0
        assert agent in ("cursor", "antigravity") or b"allow" not in reply.stdout
        assert not reply.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_every_event_has_a_last_resort_that_refuses_gates_and_names_the_way_out(agent: str) -> None:
    answers = last_resorts()[agent]
    for event, reply in answers.items():
        refused = b"fairlead off" in reply.stdout + reply.stderr
        can = dialect_named(agent).abilities(event)
        assert refused == (event == ANY or (event_named(event) in GATING and can.refuse)), event


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("raw", [b"", b"nope", b"[]", b'{"a": "\xff"}'])
def test_rubbish_is_a_payload_error_in_every_dialect(agent: str, raw: bytes) -> None:
    with pytest.raises(PayloadError):
        dialect_named(agent).decode(raw, native_event="PreToolUse", environment={})


@pytest.mark.parametrize("agent", AGENTS)
def test_a_tool_event_without_a_tool_names_what_is_missing(agent: str) -> None:
    event = next(e for e in dialect_named(agent).events if event_named(e) is EventName.BEFORE_TOOL)
    with pytest.raises(PayloadError, match="the payload has no"):
        dialect_named(agent).decode(b'{"x": 1}', native_event=event, environment={})


def test_a_cold_call_imports_the_one_dialect_that_it_needs() -> None:
    program = (
        "import sys, json; from fairlead.dialects.agent_registry import dialect_named;"
        "dialect_named('windsurf');"
        "print(json.dumps(sorted(m for m in sys.modules if m.startswith('fairlead.dialects.'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    loaded = json.loads(done.stdout)
    assert {name.rpartition(".")[2] for name in loaded} & set(AGENTS) == {"windsurf"}
