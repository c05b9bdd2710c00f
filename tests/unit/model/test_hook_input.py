import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.hook_input import hook_input, program_input
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult

CLAUDE_PAYLOAD = {
    "session_id": "s1",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "permission_mode": "default",
}


def claude_event(**changes):
    call = ToolCall("Bash", {"command": "ls"}, ToolKind.SHELL)
    event = Event(EventName.BEFORE_TOOL, agent="claude", payload=CLAUDE_PAYLOAD, tool=call)
    return event.replace(**changes)


def test_a_payload_of_claude_code_stays_as_it_came():
    assert hook_input(claude_event()) == CLAUDE_PAYLOAD


def test_a_hook_after_a_rewrite_sees_the_rewritten_call():
    rewritten = ToolCall("Bash", {"command": "ls -l"}, ToolKind.SHELL)
    assert hook_input(claude_event(tool=rewritten))["tool_input"] == {"command": "ls -l"}


def gemini_event():
    payload = {
        "session_id": "forged",
        "cwd": "/forged",
        "tool_name": "run_shell_command",
        "tool_input": {"command": "ls"},
        "mcp_context": None,
    }
    call = ToolCall("run_shell_command", {"command": "ls"}, ToolKind.SHELL)
    return Event(EventName.BEFORE_TOOL, "BeforeTool", "gemini", "real", "/p", "/p/sub", call, payload=payload)


def test_another_agents_call_has_the_canonical_tool_name_and_event():
    shaped = hook_input(gemini_event())
    assert (shaped["tool_name"], shaped["hook_event_name"]) == ("Bash", "PreToolUse")
    assert shaped["native"]["tool_name"] == "run_shell_command"


def test_a_payload_cannot_overwrite_the_base_fields():
    shaped = hook_input(gemini_event())
    assert (shaped["session_id"], shaped["cwd"]) == ("real", "/p/sub")


def test_a_hook_written_for_gemini_sees_geminis_own_words():
    assert hook_input(gemini_event(), "gemini")["tool_name"] == "run_shell_command"


def test_every_part_of_the_event_is_in_it():
    event = claude_event(
        result=ToolResult(output={"stdout": "x"}),
        prompt="go",
        model_request={"model": "m"},
        model_response={"text": "t"},
    )
    shaped = hook_input(event)
    assert (shaped["tool_response"], shaped["prompt"]) == ({"stdout": "x"}, "go")
    assert (shaped["llm_request"], shaped["llm_response"]) == ({"model": "m"}, {"text": "t"})


def test_what_an_event_has_not_is_not_in_it():
    shaped = hook_input(Event(EventName.SESSION_START, agent="claude", payload={"source": "startup"}))
    assert shaped == {"source": "startup"}
    assert "tool_response" not in hook_input(claude_event(result=ToolResult(output=None)))


def test_an_event_in_another_shape_has_every_base_field():
    event = gemini_event().replace(timestamp="2026-01-02T03:04:05Z", transcript_path="/t")
    shaped = hook_input(event)
    assert shaped["timestamp"] == "2026-01-02T03:04:05Z"
    assert (shaped["transcript_path"], shaped["agent"]) == ("/t", "gemini")


def test_an_event_without_a_name_of_claude_code_keeps_its_own():
    assert hook_input(Event(EventName.OTHER, "Odd", "x"))["hook_event_name"] == "Odd"
    assert hook_input(Event(EventName.BEFORE_MODEL, "", "x"))["hook_event_name"] == "BeforeModel"


def test_as_told_is_the_payload_and_nothing_else():
    assert hook_input(gemini_event(), "as-told") == dict(gemini_event().payload)


def program(protocol):
    run = Run("command", "x", protocol=protocol)
    return Hook("h", HookType.SAFETY, EventName.BEFORE_TOOL, run, config={"a": 1})


@pytest.mark.parametrize("protocol", ["auto", "contract"])
def test_a_program_of_ours_is_told_what_was_read_configured_and_said(protocol):
    before = Outcome(
        Decision.ASK,
        "why",
        "first",
        HookType.VALIDATION,
        updated_input={"x": 1},
        additional_context="context",
        system_message="message",
        metrics={"m": 2},
    )
    told = program_input(claude_event(), program(protocol), [before], lambda event: {"read": event.agent})
    assert told.pop("fairlead") == {
        "read": "claude",
        "config": {"a": 1},
        "previous_results": [
            {
                "id": "first",
                "type": "validation",
                "decision": "ask",
                "reason": "why",
                "metrics": {"m": 2},
                "updated_input": {"x": 1},
                "additional_context": "context",
                "system_message": "message",
            }
        ],
    }
    assert told == CLAUDE_PAYLOAD


def test_a_program_is_told_less_where_nothing_was_read_or_said():
    told = program_input(claude_event(), program("auto"), [Outcome()], None)["fairlead"]
    assert told["config"] == {"a": 1} and told["previous_results"][0]["updated_input"] is None


@pytest.mark.parametrize("protocol", ["claude", "gemini", "as-told"])
def test_a_program_for_an_agent_is_told_what_that_agent_tells(protocol):
    assert "fairlead" not in program_input(claude_event(), program(protocol), [], lambda _: {"read": 1})
