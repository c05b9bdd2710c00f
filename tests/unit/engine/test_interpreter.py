import pytest

from fairlead.contracts.auto import Auto
from fairlead.engine.interpreter import interpret
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, HookType, Run
from fairlead.model.timeline import Stream, timeline_of

EVENT = Event(EventName.BEFORE_TOOL)
LATE = Failure(Stage.EXECUTION, FailureCode.TIMEOUT, "no answer within 1 s")


def outcome_of(said, on_error, type=HookType.SAFETY):
    hook = Hook("guard", type, EventName.BEFORE_TOOL, Run("command", "x"), on_error=on_error)
    timeline = timeline_of((Stream.STDOUT, said))
    return interpret(hook, EVENT, Capture(timeline=timeline, exit_code=-9, failure=LATE), Auto().read)


@pytest.mark.parametrize("on_error", [Decision.ALLOW, Decision.ASK, Decision.BLOCK])
def test_law_2_a_hook_that_objected_before_it_broke_has_objected(on_error):
    outcome = outcome_of(b'{"decision": "deny", "reason": "no"}', on_error)
    assert (outcome.decision, outcome.reason) == (Decision.BLOCK, "no")
    assert (outcome.failure.code, outcome.failure.message) == (LATE.code, LATE.message)


def test_a_failure_says_which_hook_of_which_event_it_was():
    details = outcome_of(b"", Decision.BLOCK).failure.details
    assert (details["eventName"], details["hook"]) == ("BeforeTool", "guard")


def test_what_a_broken_hook_allowed_does_not_count():
    assert outcome_of(b'{"decision": "approve"}', Decision.BLOCK).decision is Decision.BLOCK
    assert outcome_of(b'{"decision": "approve"}', Decision.ALLOW).decision is Decision.ALLOW


def test_a_broken_observer_still_affects_nothing():
    outcome = outcome_of(b'{"decision": "deny"}', Decision.BLOCK, HookType.OBSERVABILITY)
    assert outcome.decision is Decision.CONTINUE
