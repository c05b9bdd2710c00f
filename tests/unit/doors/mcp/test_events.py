"""How requests of MCP become events."""

from __future__ import annotations

import pytest

from fairlead.doors.mcp.calls import McpCall
from fairlead.doors.mcp.events import AFTER, BEFORE, Around, event_after, event_before
from fairlead.engine.validator import validate, validate_input
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, RESULT_EVENTS, EventName
from fairlead.model.facts import facts_of
from fairlead.model.hook_input import hook_input
from fairlead.model.tool_call import ToolKind
from kit import Machine

AROUND = Around("mcp", "s", "/p", "/p")
CALLS = {
    "tools/call": McpCall("fs", "tools/call", "read_text", {"path": "a"}, {}, 1),
    "resources/read": McpCall("fs", "resources/read", "file:///p/a.txt", {}, {}, 2),
    "prompts/get": McpCall("fs", "prompts/get", "greet", {"who": "me"}, {}, 3),
    "sampling/createMessage": McpCall(
        "fs",
        "sampling/createMessage",
        "",
        {"messages": [{"role": "user", "content": {"type": "text", "text": "Hi."}}], "maxTokens": 5},
        {},
        4,
    ),
    "elicitation/create": McpCall(
        "fs", "elicitation/create", "", {"message": "Which?", "requestedSchema": {"type": "object"}}, {}, 5
    ),
}


def event(method: str, around: Around = AROUND) -> Event:
    found = event_before(CALLS[method], around, "r")
    assert found is not None
    return found


def resource(uri: str) -> Event:
    found = event_before(McpCall("fs", "resources/read", uri, {}, {}, 1), AROUND, "r")
    assert found is not None
    return found


def paths(uri: str) -> list[str]:
    tool = resource(uri).tool
    assert tool is not None
    return [fact.path for fact in facts_of(tool, "/p").paths]


def test_a_call_of_a_tool_has_the_name_that_policies_know() -> None:
    found = event("tools/call")
    assert found.name is EventName.BEFORE_TOOL
    assert found.tool is not None
    assert (found.tool.name, found.tool.kind) == ("mcp__fs__read_text", ToolKind.MCP)
    assert (found.tool.mcp_server, found.tool.mcp_tool) == ("fs", "read_text")


@pytest.mark.parametrize("method", list(CALLS))
def test_every_event_is_what_the_engine_and_the_bus_expect_of_it(method: str) -> None:
    before = event(method)
    after = event_after(before, CALLS[method], {"action": "accept", "content": {}})
    assert (before.name, after.name) == (BEFORE[method], AFTER[method])
    for each in (before, after):
        assert validate(each) is None
        assert validate_input(each.name, each.payload) is None


@pytest.mark.parametrize("method", list(CALLS))
def test_the_server_is_what_a_matcher_sees_where_there_is_no_tool(method: str) -> None:
    found = event(method)
    assert found.subject == "fs"
    assert found.tool is None or found.tool.name.startswith("mcp__fs__")


def test_a_server_cannot_choose_what_a_matcher_sees() -> None:
    told = {"message": "Which?", "source": "trusted", "reason": "trusted", "mcp_server_name": "trusted"}
    found = event_before(McpCall("evil", "elicitation/create", "", told, {}, 1), AROUND, "r")
    assert found is not None
    assert found.subject == "evil"


def test_what_no_policy_speaks_of_is_no_event() -> None:
    for method in ("completion/complete", "roots/list", "tools/list", "ping"):
        assert event_before(McpCall("fs", method, "", {}, {}, 1), AROUND, "r") is None


@pytest.mark.parametrize("method", ["resources/read", "prompts/get", "sampling/createMessage", "tools/call"])
def test_what_runs_or_gives_something_away_gates_and_its_result_can_be_changed(method: str) -> None:
    assert BEFORE[method] in GATING
    assert AFTER[method] in RESULT_EVENTS


@pytest.mark.parametrize(
    "uri",
    [
        "file:///home/me/.ssh/id_rsa",
        "FILE:///home/me/.ssh/id_rsa",
        "file:/home/me/.ssh/id_rsa",
        "file://localhost/home/me/.ssh/id_rsa",
        "file:///home/me/%2Essh/id%5Frsa",
        "file:///home/me/x/../.ssh/id_rsa#L1",
        "file://evil.example/home/me/.ssh/id_rsa",
        "notes:///home/me/.ssh/id_rsa?raw",
        "/home/me/.ssh/id_rsa",
        " file:///home/me/.ssh/id_rsa",
        "file:\\\\\\home\\me\\.ssh\\id_rsa",
        "file:/home\\me/.ssh\\id_rsa",
        "file:\\\\localhost\\home/me/.ssh/id_rsa",
        "fi\tle:///home/me/.ss\nh/id\r_rsa",
    ],
)
def test_a_resource_that_is_a_file_is_its_path_however_it_is_spelled(uri: str) -> None:
    assert "/home/me/.ssh/id_rsa" in paths(uri)
    found = resource(uri).tool
    assert found is not None and found.kind is ToolKind.READ


@pytest.mark.parametrize(
    "uri", ["file:///~/.ssh/id_rsa", "file://~/.ssh/id_rsa", "~/.ssh/id_rsa", "x:///~/.ssh/id_rsa"]
)
def test_a_home_in_an_address_is_the_users(uri: str) -> None:
    found = resource(uri).tool
    assert found is not None
    named = [found.input["file_path"], *found.input.get("paths", [])]  # type: ignore[misc]
    assert "~/.ssh/id_rsa" in named


@pytest.mark.parametrize("uri", ["https://a.example/.env", "HTTP://a.example/"])
def test_a_resource_of_the_web_is_an_address(uri: str) -> None:
    found = resource(uri).tool
    assert found is not None and found.kind is ToolKind.FETCH
    assert paths(uri) == []


@pytest.mark.parametrize("uri", ["repo://owner/name/.env", "memo:1", "postgres://h/db/schema"])
def test_a_resource_of_a_servers_own_kind_is_neither(uri: str) -> None:
    found = resource(uri).tool
    assert found is not None and found.kind is ToolKind.MCP
    assert paths(uri) == []


@pytest.mark.parametrize(
    ("agent", "name"), [("claude", "PreToolUse"), ("gemini", "BeforeTool"), ("mcp", "PreToolUse")]
)
def test_a_hook_is_told_the_event_in_the_words_of_its_agent(agent: str, name: str) -> None:
    protocol = "gemini" if agent == "gemini" else "auto"
    told = hook_input(event("tools/call", AROUND.replace(agent=agent)), protocol)
    assert (told["hook_event_name"], told["tool_name"]) == (name, "mcp__fs__read_text")
    assert (told["tool_input"], told["session_id"], told["cwd"]) == ({"path": "a"}, "s", "/p")
    assert told["mcp_server_name"] == "fs"


def test_a_hook_of_an_elicitation_is_told_what_claude_code_tells_it() -> None:
    told = hook_input(event("elicitation/create", AROUND.replace(agent="claude")))
    assert (told["hook_event_name"], told["message"], told["mcp_server_name"]) == (
        "Elicitation",
        "Which?",
        "fs",
    )
    assert told["requested_schema"] == {"type": "object"}


def test_a_failed_call_is_a_result_that_did_not_go_well() -> None:
    found = event_after(event("tools/call"), CALLS["tools/call"], {"isError": True, "content": []})
    assert found.result is not None and not found.result.ok
    assert found.name is EventName.AFTER_TOOL


@pytest.mark.parametrize(
    ("tool", "text", "code"),
    [
        ("mcp__fs__resources/read", "file:///root/.ssh/id_rsa", 2),
        ("mcp__fs__resources/read", '{"uri": "file:///root/.ssh/id_rsa"}', 2),
        ("mcp__fs__resources/read", "notes:1", 0),
        ("mcp__fs__prompts/get", "greet", 0),
        ("mcp__fs__run", '{"command": "rm -rf /"}', 2),
    ],
)
def test_check_says_what_would_become_of_a_request(machine: Machine, tool: str, text: str, code: int) -> None:
    assert machine.fairlead("check", "--tool", tool, text).returncode == code
