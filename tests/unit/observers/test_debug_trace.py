from __future__ import annotations

import stat
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Evidence, HookType, Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.observers.debug_trace import debug_tracer, trace_lines

EVENT = Event(
    EventName.BEFORE_TOOL,
    native_name="PreToolUse",
    agent="claude",
    session="s1",
    tool=ToolCall("Bash", {"command": "ls"}),
    raw=b"x" * 12,
    request="r1",
)
OUTCOMES = (
    Outcome(
        hook="rewrite", type=HookType.TRANSFORMATION, updated_input={"command": "ls -l"}, milliseconds=0.5
    ),
    Outcome(
        Decision.BLOCK,
        "TOKEN=abc123 is \x1b[31mred",
        hook="guard",
        rule="pack/rule",
        evidence=(Evidence("rm -rf /", detail="all of it"),),
        milliseconds=1.25,
        failure=Failure(Stage.EXECUTION, FailureCode.TIMEOUT, "late"),
    ),
)


def test_the_trace_shows_every_hook_with_its_time_and_words() -> None:
    assert list(trace_lines(EVENT, OUTCOMES, "NOW")) == [
        "NOW claude BeforeTool (PreToolUse) Bash",
        "  receive    12 bytes, request r1, session s1",
        "  transform      0.500 ms  rewrite  continue",
        "             rewrote   {'command': 'ls -l'}",
        "  guard          1.250 ms  guard  block pack/rule: TOKEN=[redacted:token] is ␚[31mred",
        "             evidence  rm -rf /  all of it",
        "             failed    execution TIMEOUT: late",
        "  aggregate  block; 2 hooks took 1.750 ms",
    ]


def test_a_file_gets_the_trace_for_its_owner_alone(tmp_path: Path) -> None:
    outcome = debug_tracer(EVENT, {"trace_file": str(tmp_path / "logs" / "trace")}, OUTCOMES)
    trace = tmp_path / "logs" / "trace"
    assert trace.read_text().count("\n") == 8
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600
    assert outcome.metrics["traced"] == 2


def test_without_a_file_the_trace_goes_to_the_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    debug_tracer(EVENT, {}, ())
    captured = capsys.readouterr()
    assert "aggregate  continue; 0 hooks" in captured.err
    assert captured.out == ""


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    outcome = debug_tracer(EVENT, {"trace_file": str(tmp_path)}, ())
    assert outcome.failure is not None
    assert outcome.decision is Decision.CONTINUE
