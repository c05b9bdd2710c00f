"""What a caller reads: defaults, rewrites and the envelopes of what broke."""

from __future__ import annotations

import pytest

from fairlead.engine.finisher import UNSAID, failed, unrecorded
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Evidence, HookType, Outcome
from fairlead.model.verdict import Verdict
from fairlead.testing import FakeClock, hook, result_event, shell_event, system_of

LS = shell_event("ls")


def verdict_of(
    outcome: Outcome, *, event: Event = LS, type: HookType = HookType.SAFETY, default: Decision | None = None
) -> Verdict:
    defaults = {} if default is None else {event.name: default}
    hooks = [hook(lambda *_: outcome, id="h", type=type, event=event.name)]
    return system_of(hooks, defaults=defaults, policy="p1").fire(event)


@pytest.mark.parametrize("decision", list(Decision))
def test_an_approval_that_could_not_be_recorded_needs_a_person_and_nothing_else_changes(
    decision: Decision,
) -> None:
    verdict = Verdict(decision, "why", hook="h", rule="r")
    found = unrecorded(verdict)
    if decision is not Decision.APPROVE:
        assert found is verdict
    else:
        reason = "the approval could not be recorded, so a person must confirm it"
        assert found == verdict.replace(decision=Decision.ASK, reason=reason)


@pytest.mark.parametrize("name", [EventName.BEFORE_TOOL, EventName.NOTIFICATION])
@pytest.mark.parametrize("code", [FailureCode.EXECUTION_FAILURE, FailureCode.UNSUPPORTED_EVENT])
def test_what_broke_blocks_where_a_call_waits_for_it_or_may_wait(name: EventName, code: FailureCode) -> None:
    failure = Failure(Stage.VALIDATION, code, "it broke")
    gating = name is EventName.BEFORE_TOOL or code is FailureCode.UNSUPPORTED_EVENT
    assert failed(Event(name), failure, policy="p1", spent=2.0) == Verdict(
        decision=Decision.BLOCK if gating else Decision.CONTINUE,
        reason="it broke",
        hook="engine",
        rule="engine/validation",
        failures=(failure,),
        gating=gating,
        policy="p1",
        milliseconds=2.0,
    )


def test_a_default_that_objects_says_so_and_takes_over_nothing_of_the_hooks() -> None:
    outcome = Outcome(rule="h/x", reason="mine", evidence=(Evidence("ls"),), alternative="dir")
    found = verdict_of(outcome, default=Decision.ASK)
    assert (found.decision, found.hook, found.rule) == (Decision.ASK, "policy", "policy/default_decision")
    assert found.reason == "the policy's default is 'ask', and no authorization hook allowed this call"
    assert (found.evidence, found.alternative, found.policy) == ((), "", "p1")


@pytest.mark.parametrize("type", [HookType.AUTHORIZATION, HookType.SAFETY])
@pytest.mark.parametrize("said", [Decision.CONTINUE, Decision.ALLOW, Decision.APPROVE])
def test_only_an_authorization_hook_that_says_yes_lifts_a_default(type: HookType, said: Decision) -> None:
    lifted = type is HookType.AUTHORIZATION and said is not Decision.CONTINUE
    found = verdict_of(Outcome(said), type=type, default=Decision.BLOCK)
    assert found.decision is (said if lifted else Decision.BLOCK)


def test_a_default_that_allows_needs_no_reason_and_an_equal_one_changes_nothing() -> None:
    allowed = verdict_of(Outcome(), default=Decision.ALLOW)
    assert (allowed.decision, allowed.reason, allowed.hook) == (Decision.ALLOW, "", "h")
    blocked = verdict_of(Outcome(Decision.BLOCK, "mine"), default=Decision.BLOCK)
    assert (blocked.hook, blocked.reason) == ("h", "mine")


@pytest.mark.parametrize("reason", ["", " \n"])
def test_an_objection_without_a_reason_says_that_there_is_none(reason: str) -> None:
    assert verdict_of(Outcome(Decision.ASK, reason)).reason == UNSAID
    assert verdict_of(Outcome(Decision.ALLOW, reason)).reason == ""


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (Outcome(stop=True, stop_reason="done", reason="r"), "done"),
        (Outcome(stop=True, reason=" r "), "r"),
        (Outcome(stop=True), UNSAID),
        (Outcome(Decision.HALT, "r"), "r"),
        (Outcome(Decision.BLOCK, "r", stop_reason="unsaid"), ""),
    ],
)
def test_a_stop_has_a_reason_and_nothing_else_has_one(outcome: Outcome, why: str) -> None:
    assert verdict_of(outcome).stop_reason == why


def test_an_input_that_was_not_changed_is_not_handed_back() -> None:
    change = verdict_of(Outcome(updated_input={"command": "ls -a"}), type=HookType.TRANSFORMATION)
    assert (change.updated_input, change.updated_output) == ({"command": "ls -a"}, None)
    same = verdict_of(Outcome(updated_input={"command": "ls"}), type=HookType.TRANSFORMATION)
    assert same.updated_input is None


def test_an_output_that_was_not_changed_is_not_handed_back() -> None:
    event = result_event("Bash", {"command": "ls"}, "out")
    change = verdict_of(Outcome(updated_output="less"), event=event, type=HookType.TRANSFORMATION)
    assert (change.updated_output, change.updated_input) == ("less", None)
    same = verdict_of(Outcome(updated_output="out"), event=event, type=HookType.TRANSFORMATION)
    assert same.updated_output is None


@pytest.mark.parametrize(("said", "name"), [(None, "h"), (Outcome(system_message="m"), "h")])
def test_silence_and_speech_alike_tell_time_policy_and_who_was_asked(said: Outcome | None, name: str) -> None:
    clock = FakeClock()

    def answer(*_: object) -> Outcome | None:
        clock.advance(0.25)
        return said

    verdict = system_of([hook(answer, id=name)], clock=clock, policy="p1").fire(LS)
    assert (verdict.hook, verdict.policy, verdict.milliseconds, verdict.gating) == (name, "p1", 250.0, True)
    assert [outcome.hook for outcome in verdict.outcomes] == [name]


def test_nobody_asked_is_nobody_named_and_an_event_that_waits_for_nobody_gates_nothing() -> None:
    assert system_of([]).fire(LS).hook == ""
    assert not system_of([]).fire(Event(EventName.NOTIFICATION)).gating
    watcher = hook(lambda *_: None, id="w", event=EventName.NOTIFICATION)
    assert system_of([watcher]).fire(Event(EventName.NOTIFICATION)).gating
