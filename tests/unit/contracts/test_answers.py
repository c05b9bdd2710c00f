"""What programs and Python hooks may answer, in the strict reading: an objection is never lost."""

import json

import pytest

from fairlead.contracts.auto import Auto
from fairlead.middleware_base import MiddlewareResult
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, HookType, Outcome, Run
from fairlead.model.timeline import Stream, timeline_of

BEFORE_TOOL = Event(EventName.BEFORE_TOOL)


def program(stdout="", stderr="", exit_code=0, *, protocol="auto", event=BEFORE_TOOL, failure=None):
    timeline = timeline_of((Stream.STDOUT, stdout.encode()), (Stream.STDERR, stderr.encode()))
    capture = Capture(timeline=timeline, exit_code=exit_code, failure=failure)
    return Auto().read(hook(protocol), event, capture)


def hook(protocol="auto"):
    return Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", "x", protocol=protocol))


def returned(value):
    return Auto().read(hook(), BEFORE_TOOL, Capture(value=value))


def deny(reason="no", **more):
    return json.dumps({"decision": "deny", "reason": reason, **more})


# Exit codes


def test_silence_with_exit_0_is_no_opinion():
    outcome = program()
    assert (outcome.decision, outcome.reason, outcome.failure) == (Decision.CONTINUE, "", None)


@pytest.mark.parametrize(
    ("stdout", "stderr", "reason"),
    [
        ("out", "err", "err"),
        ("out", "", "out"),
        ("", "", "guard blocked this and gave no reason"),
        ("{}", "err", "err"),
        ('{"decision": "allow"}', "err", "err"),
        ("{broken", "err", "err"),
        (deny("from the JSON"), "err", "from the JSON"),
    ],
)
def test_exit_2_always_blocks(stdout, stderr, reason):
    outcome = program(stdout, stderr, 2)
    assert (outcome.decision, outcome.reason) == (Decision.BLOCK, reason)


@pytest.mark.parametrize("code", [1, 3, 126, 127, 255])
def test_any_other_exit_code_is_a_failure_that_shows_what_was_printed(code):
    outcome = program("", "it broke", code)
    assert outcome.failure.message == f"exit code {code}: it broke"


@pytest.mark.parametrize("code", [1, 3, 127, -9])
def test_an_objection_beside_a_failing_exit_code_is_not_lost(code):
    outcome = program(deny(), "", code)
    assert outcome.decision is Decision.BLOCK
    assert outcome.failure is not None


def test_an_allow_beside_a_failing_exit_code_does_not_count():
    outcome = program('{"decision": "approve"}', "", 1)
    assert outcome.decision is Decision.CONTINUE
    assert outcome.failure is not None


def test_an_objection_printed_before_a_timeout_is_not_lost():
    failure = Failure(Stage.EXECUTION, FailureCode.TIMEOUT, "no answer within 1 s")
    outcome = program(deny(), exit_code=-9, failure=failure)
    assert (outcome.decision, outcome.failure) == (Decision.BLOCK, failure)


# JSON


@pytest.mark.parametrize(
    ("word", "decision"),
    [
        ("deny", Decision.BLOCK),
        ("block", Decision.BLOCK),
        ("ask", Decision.ASK),
        ("approve", Decision.APPROVE),
        ("allow", Decision.ALLOW),
        ("halt", Decision.HALT),
    ],
)
def test_the_decision_words(word, decision):
    assert program(json.dumps({"decision": word})).decision is decision


@pytest.mark.parametrize("word", ["DENY", "Deny", "no", "", "true", "blocked"])
def test_an_unknown_decision_word_is_a_failure(word):
    assert "is not a decision" in program(json.dumps({"decision": word})).failure.message


@pytest.mark.parametrize(
    "said",
    [
        {"decision": True},
        {"decision": ["deny"]},
        {"decision": "allow", "reason": 3},
        {"continue": "false"},
        {"hookSpecificOutput": "deny"},
        {"hookSpecificOutput": {"permissionDecision": False}},
        {"hookSpecificOutput": {"updatedInput": "ls"}},
    ],
)
def test_a_field_of_the_wrong_type_is_a_failure(said):
    assert "has to be" in program(json.dumps(said)).failure.message


@pytest.mark.parametrize(
    "said",
    [
        {"decison": "deny"},
        {"Decision": "deny", "reason": "no"},
        {"permissionDecision": "deny"},
        {"hookSpecificOutputs": {"permissionDecision": "deny"}},
    ],
)
def test_a_misspelt_key_is_a_failure_and_not_a_silent_allow(said):
    assert "probably meant" in program(json.dumps(said)).failure.message


@pytest.mark.parametrize(
    "text",
    [
        f"loading...\n{deny()}",
        f"loading...{deny()}",
        f"{deny()}\nbye",
        f'{{"level": "info"}}\n{deny()}\n{{"level": "info"}}',
        f'{deny()}\n{{"decision": "allow"}}',
        "﻿" + deny(),
        json.dumps(json.loads(deny()), indent=2),
        json.dumps(deny()),
        f"a {{b}} c\n{deny()}",
        f"{{not json}}\n{deny()}",
    ],
    ids=range(10),
)
def test_a_deny_is_found_wherever_it_stands(text):
    assert program(text).decision is Decision.BLOCK


def test_a_deny_on_the_wrong_stream_is_found():
    assert program("", deny()).decision is Decision.BLOCK
    assert program('{"decision": "allow"}', f"log\n{deny()}").decision is Decision.BLOCK


@pytest.mark.parametrize(
    "text",
    [
        '{"decision": "deny"',
        "log\n{'decision': 'deny'}",
        '[{"decision": "deny"}]',
        '{"decision": "deny", "limit": NaN}',
        '{"decision": "deny"\n{"decision": "allow"}',
        '{"a":' * 100_000,
    ],
    ids=range(6),
)
def test_what_looks_like_json_and_cannot_be_read_is_a_failure(text):
    assert "cannot be read" in program(text).failure.message


def test_plain_words_are_for_the_person_and_decide_nothing():
    outcome = program("3 files checked {ok}")
    assert (outcome.decision, outcome.system_message) == (Decision.CONTINUE, "3 files checked {ok}")


def test_plain_words_at_a_prompt_or_a_sessions_start_are_for_the_model():
    assert program("branch: main", event=Event(EventName.SESSION_START)).additional_context == "branch: main"
    assert program("branch: main", event=Event(EventName.BEFORE_AGENT)).additional_context == "branch: main"


def test_log_records_in_json_are_plain_words():
    assert program('{"level": "info"}').system_message == '{"level": "info"}'


def claude(protocol="claude", **specific):
    return program(json.dumps({"hookSpecificOutput": specific}), protocol=protocol)


@pytest.mark.parametrize(
    ("word", "decision"),
    [("deny", Decision.BLOCK), ("ask", Decision.ASK), ("defer", Decision.ASK), ("allow", Decision.APPROVE)],
)
def test_claude_codes_permission_words(word, decision):
    outcome = claude(permissionDecision=word, permissionDecisionReason="why")
    assert (outcome.decision, outcome.reason) == (decision, "why")


def test_law_3_allow_approves_only_in_a_hook_declared_to_speak_claudes_protocol():
    assert claude("auto", permissionDecision="allow").decision is Decision.ALLOW


def test_rewritten_input_context_and_output():
    outcome = claude(updatedInput={"command": "ls"}, additionalContext="c", updatedToolOutput="o", retry=True)
    assert outcome.updated_input == {"command": "ls"}
    assert (outcome.additional_context, outcome.updated_output) == ("c", "o")
    assert outcome.extra == {"retry": True}
    assert outcome.decision is Decision.CONTINUE


def test_geminis_rewritten_input():
    assert claude("gemini", tool_input={"command": "ls"}).updated_input == {"command": "ls"}


@pytest.mark.parametrize(
    ("said", "decision"),
    [
        ({"behavior": "deny", "message": "why"}, Decision.BLOCK),
        ({"behavior": "deny", "message": "why", "interrupt": True}, Decision.HALT),
        ({"behavior": "allow", "message": "why"}, Decision.APPROVE),
    ],
)
def test_the_answer_to_a_permission_request(said, decision):
    outcome = claude(decision=said)
    assert (outcome.decision, outcome.reason) == (decision, "why")


def test_an_unknown_behavior_is_a_failure():
    assert claude(decision={"behavior": "maybe"}).failure is not None


def test_of_two_decisions_in_one_answer_the_stronger_counts():
    said = {"decision": "approve", "hookSpecificOutput": {"permissionDecision": "deny"}}
    assert program(json.dumps(said)).decision is Decision.BLOCK


def test_continue_false_halts_with_the_reason_to_stop():
    outcome = program('{"continue": false, "stopReason": "", "reason": "enough"}')
    assert (outcome.decision, outcome.stop, outcome.stop_reason) == (Decision.HALT, True, "enough")


def test_a_reason_to_stop_without_a_stop_is_ignored():
    outcome = program('{"stopReason": "enough"}')
    assert (outcome.decision, outcome.stop, outcome.stop_reason) == (Decision.CONTINUE, False, "")


def test_messages_and_suppression():
    outcome = program('{"systemMessage": "hello", "suppressOutput": true}')
    assert (outcome.system_message, outcome.suppress_output) == ("hello", True)


def test_the_outcome_carries_timeline_and_exit_code():
    outcome = program("hello")
    assert outcome.timeline.rendered() == ["1: hello"]
    assert outcome.exit_code == 0


# Contract lines


def test_an_answer_in_contract_lines():
    outcome = program("checking\ncontract:decision=block\ncontract:reason=not on Fridays\n")
    assert (outcome.decision, outcome.reason) == (Decision.BLOCK, "not on Fridays")


def test_an_answer_in_a_contract_line_of_json():
    assert program("contract:" + deny("because")).reason == "because"


def test_a_later_contract_line_never_cancels_an_objection():
    outcome = program("contract:decision=block\ncontract:reason=no\ncontract:decision=allow\n")
    assert outcome.decision is Decision.BLOCK


@pytest.mark.parametrize("text", ["env:X=1", "frobnicate", "{broken", "decision=maybe", "[]"])
def test_a_contract_that_nobody_knows_is_a_failure(text):
    assert program(f"contract:{text}\n").failure is not None


def test_contract_lines_count_on_stdout_and_at_the_start_of_a_line_only():
    assert program("see contract:decision=block").decision is Decision.CONTINUE
    assert program("", "contract:decision=block").decision is Decision.CONTINUE


def test_the_contract_protocol_reads_nothing_else():
    assert program("plain words", protocol="contract") == program("plain words", protocol="contract")
    assert program("plain words", protocol="contract").system_message == ""
    assert program("contract:decision=block", "no", 1, protocol="contract").decision is Decision.BLOCK
    assert program("", "no", 2, protocol="contract").decision is Decision.BLOCK


# Values of Python hooks


def test_none_is_no_opinion():
    assert returned(None) == Outcome()


def test_an_outcome_is_itself():
    outcome = Outcome(Decision.ASK, "why")
    assert returned(outcome) is outcome


def test_a_middleware_result_says_all_its_fields():
    result = MiddlewareResult("block", "why", {"n": 1}, {"command": "ls"}, "context", "message")
    outcome = returned(result)
    assert (outcome.decision, outcome.reason, outcome.metrics) == (Decision.BLOCK, "why", {"n": 1})
    assert outcome.updated_input == {"command": "ls"}
    assert (outcome.additional_context, outcome.system_message) == ("context", "message")


@pytest.mark.parametrize("word", ["deny", "ask", "approve", "halt", "block", "allow", "continue"])
def test_a_dict_with_a_decision_word(word):
    assert returned({"decision": word}).failure is None


def test_a_dict_in_claudes_shape():
    assert returned({"hookSpecificOutput": {"permissionDecision": "deny"}}).decision is Decision.BLOCK


def test_an_empty_dict_is_no_opinion():
    assert returned({}).decision is Decision.CONTINUE


class Undecided:
    decision = None


@pytest.mark.parametrize(
    "value", ["block", 0, False, True, [], object(), {"allow": True}, {"decision": "maybe"}, Undecided()]
)
def test_anything_else_is_a_failure(value):
    assert returned(value).failure.stage is Stage.INTERPRETATION


def test_a_failed_capture_is_a_failed_outcome():
    failure = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, "it raised")
    outcome = Auto().read(hook(), BEFORE_TOOL, Capture(failure=failure))
    assert (outcome.failure, outcome.reason) == (failure, "it raised")


def test_the_reason_of_a_stop_stands_in_for_a_reason_that_was_not_given():
    said = {"decision": "deny", "stopReason": "enough"}
    assert program(json.dumps(said)).reason == "enough"
    assert program(json.dumps({**said, "reason": "why"})).reason == "why"
