from __future__ import annotations

import json

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.installs import changes_for
from fairlead.dialects.setup.site import Client, Site
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.facts import Facts, facts_of
from fairlead.model.verdict import Verdict
from fairlead.settings.change import JsonEntries
from fairlead.settings.formats.json_edit import Item

AUGGIE = dialect_named("auggie")


def read(tool: str, **tool_input: object) -> Event:
    payload = {
        "hook_event_name": "PreToolUse",
        "conversation_id": "c",
        "workspace_roots": ["/work"],
        "tool_name": tool,
        "tool_input": tool_input,
        "is_mcp_tool": False,
    }
    return AUGGIE.decode(json.dumps(payload).encode(), native_event="PreToolUse", environment={})


def facts(event: Event) -> Facts:
    assert event.tool is not None
    return facts_of(event.tool, event.cwd)


def test_the_prompt_is_read_under_the_agents_own_name_for_it() -> None:
    payload = {"hook_event_name": "PromptSubmit", "workspace_roots": ["/work"], "user_prompt": "go"}
    event = AUGGIE.decode(json.dumps(payload).encode(), native_event="", environment={})
    assert event.prompt == "go"


def test_what_a_file_shall_hold_is_read() -> None:
    assert facts(read("save-file", path="a.py", file_content="key")).content == "key"


def test_every_file_that_shall_go_is_read() -> None:
    paths = facts(read("remove-files", file_paths=["a", "/etc/b"])).paths
    assert [(fact.operation, fact.path) for fact in paths] == [("delete", "/work/a"), ("delete", "/etc/b")]


def test_what_is_typed_into_a_process_is_read_as_a_command() -> None:
    assert facts(read("write-process", terminal_id=1, input_text="ls\n")).command == "ls\n"


def test_a_refusal_survives_another_hook_that_fails() -> None:
    """Beside one that failed, JSON with exit code 0 is dropped; exit code 2 is not."""
    event = read("launch-process", command="ls")
    for decision in (Decision.BLOCK, Decision.ASK, Decision.HALT):
        reply = AUGGIE.render(event, Verdict(decision, "no", gating=True))
        assert (reply.exit_code, b"no" in reply.stderr) == (2, True)
        assert b'"continue": true' not in reply.stdout


def test_a_call_is_judged_once_whoevers_tool_it_is() -> None:
    """The client matches `.*` with MCP tools too, so a second matcher would run the hook twice."""
    (change,) = changes_for("auggie", Site("/h", "/p", {}), Client("/c"))
    assert isinstance(change, JsonEntries)
    gates = [
        edit.value
        for edit in change.edits
        if isinstance(edit, Item) and edit.pointer == ("hooks", "PreToolUse")
    ]
    assert [gate["matcher"] for gate in gates if isinstance(gate, dict)] == [".*"]
