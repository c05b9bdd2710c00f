from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook_input import hook_input
from fairlead.model.tool_call import ToolCall, ToolKind

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
