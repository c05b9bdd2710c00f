import json
import shutil
import subprocess

import pytest

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.matching.agent_matcher import fits_claude, fits_gemini
from fairlead.model.matching.matcher import matcher_from
from fairlead.model.tool_call import ToolCall, ToolKind

CLAUDE = Event(EventName.BEFORE_TOOL, agent="claude")
CODEX = Event(EventName.BEFORE_TOOL, agent="codex")
GEMINI = Event(EventName.BEFORE_TOOL, agent="gemini")
SHELL = ToolCall("run_shell_command", {}, ToolKind.SHELL)
ISSUE = ToolCall("github_create_issue", {}, ToolKind.MCP, "", "github", "create_issue")


@pytest.mark.parametrize(
    ("text", "name", "fits"),
    [
        ("", "Bash", True),
        ("*", "Bash", True),
        ("Bash", "Bash", True),
        ("Bash", "BashOutput", False),
        ("bash", "Bash", False),
        ("Edit|Write", "MultiEdit", False),
        ("Edit, Write", "Write", True),
        ("Edit.*", "MultiEdit", True),
        ("^Bash$", "Bash", True),
        ("mcp__.*", "mcp__github__get", True),
        ("Notebook.*|^Bash$", "NotebookEdit", True),
        ("mcp__github", "mcp__github__get", False),
    ],
)
def test_claude_reads_a_list_as_names_and_the_rest_as_an_expression(text, name, fits):
    assert fits_claude(text, name) is fits
    assert matcher_from({"claude": text}).matches(ToolCall(name), CLAUDE) is fits


@pytest.mark.parametrize(
    ("text", "name", "fits"),
    [("read", "read_file", True), ("write_*", "write", True), ("(", "(", True), ("(", "a", False)],
)
def test_gemini_searches_and_compares_what_is_no_expression(text, name, fits):
    assert fits_gemini(text, name) is fits


def test_the_tools_of_other_agents_are_known_by_the_name_of_what_does_the_same():
    assert matcher_from({"claude": "Bash"}).matches(SHELL, GEMINI)
    assert matcher_from({"claude": "mcp__github__.*"}).matches(ISSUE, CODEX)
    assert matcher_from({"gemini": "^run_shell"}).matches(ToolCall("Bash", {}, ToolKind.SHELL), CLAUDE)
    assert not matcher_from({"gemini": "^run_shell"}).matches(ToolCall("Bash", {}, ToolKind.SHELL), GEMINI)
    assert matcher_from({"gemini": "mcp_github_"}).matches(ISSUE, CLAUDE)


def test_events_without_a_tool_are_matched_by_what_they_are_about():
    start = Event(EventName.SESSION_START, agent="claude", payload={"source": "resume"})
    assert matcher_from({"claude": "startup|resume"}).matches(None, start)
    assert not matcher_from({"claude": "startup"}).matches(None, start)
    assert not matcher_from({"gemini": "startup|resume"}).matches(None, start)
    assert matcher_from({"claude": "anything"}).matches(None, Event(EventName.AFTER_AGENT, agent="claude"))


NODE = """
const cases = JSON.parse(require("fs").readFileSync(0));
const listed = /^[A-Za-z0-9_\\- ,|]*$/;
const fits = ([text, name]) => text === "" || text === "*" ? true
  : listed.test(text) ? text.split(/[|,]/).map((word) => word.trim()).includes(name)
  : new RegExp(text).test(name);
console.log(JSON.stringify(cases.map(fits)));
"""


def test_node_agrees_on_claudes_matchers():
    if not shutil.which("node"):
        pytest.skip("NOT TESTED AGAINST JAVASCRIPT: there is no node on this machine")
    texts = [
        "Bash",
        "Edit|Write",
        "Edit, Write",
        "mcp__.*",
        "^(?!Read$).*",
        r"\bBash\b|Skill",
        "[A-Z][a-z]+Edit$",
    ]
    names = [
        "Bash",
        "BashOutput",
        "Read",
        "MultiEdit",
        "NotebookEdit",
        "mcp__a__b",
        "Skill",
        "a Bash b",
        "é Bash",
    ]
    cases = [(text, name) for text in texts for name in names]
    told = subprocess.run(
        ["node", "-e", NODE], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    assert [fits_claude(*case) for case in cases] == json.loads(told.stdout)
