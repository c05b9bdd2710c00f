"""The records that sinks are told, whole; and that a broken sink is heard and harms nobody."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.engine.recorder import failure_record, hook_record, summary_record, tell
from fairlead.model.decision import Decision
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Outcome
from fairlead.model.timeline import Stream, timeline_of
from fairlead.model.verdict import Verdict
from fairlead.testing import MemorySink, hook, shell_event, system_of

EVENT = shell_event("ls")
FAILURE = Failure(Stage.EXECUTION, FailureCode.TIMEOUT, "too slow", {"hook": "b"})
GOOD = Outcome(
    Decision.ASK,
    hook="a",
    exit_code=3,
    milliseconds=1.5,
    timeline=timeline_of((Stream.STDOUT, b"out"), (Stream.STDERR, b"err")),
)
BAD = Outcome(Decision.BLOCK, hook="b", failure=FAILURE, milliseconds=2.5)


class Broken:
    def write(self, record: Mapping[str, object]) -> None:
        raise OSError("full")


def test_a_hook_is_recorded_with_what_it_wrote_and_how_it_ended() -> None:
    assert hook_record(EVENT, GOOD) == {
        "record": "hook",
        "eventName": "BeforeTool",
        "hookIdentity": "a",
        "decision": "ask",
        "duration": 1.5,
        "success": True,
        "exitCode": 3,
        "stdout": "out",
        "stderr": "err",
        "errorMessage": None,
    }


def test_a_hook_that_broke_is_recorded_with_its_error() -> None:
    assert hook_record(EVENT, BAD) == {
        "record": "hook",
        "eventName": "BeforeTool",
        "hookIdentity": "b",
        "decision": "block",
        "duration": 2.5,
        "success": False,
        "exitCode": None,
        "stdout": "",
        "stderr": "",
        "errorMessage": "too slow",
    }


def test_a_failure_has_a_record_of_its_own() -> None:
    record = failure_record(EVENT, FAILURE)
    assert record == {"record": "failure", "eventName": "BeforeTool", **FAILURE.as_json()}


def test_a_summary_counts_the_hooks_and_those_that_failed() -> None:
    verdict = Verdict(Decision.BLOCK, outcomes=(GOOD, GOOD, BAD), milliseconds=4.0)
    assert summary_record(EVENT, verdict) == {
        "record": "summary",
        "eventName": "BeforeTool",
        "decision": "block",
        "hookCount": 3,
        "successCount": 2,
        "failureCount": 1,
        "totalDuration": 4.0,
    }


def test_a_sink_that_breaks_is_named_and_the_next_is_told() -> None:
    sink = MemorySink()
    assert tell([Broken(), sink], {"k": 1}) == ["Broken: OSError: full"]
    assert sink.records == [{"k": 1}]


def test_a_system_tells_hooks_then_failures_then_the_summary() -> None:
    def fine(*_: object) -> None:
        return None

    def breaks(*_: object) -> None:
        raise ValueError("x")

    sink = MemorySink()
    system = system_of([hook(fine, priority=1), hook(breaks)])
    system.add_sink(Broken())
    system.add_sink(sink)
    assert system.fire(EVENT).decision is Decision.BLOCK
    assert [each["record"] for each in sink.records] == ["hook", "hook", "failure", "summary"]
