"""The requirements of the seed, each by its id."""

import asyncio
import copy
import json
import logging
import re
from types import FunctionType
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bus_kit import OnBus, answers_to
from fairlead.assembly import build
from fairlead.doors.bus.messages import REQUEST, HookExecutionRequest, encoded
from fairlead.doors.bus.responder import respond
from fairlead.doors.bus.service import hook_service
from fairlead.engine import handler as handler_module
from fairlead.engine import inputs
from fairlead.engine import planner as planner_module
from fairlead.engine import recorder as recorder_module
from fairlead.engine import system as system_module
from fairlead.engine import validator as validator_module
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.engine.recorder import hook_record
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_input import SessionEndReason, SessionStartSource
from fairlead.model.event_name import ORIGINAL_EVENTS, EventName
from fairlead.model.failure import FailureCode, Stage
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.matching.matcher import matcher_from
from fairlead.model.processed import ProcessedHookResult
from fairlead.policy.policy import Policy
from fairlead.testing import FakeClock, MemorySink, hook, system_of
from fairlead.translations.translator import ModelTranslator
from model_samples import REQUESTS, RESPONSES

AROUND = Surroundings("session-1", "/work/dir", "/t.jsonl")

VALID = {
    EventName.BEFORE_TOOL: {"tool_name": "read_file", "tool_input": {"path": "/tmp/test.txt"}},
    EventName.AFTER_TOOL: {"tool_name": "read_file", "tool_input": {}, "tool_response": {"llmContent": "x"}},
    EventName.BEFORE_AGENT: {"prompt": ""},
    EventName.AFTER_AGENT: {"prompt": "p", "prompt_response": "r", "stop_hook_active": False},
    EventName.BEFORE_MODEL: {"llm_request": {}},
    EventName.AFTER_MODEL: {"llm_request": {}, "llm_response": {}},
    EventName.BEFORE_TOOL_SELECTION: {"llm_request": {}},
    EventName.NOTIFICATION: {"notification_type": "ToolPermission", "message": "m", "details": {}},
    EventName.SESSION_START: {"source": "startup"},
    EventName.SESSION_END: {"reason": "exit"},
    EventName.PRE_COMPRESS: {"trigger": "auto"},
}


def guard_name(event):
    return f"validate_{re.sub('(?<!^)(?=[A-Z])', '_', event.value).lower()}_input"


INVALID = {
    EventName.BEFORE_TOOL: [{}, {"tool_name": "", "tool_input": {}}, {"tool_name": "x", "tool_input": "y"}],
    EventName.AFTER_TOOL: [{"tool_name": "x", "tool_input": {}}],
    EventName.BEFORE_AGENT: [{}, {"prompt": 1}],
    EventName.AFTER_AGENT: [{"prompt": "p", "prompt_response": "r"}],
    EventName.BEFORE_MODEL: [{}, {"llm_request": []}],
    EventName.AFTER_MODEL: [{"llm_request": {}}],
    EventName.BEFORE_TOOL_SELECTION: [{}],
    EventName.NOTIFICATION: [{"notification_type": 123, "message": "m", "details": {}}],
    EventName.SESSION_START: [{}, {"source": ""}],
    EventName.SESSION_END: [{}],
    EventName.PRE_COMPRESS: [{}],
}


def handler_of(*hooks, **options):
    return HookEventHandler(system_of(list(hooks), **options), AROUND)


def saying(outcome, *, id="h", event=EventName.BEFORE_TOOL):
    return hook(lambda e, c, p: outcome, id=id, event=event)


@pytest.fixture
def service():
    """A system with one blocking hook, on a bus."""
    blocking = saying(Outcome(Decision.BLOCK, "no"))
    asked = OnBus(system_of([blocking]), AROUND)
    yield asked
    asked.close()


def ask(service, **body):
    return service.ask(a_request(**body))


def a_request(**body):
    return {"eventName": "BeforeTool", "input": VALID[EventName.BEFORE_TOOL], **body}


class TestSystem:
    def test_DELTA_HSYS_001_the_bus_and_the_logger_are_injected(self, caplog):
        logger = logging.getLogger("hsys.001")
        with caplog.at_level(logging.DEBUG, "hsys.001"):
            answers = answers_to(a_request(), system_of([saying(None)]), AROUND, logger=logger)
        assert len(answers) == 1
        assert any("BeforeTool" in record.getMessage() for record in caplog.records)

    def test_DELTA_HSYS_002_hooks_are_listed_and_switched(self):
        system = system_of([saying(Outcome(Decision.BLOCK, "no"), id="mine")])
        handler = HookEventHandler(system, AROUND)
        system.set_hook_enabled("mine", False)
        assert handler.fire_before_tool("x", {}).aggregated.verdict.decision is Decision.CONTINUE
        assert [(each.id, each.enabled) for each in system.get_all_hooks()] == [("mine", False)]
        system.set_hook_enabled("mine", True)
        assert handler.fire_before_tool("x", {}).aggregated.verdict.decision is Decision.BLOCK


class TestEvents:
    def test_DELTA_HEVT_001_a_request_runs_the_matching_path_once(self):
        seen = []
        watching = hook(lambda e, c, p: seen.append(e.name), id="w", event=EventName.SESSION_START)
        request = {"eventName": "SessionStart", "input": {"source": "startup"}}
        answers_to(request, system_of([watching]), AROUND)
        assert seen == [EventName.SESSION_START]

    def test_DELTA_HEVT_002_one_response_with_the_same_id(self, service):
        answer = ask(service, correlationId="req-abc-123")
        assert (answer["correlationId"], service.close()) == ("req-abc-123", [])
        assert answer["success"] is True and answer["output"]["decision"] == "block"

    def test_DELTA_HEVT_003_an_unknown_event_is_a_failed_response(self, service):
        answer = ask(service, eventName="Novelty", correlationId="c")
        assert (answer["success"], answer["error"]["code"]) == (False, "UNSUPPORTED_EVENT")
        assert answer["correlationId"] == "c"

    def test_DELTA_HEVT_004_after_dispose_nothing_is_answered(self, service):
        service.service.dispose()
        service.service.dispose()
        service.bus.publish(REQUEST, a_request())
        assert service.close() == []


class TestResults:
    def test_DELTA_HRUN_001_every_fire_passes_the_one_processing_stage(self):
        handler = handler_of()
        for name, valid in VALID.items():
            assert isinstance(handler.fire(name, valid), ProcessedHookResult)

    @pytest.mark.parametrize(
        ("outcome", "reason"),
        [
            (Outcome(stop=True, stop_reason=" S ", reason="R"), "S"),
            (Outcome(stop=True, reason="R"), "R"),
            (Outcome(stop=True), "no reason was given"),
            (Outcome(Decision.HALT, "H"), "H"),
        ],
    )
    def test_DELTA_HRUN_002_stop_has_a_canonical_reason(self, outcome, reason):
        result = handler_of(saying(outcome)).fire_before_tool("x", {})
        assert (result.should_stop, result.stop_reason) == (True, reason)

    def test_DELTA_HRUN_003_messages_and_suppression_come_from_one_place(self):
        result = handler_of(
            saying(Outcome(system_message="one"), id="a"),
            saying(Outcome(system_message="two", suppress_output=True), id="b"),
        ).fire_before_tool("x", {})
        assert (result.system_message, result.suppress_output) == ("one\ntwo", True)

    def test_DELTA_HRUN_004_the_result_has_five_fields(self):
        assert ProcessedHookResult._fields == (
            "aggregated",
            "should_stop",
            "stop_reason",
            "system_message",
            "suppress_output",
        )


class TestPayloads:
    @pytest.mark.parametrize("name", sorted(ORIGINAL_EVENTS))
    def test_DELTA_HPAY_001_every_family_is_validated_on_the_bus(self, service, name):
        assert ask(service, eventName=str(name), input=VALID[name])["success"] is True
        for wrong in INVALID[name]:
            answer = ask(service, eventName=str(name), input=wrong)
            assert (answer["success"], answer["error"]["code"]) == (False, "VALIDATION_FAILURE")

    def test_DELTA_HPAY_002_a_bad_payload_is_a_structured_failure_and_runs_nothing(self, service):
        answer = ask(service, input={"tool_input": {}}, correlationId="req-abc-123")
        assert answer["error"] == {
            "code": "VALIDATION_FAILURE",
            "message": "BeforeTool input missing required field: tool_name",
            "details": {"stage": "validation", "eventName": "BeforeTool", "field": "tool_name"},
        }
        assert answer["output"]["hookResults"] == []

    @pytest.mark.parametrize("name", sorted(ORIGINAL_EVENTS))
    def test_DELTA_HPAY_002_no_hook_sees_an_invalid_payload_and_nothing_is_planned(self, name):
        seen = []
        watching = [
            hook(lambda e, c, p: seen.append(e), id=type, type=type, event=name) for type in sorted(HookType)
        ]
        system = system_of(watching)
        planned = system.plan
        system.plan = lambda event: seen.append(event) or planned(event)
        system.fire = system.fire_async = lambda *_, **__: pytest.fail("an invalid payload was fired")
        handler = HookEventHandler(system, AROUND)
        for wrong in INVALID[name]:
            handler.fire(name, wrong)
            asyncio.run(handler.fire_async(name, wrong))
            (answer,) = answers_to({"eventName": str(name), "input": wrong}, system, AROUND)
            assert answer["output"]["hookResults"] == []
        assert seen == []

    @pytest.mark.parametrize("name", ["BeforeModel", "AfterModel", "BeforeToolSelection"])
    def test_DELTA_HPAY_003_hooks_see_the_neutral_form_on_both_paths(self, name):
        seen = []
        watching = hook(lambda e, c, p: seen.append(e), id="w", event=EventName(name))
        system = system_of([watching], translator=ModelTranslator())
        native = {"llm_request": REQUESTS["gemini"], "llm_response": RESPONSES["gemini"]}
        HookEventHandler(system, AROUND).fire(EventName(name), native)
        answers_to({"eventName": name, "input": native}, system, AROUND)
        assert len(seen) == 2
        for event in seen:
            assert event.model_request["messages"][0]["content"][0]["text"] == "hello"
            assert event.model_response["messages"][0]["content"][0]["text"] == "hi"

    def test_DELTA_HPAY_003_a_hooks_change_comes_back_in_the_callers_own_shape(self):
        def redact(event, config, previous):
            request = copy.deepcopy(dict(event.model_request))
            request["messages"][0]["content"][0]["text"] = "[redacted]"
            return Outcome(extra={"llm_request": {"messages": request["messages"]}})

        def colder(event, config, previous):
            assert event.model_request["messages"][0]["content"][0]["text"] == "[redacted]"
            return Outcome(extra={"llm_request": {"options": {"top_k": 1}}})

        common = {"type": HookType.TRANSFORMATION, "event": EventName.BEFORE_MODEL}
        hooks = [hook(redact, **common), hook(colder, **common)]
        handler = handler_of(*hooks, translator=ModelTranslator())
        verdict = handler.fire_before_model(REQUESTS["gemini"]).aggregated.verdict
        expected = (
            str(REQUESTS["gemini"]).replace("'hello'", "'[redacted]'").replace("'topK': 3", "'topK': 1")
        )
        assert str(verdict.extra["llm_request"]) == expected

    @pytest.mark.parametrize("api", sorted(REQUESTS))
    def test_DELTA_HPAY_003_an_option_is_changed_or_taken_away_without_the_others(self, api):
        def colder(event, config, previous):
            return Outcome(extra={"llm_request": {"options": {"temperature": 0.25, "max_tokens": None}}})

        seen = []
        common = {"type": HookType.TRANSFORMATION, "event": EventName.BEFORE_MODEL}
        watching = hook(lambda e, c, p: seen.append(e.model_request["options"]), event=EventName.BEFORE_MODEL)
        handler = handler_of(hook(colder, **common), watching, translator=ModelTranslator())
        before = ModelTranslator().to_hooks(Event(EventName.BEFORE_MODEL, model_request=REQUESTS[api]))
        verdict = handler.fire_before_model(REQUESTS[api]).aggregated.verdict
        expected = {**before.model_request["options"], "temperature": 0.25}
        expected.pop("max_tokens", None)
        assert seen == [expected]
        after = ModelTranslator().to_hooks(before.replace(model_request=verdict.extra["llm_request"]))
        assert after.model_request["options"] == expected

    def test_DELTA_HPAY_004_a_translation_failure_runs_nothing_and_is_told(self):
        seen = []
        watching = hook(lambda e, c, p: seen.append(e), id="w", event=EventName.BEFORE_MODEL)
        system = system_of([watching], translator=ModelTranslator())
        given_input = {"llm_request": {"prompt": "what is this?"}}
        request = {"eventName": "BeforeModel", "input": given_input, "correlationId": "c"}
        (answer,) = answers_to(request, system, AROUND)
        assert (answer["success"], answer["correlationId"], seen) == (False, "c", [])
        assert answer["error"]["code"] == "TRANSLATION_FAILURE"
        assert answer["error"]["details"] == {"stage": "translation", "eventName": "BeforeModel"}
        assert answer["output"]["decision"] == "block"

    def test_DELTA_HPAY_005_there_is_a_type_guard_for_each_event(self):
        guards = [name for name in dir(inputs) if name.startswith("validate_") and name != "validate_input"]
        assert sorted(guards) == sorted(map(guard_name, ORIGINAL_EVENTS))
        for name in guards:
            assert "TypeGuard" in str(getattr(inputs, name).__annotations__["return"])

    @pytest.mark.parametrize("name", sorted(ORIGINAL_EVENTS))
    def test_DELTA_HPAY_005_each_takes_what_is_valid_and_nothing_else(self, name):
        guard = getattr(inputs, guard_name(name))
        assert guard(VALID[name]) is True
        for wrong in [*INVALID[name], None, [], "text", 5]:
            assert guard(wrong) is False, wrong

    @pytest.mark.parametrize("name", sorted(ORIGINAL_EVENTS))
    def test_DELTA_HPAY_005_each_asks_for_its_own_fields_in_their_types(self, name):
        guard, valid = getattr(inputs, guard_name(name)), VALID[name]
        assert guard({**valid, "more": object()})
        for field in valid:
            without = {key: value for key, value in valid.items() if key != field}
            for wrong in (without, {**valid, field: None}, {**valid, field: 7}, {**valid, field: [1]}):
                assert not guard(wrong), (field, wrong)

    def test_DELTA_HPAY_006_an_unknown_source_or_reason_becomes_other_and_is_kept(self):
        seen = []
        start = hook(lambda e, c, p: seen.append(dict(e.payload)), id="s", event=EventName.SESSION_START)
        end = hook(lambda e, c, p: seen.append(dict(e.payload)), id="e", event=EventName.SESSION_END)
        handler = handler_of(start, end)
        handler.fire_session_start("teleport")
        handler.fire_session_end(SessionEndReason.LOGOUT)
        assert (seen[0]["source"], seen[0]["native_source"]) == ("other", "teleport")
        assert seen[1]["reason"] == "logout"

    def test_DELTA_HPAY_006_every_word_of_the_enums_is_known(self):
        seen = []
        names = (EventName.SESSION_START, EventName.SESSION_END)
        handler = handler_of(
            *(hook(lambda e, c, p: seen.append(dict(e.payload)), id="w", event=name) for name in names)
        )
        for source in SessionStartSource:
            handler.fire_session_start(source)
        for reason in SessionEndReason:
            handler.fire_session_end(reason)
        assert [each.get("source") or each["reason"] for each in seen] == [
            *SessionStartSource,
            *SessionEndReason,
        ]
        assert all(not key.startswith("native_") for each in seen for key in each)


class TestBus:
    OUTPUT = frozenset(
        {
            "hookResults",
            "success",
            "allOutputs",
            "errors",
            "totalDuration",
            "decision",
            "reason",
            "rule",
            "updatedInput",
            "updatedOutput",
            "additionalContext",
            "shouldStop",
            "stopReason",
            "systemMessage",
            "suppressOutput",
            "extra",
        }
    )
    HOOK = frozenset(
        {"hook", "type", "decision", "reason", "rule", "duration", "exitCode", "metrics", "error"}
    )

    def test_DELTA_HBUS_001_only_the_declared_fields_cross_the_bus(self, service):
        answer = ask(service, correlationId="c")
        assert answer.keys() == {"correlationId", "success", "output"}
        assert answer["output"].keys() == self.OUTPUT
        (result,), (output,) = answer["output"]["hookResults"], answer["output"]["allOutputs"]
        assert result.keys() == output.keys() == self.HOOK

    def test_DELTA_HBUS_001_a_failure_has_the_declared_fields_and_no_others(self, service):
        failed = ask(service, input={})
        assert failed.keys() == {"correlationId", "success", "output", "error"}
        assert failed["error"].keys() == {"code", "message", "details"}
        refused = ask(service, eventName="Novelty")
        assert refused.keys() == {"correlationId", "success", "error"}
        assert refused["error"].keys() == {"code", "message", "details"}

    def test_DELTA_HBUS_001_a_request_is_its_own_object_or_its_json(self, service):
        request = HookExecutionRequest(EventName.BEFORE_TOOL, VALID[EventName.BEFORE_TOOL], "c", "me")
        assert request.as_json().keys() == {"eventName", "input", "correlationId", "sender"}
        answers = [service.ask(request), service.ask(request.as_json())]
        for answer in answers:
            for outcome in answer["output"]["hookResults"] + answer["output"]["allOutputs"]:
                outcome["duration"] = 0
            answer["output"]["totalDuration"] = 0
        assert answers[0] == answers[1] and answers[0]["correlationId"] == "c"

    def test_DELTA_HBUS_001_an_object_may_be_as_wrong_as_its_json(self, service):
        unknown = service.ask(HookExecutionRequest(EventName.TOOL_FAILURE, {}, "c"))
        assert (unknown["correlationId"], unknown["error"]["code"]) == ("c", "UNSUPPORTED_EVENT")
        invalid = service.ask(HookExecutionRequest(EventName.BEFORE_TOOL, "text", ""))
        assert invalid["error"]["code"] == "VALIDATION_FAILURE" and invalid["correlationId"]

    def test_DELTA_HBUS_002_without_a_bus_the_direct_path_gives_the_same(self):
        direct = hook_service(system_of([saying(Outcome(Decision.BLOCK, "no"))]), AROUND)
        assert direct.handler.fire_before_tool("x", {}).aggregated.verdict.reason == "no"
        direct.dispose()

    @pytest.mark.parametrize("missing", [{}, {"correlationId": ""}, {"correlationId": 7}])
    def test_DELTA_HBUS_003_a_missing_id_is_made_and_echoed(self, service, missing):
        from uuid import UUID

        assert UUID(ask(service, **missing)["correlationId"]).version == 4


class TestRecords:
    FIELDS = frozenset(
        {
            "eventName",
            "hookIdentity",
            "duration",
            "success",
            "exitCode",
            "stdout",
            "stderr",
            "errorMessage",
        }
    )

    def records(self, *hooks):
        sink = MemorySink()
        handler_of(*hooks, sinks=(sink,)).fire_before_tool("x", {})
        return sink.records

    def test_DELTA_HTEL_001_one_record_per_hook(self):
        (record, *_) = self.records(saying(None, id="mine"))
        assert record.keys() >= self.FIELDS and record["hookIdentity"] == "mine"

    @pytest.mark.parametrize(
        ("script", "code", "stdout", "stderr", "error"),
        [
            ("echo out; echo err >&2; exit 2", 2, "out\n", "err\n", None),
            ("echo other; exit 0", 0, "other\n", "", None),
            ("echo broken >&2; exit 3", 3, "", "broken\n", "exit code 3"),
        ],
    )
    def test_DELTA_HTEL_001_the_record_says_what_the_hook_did(self, script, code, stdout, stderr, error):
        run = Run("command", ("/bin/sh", "-c", f"cat >/dev/null; {script}"))
        sink = MemorySink()
        system = build(Policy(()), more=[Hook("mine", HookType.SAFETY, EventName.BEFORE_TOOL, run)])
        system.add_sink(sink)
        HookEventHandler(system, Surroundings("s", "/tmp")).fire_before_tool("x", {})
        (record,) = [each for each in sink.records if each.get("hookIdentity") == "mine"]
        assert (record["exitCode"], record["stdout"], record["stderr"]) == (code, stdout, stderr)
        assert (record["success"], record["eventName"]) == (error is None, "BeforeTool")
        assert error in record["errorMessage"] if error else record["errorMessage"] is None

    @pytest.mark.parametrize("milliseconds", [0.0, 12.5, 3_000.25])
    def test_DELTA_HTEL_001_the_record_has_the_hooks_own_duration(self, milliseconds):
        record = hook_record(Event(EventName.BEFORE_TOOL), Outcome(hook="h", milliseconds=milliseconds))
        assert record["duration"] == milliseconds

    def test_DELTA_HTEL_001_a_failure_has_its_own_message(self):
        def crash(event, config, previous):
            raise OSError("down")

        (record, *_) = self.records(hook(crash, id="mine"))
        assert (record["success"], record["exitCode"]) == (False, None)
        assert record["errorMessage"].startswith("OSError: down")

    def test_DELTA_HTEL_002_the_summary_has_the_time_of_the_event(self):
        clock, sink = FakeClock(), MemorySink()
        slow = hook(lambda e, c, p: clock.advance(0.25), id="slow")
        handler_of(slow, sinks=(sink,), clock=clock).fire_before_tool("x", {})
        assert sink.records[-1]["totalDuration"] == pytest.approx(250.0)

    def test_DELTA_HTEL_002_one_summary_per_event(self):
        def crash(event, config, previous):
            raise OSError

        summary = self.records(saying(None, id="a"), hook(crash, on_error=Decision.ALLOW))[-1]
        assert (summary["hookCount"], summary["successCount"], summary["failureCount"]) == (2, 1, 1)
        assert "totalDuration" in summary
        assert self.records()[-1]["hookCount"] == 0

    def test_DELTA_HTEL_003_one_diagnostic_per_failure(self):
        def crash(event, config, previous):
            raise OSError("down")

        failures = [each for each in self.records(hook(crash)) if each["record"] == "failure"]
        assert len(failures) == 1 and "down" in failures[0]["message"]

    @pytest.mark.parametrize("name", sorted(ORIGINAL_EVENTS))
    def test_DELTA_HTEL_003_an_invalid_payload_is_a_record_directly_and_over_the_bus(self, name):
        sink = MemorySink()
        system = system_of([], sinks=(sink,))
        HookEventHandler(system, AROUND).fire(name, {})
        asyncio.run(HookEventHandler(system, AROUND).fire_async(name, {}))
        answers_to({"eventName": str(name), "input": {}}, system, AROUND)
        assert [each["record"] for each in sink.records] == ["failure", "summary"] * 3
        for record in sink.records[::2]:
            assert (record["code"], record["eventName"]) == ("VALIDATION_FAILURE", name)
            assert record["details"]["stage"] == "validation"

    @pytest.mark.parametrize(
        ("message", "code", "name"),
        [
            ({"eventName": "Novelty", "input": {}}, "UNSUPPORTED_EVENT", "Novelty"),
            ({"eventName": "BeforeTool"}, "INVALID_REQUEST", "BeforeTool"),
            ("rubbish", "INVALID_REQUEST", ""),
        ],
    )
    def test_DELTA_HTEL_003_a_request_that_names_no_event_is_a_record(self, message, code, name):
        sink = MemorySink()
        system = system_of([saying(None)], sinks=(sink,))
        answers_to(message, system, AROUND)
        respond(HookEventHandler(system, AROUND), message)
        assert [(each["record"], each["code"], each["eventName"]) for each in sink.records] == [
            ("failure", code, name)
        ] * 2


class TestCallers:
    def test_DELTA_HAPP_001_stop_message_and_suppression_are_read_in_one_place(self):
        outcome = Outcome(Decision.HALT, "enough", system_message="m", suppress_output=True)
        result = handler_of(saying(outcome)).fire_before_tool("x", {})
        read = (result.should_stop, result.stop_reason, result.system_message, result.suppress_output)
        assert read == (True, "enough", "m", True)

    def test_DELTA_HAPP_002_stop_and_its_reason_survive_the_bus(self):
        stopping = system_of([saying(Outcome(stop=True, stop_reason="why"))])
        (answer,) = answers_to(a_request(), stopping, AROUND)
        assert (answer["output"]["shouldStop"], answer["output"]["stopReason"]) == (True, "why")


class TestFailures:
    def test_DELTA_HFAIL_001_every_fire_method_returns_an_envelope_when_the_planner_breaks(self):
        system = system_of([])
        system._planner = None
        handler = HookEventHandler(system, AROUND)
        for name, valid in VALID.items():
            result = handler.fire(name, valid)
            assert not result.aggregated.success and result.aggregated.errors[0].stage is Stage.PLANNING

    def test_DELTA_HFAIL_002_a_failure_at_any_stage_reaches_the_response(self):
        def crash(event, config, previous):
            raise OSError("down")

        def error_of(*hooks, **body):
            (answer,) = answers_to(a_request(**body), system_of(list(hooks)), AROUND)
            return answer["error"]

        assert error_of(hook(crash))["details"]["stage"] == "execution"
        assert error_of(saying(42))["details"]["stage"] == "interpretation"
        assert error_of(input={})["details"]["stage"] == "validation"
        assert error_of(input=None)["code"] == "INVALID_REQUEST"

    def test_DELTA_HFAIL_003_no_match_is_a_success_with_empty_lists(self):
        aggregated = handler_of().fire_before_tool("x", {}).aggregated
        assert aggregated.success
        assert (aggregated.hook_results, aggregated.all_outputs, aggregated.errors) == ((), (), ())

    def test_DELTA_HFAIL_004_an_empty_result_cannot_be_changed(self):
        first = handler_of().fire_before_tool("x", {})
        with pytest.raises(AttributeError):
            first.aggregated.errors = ("leak",)
        with pytest.raises(AttributeError):
            first.aggregated.verdict.reason = "leak"

    @pytest.mark.parametrize("name", sorted(ORIGINAL_EVENTS))
    def test_DELTA_HFAIL_004_an_empty_result_is_never_shared(self, name):
        handler = handler_of()
        first, second = handler.fire(name, VALID[name]), handler.fire(name, VALID[name])
        assert first is not second
        assert first.aggregated is not second.aggregated
        assert first.aggregated.verdict is not second.aggregated.verdict

    def test_DELTA_HFAIL_004_what_a_caller_does_to_one_answer_is_in_no_other(self, service):
        spoiled = ask(service, eventName="SessionStart", input={"source": "startup"})
        for field in ("hookResults", "allOutputs", "errors"):
            spoiled["output"][field].append("leak")
        spoiled["output"]["extra"]["leak"] = True
        fresh = ask(service, eventName="SessionStart", input={"source": "startup"})["output"]
        assert [fresh[field] for field in ("hookResults", "allOutputs", "errors")] == [[], [], []]
        assert fresh["extra"] == {}

    def test_DELTA_HFAIL_005_whatever_takes_the_name_of_an_event_takes_the_enum(self):
        """Every function of the rooms that route an event, private ones among them."""
        taking = list(takers_of_an_event_name())
        assert {"fire", "fire_async", "_event", "validate_input", "_with_known_words"} <= {
            function.__name__ for function, _ in taking
        }
        for function, annotation in taking:
            assert annotation in (EventName, "EventName"), f"{function.__qualname__}: {annotation}"


def takers_of_an_event_name():
    """Functions with a parameter for the name of an event, and its annotation; but for those who say of
    anything else that it is none."""
    for module in (handler_module, validator_module, system_module, planner_module, recorder_module):
        for function in functions_of(module):
            for name, annotation in function.__annotations__.items():
                if function.__name__ in ("unknown_event", "_nearest_event"):
                    continue
                if name in ("event_name", "name") or (name == "event" and annotation not in (Event, "Event")):
                    yield function, annotation


def functions_of(module):
    for thing in vars(module).values():
        if getattr(thing, "__module__", "") != module.__name__:
            continue
        members = vars(thing).values() if isinstance(thing, type) else [thing]
        yield from (member for member in members if isinstance(member, FunctionType))


class TestBaseFields:
    def test_every_hook_receives_the_five_base_fields_and_no_input_can_overwrite_them(self):
        seen = []
        handler = handler_of(hook(lambda e, c, p: seen.append(dict(e.payload)), id="x"))
        forged = {"session_id": "forged", "cwd": "/forged", "hook_event_name": "Forged", "timestamp": 0}
        handler.fire(EventName.BEFORE_TOOL, {**VALID[EventName.BEFORE_TOOL], **forged})
        (payload,) = seen
        assert payload["session_id"] == "session-1" and payload["cwd"] == "/work/dir"
        assert payload["hook_event_name"] == "BeforeTool" and payload["transcript_path"] == "/t.jsonl"
        assert payload["timestamp"].endswith("Z")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
requests = json_values | st.fixed_dictionaries(
    {},
    optional={
        "eventName": st.sampled_from(sorted(ORIGINAL_EVENTS)).map(str) | json_values,
        "input": json_values | st.sampled_from(list(VALID.values())),
        "correlationId": json_values,
    },
)


def everywhere(outcome=None):
    """A system with a hook for every event, and the translator of model calls."""
    hooks = [saying(outcome, id="all", event=name) for name in ORIGINAL_EVENTS]
    return system_of(hooks, translator=ModelTranslator())


@given(requests)
def test_any_json_gets_exactly_one_response_and_nothing_is_raised(body):
    (answer,) = answers_to(body, everywhere(), AROUND)
    assert isinstance(answer["success"], bool) and answer["correlationId"]


model_requests = st.fixed_dictionaries(
    {
        "llm_request": st.dictionaries(
            st.sampled_from(["contents", "messages", "input", "config"]), json_values
        )
    },
    optional={"llm_response": json_values, "api": json_values},
)


@given(
    st.sampled_from(sorted(ORIGINAL_EVENTS)),
    json_values | st.sampled_from(list(VALID.values())) | model_requests,
)
def test_any_json_gets_a_result_on_the_direct_path_too(name, given_input):
    result = HookEventHandler(everywhere(), AROUND).fire(name, given_input)
    assert isinstance(result, ProcessedHookResult)
    assert result.aggregated.success is (result.aggregated.errors == ())
    for failure in result.aggregated.errors:
        assert failure.as_json()["details"]["stage"] and failure.details["eventName"] == name


class TestExamplesOfTheSeed:
    REQUEST: ClassVar = {
        "eventName": "BeforeTool",
        "input": {"tool_name": "read_file", "tool_input": {"path": "/tmp/test.txt"}},
        "correlationId": "req-abc-123",
    }

    def answer(self, **changed):
        (answer,) = answers_to({**self.REQUEST, **changed}, system_of([]), AROUND)
        return answer

    def test_the_valid_request_has_the_successful_response(self):
        answer = self.answer()
        assert (answer["correlationId"], answer["success"]) == ("req-abc-123", True)
        output = answer["output"]
        assert isinstance(output.pop("totalDuration"), float)
        expected = {"hookResults": [], "success": True, "allOutputs": [], "errors": []}
        assert {key: output[key] for key in expected} == expected

    def test_the_failed_response(self):
        answer = self.answer(input={"tool_input": {"path": "/tmp/test.txt"}})
        assert (answer["correlationId"], answer["success"]) == ("req-abc-123", False)
        error = answer["error"]
        assert error["code"] == "VALIDATION_FAILURE"
        assert error["message"] == "BeforeTool input missing required field: tool_name"
        assert error["details"].items() >= {"stage": "validation", "eventName": "BeforeTool"}.items()


class TestEveryCode:
    """Each code of the documented list is reached, directly and over the bus where it can cross it."""

    def on_the_bus(self, *hooks, event="BeforeTool", given_input=None, system=None, **options):
        system = system or system_of(list(hooks), **options)
        given_input = VALID[EventName.BEFORE_TOOL] if given_input is None else given_input
        request = {"eventName": event, "input": given_input}
        (answer,) = answers_to(request, system, Surroundings("s", "/tmp"))
        assert answer["success"] is False
        return answer["error"]

    def test_INVALID_REQUEST(self):
        assert self.on_the_bus(event="")["code"] == "INVALID_REQUEST"

    def test_UNSUPPORTED_EVENT(self):
        assert self.on_the_bus(event="Novelty")["code"] == "UNSUPPORTED_EVENT"

    def test_VALIDATION_FAILURE(self):
        error = self.on_the_bus(given_input={"tool_name": "x", "tool_input": 1})
        assert (error["code"], error["details"]["field"]) == ("VALIDATION_FAILURE", "tool_input")

    def test_TRANSLATION_FAILURE(self):
        options = {"event": "BeforeModel", "given_input": {"llm_request": {}}}
        error = self.on_the_bus(translator=ModelTranslator(), **options)
        assert error["code"] == "TRANSLATION_FAILURE"

    def test_PLANNING_FAILURE(self):
        def no_matcher(call, state):
            raise OSError("no")

        error = self.on_the_bus(hook(lambda *_: None, id="h", matcher=matcher_from(no_matcher)))
        assert (error["code"], error["details"]["stage"]) == ("PLANNING_FAILURE", "planning")
        assert (error["details"]["hook"], error["details"]["eventName"]) == ("h", "BeforeTool")

    def test_EXECUTION_FAILURE(self):
        def crash(event, config, previous):
            raise OSError("down")

        error = self.on_the_bus(hook(crash, id="h"))
        assert error["code"] == "EXECUTION_FAILURE"
        assert error["details"] == {"stage": "execution", "eventName": "BeforeTool", "hook": "h"}

    def test_TIMEOUT(self):
        slow = Hook(
            "h", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", ("/bin/sleep", "9")), timeout=0.2
        )
        error = self.on_the_bus(system=build(Policy(()), more=[slow]))
        assert (error["code"], error["details"]["hook"]) == ("TIMEOUT", "h")

    def test_INTERPRETATION_FAILURE(self):
        error = self.on_the_bus(saying(42, id="h"))
        assert (error["code"], error["details"]["hook"]) == ("INTERPRETATION_FAILURE", "h")

    def test_AGGREGATION_FAILURE(self):
        error = self.on_the_bus(saying(Outcome(reason=7, decision=Decision.BLOCK)))
        assert (error["code"], error["details"]["stage"]) == ("AGGREGATION_FAILURE", "aggregation")

    def test_RENDERING_FAILURE(self):
        error = self.on_the_bus(saying(Outcome(Decision.BLOCK, "no", metrics=5)))
        assert (error["code"], error["details"]["stage"]) == ("RENDERING_FAILURE", "rendering")

    def test_what_cannot_be_written_for_the_network_still_blocks(self):
        handler = handler_of(saying(Outcome(Decision.BLOCK, "no", metrics={(1, 2): 3})))
        response = respond(handler, {"eventName": "BeforeTool", "input": VALID[EventName.BEFORE_TOOL]})
        answer = json.loads(encoded(response))
        assert answer["correlationId"] == response.correlation_id
        assert (answer["error"]["code"], answer["output"]["decision"]) == ("RENDERING_FAILURE", "block")

    def test_every_code_is_here(self):
        tested = {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")}
        assert tested >= set(FailureCode)
