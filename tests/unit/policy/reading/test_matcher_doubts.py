import pytest

from fairlead.dialects.agent_registry import AGENTS
from fairlead.dialects.tool_names import known_tools
from fairlead.model.tool_call import CANONICAL_NAMES, ToolKind
from fairlead.policy.reading.matcher_doubts import matcher_doubts
from fairlead.policy.reading.problem import ERROR, WARNING

TOOLS = known_tools()


@pytest.mark.parametrize(
    ("spec", "nearest"),
    [
        ("bash", "Bash"),
        ("BASH", "Bash"),
        ("Bsah", "Bash"),
        ("Reed", "Read"),
        ("Wite", "Write"),
        ("Writee", "Write"),
        ("Read|Eidt", "Edit"),
        (["Bash", "webfetch"], "WebFetch"),
        ({"tool": "Gerp"}, "Grep"),
        ({"not": "bash"}, "Bash"),
        ("Bash.*", "/Bash.*/"),
        ("mcp__.*", "mcp__*"),
        ("WEB*", "WebFetch"),
        ("/^bash$/", "Bash"),
        ("/WRITE/", "Write"),
        ("Shell", "shell"),
    ],
)
def test_a_matcher_that_never_fits_is_an_error_that_names_the_right_spelling(spec, nearest):
    (doubt,) = matcher_doubts(spec, TOOLS)
    assert doubt.severity == ERROR
    assert nearest in doubt.hint


@pytest.mark.parametrize(
    "spec",
    ["my_tool", "run_shell_command", "deploy_*", "/^deploy/", {"tool": "apply_patch"}],
)
def test_a_name_that_may_be_right_is_a_warning(spec):
    assert {doubt.severity for doubt in matcher_doubts(spec, TOOLS)} == {WARNING}


@pytest.mark.parametrize(
    "spec",
    [
        None, "*", "", "Bash", "shell", "Write|Edit|MultiEdit", "mcp__github__create_issue", "mcp__*",
        "mcp__github__*", "/^mcp__/", "/^bash$/i", "/^(Read|Write)$/", "Web*", {"kind": "shell"},
        {"arguments": {"command": "nothing"}}, {"path": "nowhere"}, {"claude": "^Bsah$"},
        *CANONICAL_NAMES.values(), *ToolKind,
    ],
)  # fmt: skip
def test_what_is_right_is_not_doubted(spec):
    assert list(matcher_doubts(spec, TOOLS)) == []


def test_no_tool_of_claude_code_is_doubted():
    for name, agents in TOOLS.items():
        if "claude" in agents:
            assert list(matcher_doubts(name, TOOLS)) == [], name


def test_every_agent_says_what_its_tools_are_called():
    assert frozenset().union(*TOOLS.values()) == set(AGENTS)
