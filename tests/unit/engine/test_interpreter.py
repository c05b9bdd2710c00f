import pytest

from fairlead.contracts.auto import Auto
from fairlead.engine.interpreter import interpret
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, HookType, Outcome, Run
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


def test_law_2_a_question_before_a_hook_broke_does_not_loosen_its_on_error():
    outcome = outcome_of(b'{"decision": "ask", "reason": "sure?"}', Decision.BLOCK)
    assert (outcome.decision, outcome.rule) == (Decision.BLOCK, "guard/on_error")
    assert outcome.reason == "the hook 'guard' could not answer: no answer within 1 s"


def test_a_hook_that_allowed_before_it_broke_has_said_nothing_that_counts():
    outcome = outcome_of(b'{"decision": "approve", "reason": "fine"}', Decision.CONTINUE)
    assert (outcome.decision, outcome.rule) == (Decision.CONTINUE, "guard/on_error")


def unreadable(hook, event, capture):
    raise UnicodeError("rubbish")


def test_what_could_not_be_read_is_a_failure_of_interpretation_and_an_earlier_one_comes_first():
    hook = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", "x"))
    capture = Capture(exit_code=7, milliseconds=3.0, timeline=timeline_of((Stream.STDOUT, b"x")))
    outcome = interpret(hook, EVENT, capture, unreadable)
    assert (outcome.decision, outcome.exit_code, outcome.milliseconds) == (Decision.BLOCK, 7, 3.0)
    assert outcome.timeline == capture.timeline
    assert outcome.failure == Failure(
        Stage.INTERPRETATION,
        FailureCode.INTERPRETATION_FAILURE,
        "its answer could not be read: UnicodeError: rubbish",
        {"eventName": "BeforeTool", "hook": "guard"},
    )
    assert interpret(hook, EVENT, capture.replace(failure=LATE), unreadable).failure.message == LATE.message


EVERYTHING = Outcome(
    Decision.CONTINUE,
    reason="why",
    stop=True,
    updated_output="less",
    additional_context="know",
    system_message="hear",
    suppress_output=True,
)
SILENT = {
    "stop": False,
    "updated_input": None,
    "updated_output": None,
    "additional_context": "",
    "system_message": "",
    "suppress_output": False,
}


def within_rights(said, **fields):
    hook = Hook("h", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", "x")).replace(**fields)
    return interpret(hook, EVENT, Capture(), lambda *_: said)


@pytest.mark.parametrize("decision", list(Decision))
def test_an_observer_says_nothing_that_counts(decision):
    said = EVERYTHING.replace(decision=decision, updated_input={"command": "x"})
    outcome = within_rights(said, type=HookType.OBSERVABILITY)
    assert outcome.decision is Decision.CONTINUE
    assert {name: getattr(outcome, name) for name in SILENT} == SILENT


@pytest.mark.parametrize("decision", list(Decision))
def test_law_9_of_an_untrusted_hook_only_the_objection_counts(decision):
    said = EVERYTHING.replace(decision=decision, updated_input={"command": "x"})
    outcome = within_rights(said, trusted=False)
    expected = min(decision, Decision.BLOCK) if decision.objects else Decision.CONTINUE
    assert outcome.decision is expected
    assert {name: getattr(outcome, name) for name in SILENT} == SILENT


@pytest.mark.parametrize("type", [each for each in HookType if each is not HookType.OBSERVABILITY])
def test_only_guards_may_approve(type):
    approves = type in (HookType.AUTHORIZATION, HookType.SAFETY)
    outcome = within_rights(EVERYTHING.replace(decision=Decision.APPROVE), type=type)
    assert outcome.decision is (Decision.APPROVE if approves else Decision.ALLOW)
    assert outcome.system_message == "hear"


def test_a_validation_hook_that_rewrites_has_broken_and_any_other_may():
    said = Outcome(updated_input={"command": "x"})
    outcome = within_rights(said, type=HookType.VALIDATION)
    assert (outcome.decision, outcome.updated_input) == (Decision.BLOCK, None)
    assert outcome.failure.message.startswith("a validation hook cannot rewrite the call")
    assert within_rights(said).updated_input == {"command": "x"}


def test_a_reader_that_says_what_broke_is_believed():
    outcome = within_rights(Outcome(failure=LATE))
    assert (outcome.decision, outcome.failure.message) == (Decision.BLOCK, LATE.message)


def test_a_timeline_that_the_reader_gives_is_kept():
    mine = timeline_of((Stream.STDOUT, b"mine"))
    assert within_rights(Outcome(timeline=mine)).timeline == mine
