"""One call on one line or on two, with what happened to its tool."""

import pytest

from fairlead.doors.cli.presentation.calls import call_lines, what_happened
from fairlead.doors.cli.presentation.wrapping import cells
from fairlead.model.decision import Decision
from fairlead.store.reader import Call


def call(**fields: object) -> Call:
    given = {
        "id": "01M7R5P3M7D5B53MSF8WKTXY0K",
        "ts": 100.0,
        "decision": Decision.BLOCK,
        "agent": "claude",
        "event": "BeforeTool",
        "tool": "Bash",
        "rule": "git/force-push",
        "hook": "block-dangerous-commands",
        "session": "s",
        "root": "/p",
        "subagent": "",
        "degraded": "",
        "failures": 0,
        "attempts": 1,
        "canary": False,
        "would": "",
        "would_rule": "",
        "milliseconds": 0.42,
        "summary": "git push --force origin main",
    }
    return Call(**{**given, **fields})


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_call_fits_every_width(width: int) -> None:
    lines = call_lines(call(), 160.0, width=width)
    assert max(map(cells, lines)) <= width
    assert ("git push --force" in "".join(lines)) and "8WKTXY0K" in lines[0]
    assert len(lines) == (1 if width >= 110 else 3)


def test_a_pipe_gets_one_whole_line() -> None:
    (line,) = call_lines(call(summary="x" * 150), 160.0, width=0)
    assert "x" * 150 in line


@pytest.mark.parametrize(
    ("event", "tool", "what"),
    [
        ("BeforeTool", "Bash", "Bash"),
        ("AfterTool", "Bash", "Bash result"),
        ("ToolFailure", "Read", "Read failure"),
        ("ToolPermission", "Bash", "Bash permission"),
        ("SessionStart", "", "SessionStart"),
        ("Made-up", "Bash", "Bash Made-up"),
    ],
)
def test_the_call_and_its_result_are_told_apart(event: str, tool: str, what: str) -> None:
    assert what_happened(call(event=event, tool=tool)) == what


def test_where_both_do_not_fit_the_tool_stands_below_and_is_never_cut() -> None:
    first, second = call_lines(call(event="AfterTool", rule="", summary="ls"), 160.0, width=40)
    assert "claude" in first and second == "     Bash result  ls"
