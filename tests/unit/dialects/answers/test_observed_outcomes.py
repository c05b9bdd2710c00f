"""What we say has the shape of an answer that a real client was seen to obey."""

import json
import re
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import dialect_named
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.verdict import Verdict

RECORDED = json.loads((Path(__file__).parents[3] / "data/vectors/agent_decisions.json").read_text())
OBSERVED = {(row["agent"], row["case"]): row for row in RECORDED["vectors"]}
GATES = {"claude-code": "PreToolUse", "codex": "PreToolUse", "gemini-cli": "BeforeTool"}
BLOCK = Verdict(Decision.BLOCK, "because", rule="r")
REWRITE = Verdict(updated_input={"command": "touch rewritten.txt"})


def said(agent: str, verdict: Verdict, *, attended: bool | None = None) -> tuple[object, str, int]:
    event = Event(
        EventName.BEFORE_TOOL,
        GATES[agent],
        tool=ToolCall("Bash", {"command": "x"}, ToolKind.SHELL),
        attended=attended,
    )
    reply = dialect_named(agent).render(event, verdict)
    return json.loads(reply.stdout), reply.stderr.decode().strip(), reply.exit_code


def scripted(row: dict[str, str]) -> tuple[object, bool, int]:
    """The JSON, whether anything went to stderr, and the exit code of a recorded hook."""
    script = row["hook_script"].replace('\\"', '"')
    found = re.search(r"\{.*\}", script.split(";")[-3] if "BELT" in script else script)
    assert found is not None
    code = re.search(r"exit (\d)", script)
    return json.loads(found.group()), ">&2" in script, int(code.group(1)) if code else 0


def shape(value: object) -> object:
    """Keys and closed words, without the texts: those are what an agent reads strictly."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return value if value in ("allow", "deny", "ask", "PreToolUse", "BeforeTool", False) else type(value)


@pytest.mark.parametrize(
    ("agent", "case"),
    [
        ("claude-code", "belt_B"),
        ("claude-code", "belt_noise_B"),
        ("codex", "belt"),
        ("codex", "belt_noise"),
        ("gemini-cli", "g_belt"),
        ("gemini-cli", "g_belt_noise"),
    ],
)
def test_our_no_is_the_one_that_was_seen_to_stop_the_tool_even_after_noise(agent: str, case: str) -> None:
    row = OBSERVED[agent, case]
    answer, on_stderr, code = scripted(row)
    ours, stderr, exit_code = said(agent, BLOCK)
    assert row["tool_ran"] is False
    assert (shape(ours), bool(stderr), exit_code) == (shape(answer), on_stderr, code)


@pytest.mark.parametrize(
    ("agent", "case"),
    [("claude-code", "rewrite_B"), ("codex", "rewrite_allow"), ("gemini-cli", "g_rewrite")],
)
def test_our_rewrite_is_the_one_that_was_seen_to_be_applied(agent: str, case: str) -> None:
    row = OBSERVED[agent, case]
    ours, _, exit_code = said(agent, REWRITE)
    assert row["rewritten_ran"] is True
    assert (shape(ours), exit_code) == (shape(scripted(row)[0]), 0)


def test_our_question_is_the_one_that_was_denied_headless_and_shown_to_a_person() -> None:
    row = OBSERVED["claude-code", "ask_D"]
    ours, _, exit_code = said("claude-code", Verdict(Decision.ASK, "confirm?"), attended=True)
    assert row["tool_ran"] is False
    assert (shape(ours), exit_code) == (shape(scripted(row)[0]), 0)


@pytest.mark.parametrize(("agent", "case"), [("codex", "ask"), ("gemini-cli", "ask")])
def test_where_a_question_was_seen_to_run_the_tool_we_refuse_instead(agent: str, case: str) -> None:
    assert OBSERVED[agent, case]["tool_ran"] is True
    ours, stderr, exit_code = said(agent, Verdict(Decision.ASK, "confirm?"))
    assert "deny" in json.dumps(ours)
    assert stderr
    assert exit_code == 2


@pytest.mark.parametrize(("agent", "case"), [("claude-code", "contfalse_B"), ("codex", "contfalse")])
def test_where_continue_false_was_seen_to_run_the_tool_halt_also_denies(agent: str, case: str) -> None:
    assert OBSERVED[agent, case]["tool_ran"] is True
    ours, _, exit_code = said(agent, Verdict(Decision.HALT, "enough"))
    assert "deny" in json.dumps(ours)
    assert exit_code == 2
    assert ("continue" in json.dumps(ours)) == (agent == "claude-code")
