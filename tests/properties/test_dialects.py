"""Whatever an agent sends is read or refused by name; whatever was decided is said, and never as less."""

import json

from hypothesis import given
from hypothesis import strategies as st

from fairlead.dialects.agent_registry import AGENTS, dialect_named
from fairlead.dialects.payloads.caller_detection import caller
from fairlead.errors import PayloadError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, event_named
from fairlead.model.facts import facts_of
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult
from fairlead.model.verdict import Verdict

_NAMES = """
hook_event_name hookName event agent_action_name session_id sessionId cwd tool_name toolName tool_input
toolArgs
tool_info toolCall tool tool_call tool_response toolResult result output input prompt message preToolUse
parameters command file_path files path edits patch content url timestamp model turn_id workspace_roots
workspaceRoots clineVersion cursor_version mcp_server mcp_context agent_id error name args
"""
FIELDS = tuple(_NAMES.split())
EVENTS = sorted({event for agent in AGENTS for event in dialect_named(agent).events})

words = st.sampled_from(
    [*FIELDS, *EVENTS, "Bash", "use_mcp_tool", "mcp__a__b", "rm -rf /", '{"a": 1}', "", "é\ud800"]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=12,
)
payloads = st.dictionaries(st.sampled_from(FIELDS), values, max_size=8)
verdicts = st.builds(
    Verdict,
    decision=st.sampled_from(Decision),
    reason=words,
    rule=words,
    alternative=words,
    stop=st.booleans(),
    stop_reason=words,
    system_message=words,
    suppress_output=st.booleans(),
    updated_input=st.none() | st.dictionaries(words, values, max_size=2),
    updated_output=values,
    additional_context=words,
    extra=st.dictionaries(st.sampled_from(["watchPaths", "toolConfig", "content", "sessionTitle"]), values),
)
agents = st.sampled_from(AGENTS)


@given(agents, payloads, st.sampled_from(EVENTS), st.sampled_from(AGENTS))
def test_any_payload_is_an_event_or_a_payload_error(
    agent: str, payload: object, event: str, said: str
) -> None:
    raw = json.dumps(payload).encode()
    assert caller(raw, said=said, environment={}) in AGENTS
    try:
        read = dialect_named(agent).decode(raw, native_event=event, environment={})
    except PayloadError as error:
        assert error.message
        return
    assert read.raw == raw
    if read.tool is not None:
        facts_of(read.tool, "/p")


def _event(agent: str, name: str, output: object) -> Event:
    call = ToolCall("t", {"command": "x"}, ToolKind.SHELL, "id")
    return Event(event_named(name), name, agent, tool=call, result=ToolResult(output), payload={"x": 1})


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@given(agents, st.data(), verdicts, values)
def test_any_verdict_can_be_said_and_an_objection_is_never_silence(
    agent: str, data: st.DataObject, verdict: Verdict, output: object
) -> None:
    dialect = dialect_named(agent)
    name = data.draw(st.sampled_from(dialect.events))
    event = _event(agent, name, output)
    reply = dialect.render(event, verdict)
    assert reply.exit_code in (0, 2)
    assert not reply.stderr.lstrip().startswith((b"{", b"["))
    if reply.stdout.startswith(b"{"):
        json.loads(reply.stdout, parse_constant=_no_constant)
    can = dialect.abilities(name)
    gate = event.name in GATING and can.refuse and not can.asks_itself
    if gate and (verdict.decision.objects or verdict.stop):
        neutral = dialect.render(event, Verdict())
        assert (reply.exit_code, reply.stdout) != (neutral.exit_code, neutral.stdout)


@given(agents, st.data(), verdicts)
def test_only_approve_ever_approves(agent: str, data: st.DataObject, verdict: Verdict) -> None:
    """Law 3. A rewrite needs the word on Codex; Cursor and Antigravity have no other word for no opinion."""
    if agent in ("cursor", "antigravity", "codex") or verdict.decision is Decision.APPROVE:
        return
    dialect = dialect_named(agent)
    name = data.draw(st.sampled_from(dialect.events))
    said = dialect.render(_event(agent, name, None), verdict.replace(updated_input=None, extra={})).stdout
    for word in (b'"permissionDecision": "allow"', b'"behavior": "allow"', b'"decision": "allow"'):
        assert word not in said
