"""Each row of what an event of an agent can be told is true of what it is told."""

from __future__ import annotations

import pytest

from fairlead.dialects.agent_registry import AGENTS, dialect_named
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName, event_named
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.verdict import Reply, Verdict

ROWS = [(agent, event) for agent in AGENTS for event in dialect_named(agent).events]
WORD = "kit-word"


def told(agent: str, native: str, verdict: Verdict) -> Reply:
    call = ToolCall("run_commands", {"command": "ls"}, ToolKind.MCP, "id", "server", "tool")
    event = Event(
        event_named(native), native, agent, tool=call, result=ToolResult({"output": "x"}), attended=True
    )
    return dialect_named(agent).render(event, verdict)


@pytest.mark.parametrize(("agent", "native"), ROWS)
def test_context_reaches_the_agent_where_it_can_be_told_and_is_noted_elsewhere(
    agent: str, native: str
) -> None:
    reply = told(agent, native, Verdict(additional_context=WORD))
    can = dialect_named(agent).abilities(native).context
    assert (WORD.encode() in reply.stdout, "context dropped" in reply.degraded) == (can, not can)
    assert reply.exit_code == 0


@pytest.mark.parametrize(("agent", "native"), ROWS)
def test_a_message_reaches_the_person_where_it_can_be_told_and_is_noted_elsewhere(
    agent: str, native: str
) -> None:
    reply = told(agent, native, Verdict(system_message=WORD))
    can = dialect_named(agent).abilities(native).message
    assert (WORD.encode() in reply.stdout, "message not shown" in reply.degraded) == (can, not can)


@pytest.mark.parametrize(("agent", "native"), ROWS)
def test_a_result_is_replaced_where_it_can_be_and_noted_elsewhere(agent: str, native: str) -> None:
    reply = told(agent, native, Verdict(updated_output=WORD))
    can = dialect_named(agent).abilities(native).redact
    said = reply.stdout + (reply.stderr if reply.exit_code == 2 else b"")
    assert (WORD.encode() in said, "output not replaced" in reply.degraded) == (can, not can)


@pytest.mark.parametrize(("agent", "native"), ROWS)
def test_a_question_is_asked_where_it_can_be_and_refused_or_left_elsewhere(agent: str, native: str) -> None:
    can = dialect_named(agent).abilities(native)
    reply = told(agent, native, Verdict(Decision.ASK, WORD))
    if can.ask:
        assert (reply.exit_code, reply.degraded) == (0, "")
        assert b"ask" in reply.stdout and WORD.encode() in reply.stdout
    else:
        assert reply.degraded
        assert b'"ask"' not in reply.stdout and b"force_ask" not in reply.stdout


@pytest.mark.parametrize(("agent", "native"), ROWS)
def test_an_approval_is_said_only_where_it_counts(agent: str, native: str) -> None:
    reply, neutral = told(agent, native, Verdict(Decision.APPROVE, "fine")), told(agent, native, Verdict())
    approved = reply.stdout != neutral.stdout
    has_one_word_for_both = agent == "cursor"
    assert approved == (dialect_named(agent).abilities(native).approve and not has_one_word_for_both)


@pytest.mark.parametrize(("agent", "native"), ROWS)
def test_a_rewrite_is_made_where_it_can_be(agent: str, native: str) -> None:
    """Claude takes one in a request for permission with an approval alone."""
    reply = told(agent, native, Verdict(Decision.APPROVE, updated_input={"command": WORD}))
    can = dialect_named(agent).abilities(native).rewrite
    refused = "rewrite became block" in reply.degraded
    assert (WORD.encode() in reply.stdout and reply.exit_code == 0 and not refused) == can
    if event_named(native) is EventName.BEFORE_TOOL:
        assert refused != can
