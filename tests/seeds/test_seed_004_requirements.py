"""The requirements of the seed, each by its id."""

import copy
import json
import logging
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.assembly import build
from fairlead.doors.bus.local_bus import LocalBus
from fairlead.doors.bus.messages import REQUEST, RESPONSE, HookExecutionResponse, encoded
from fairlead.doors.bus.responder import respond
from fairlead.doors.bus.service import hook_service
from fairlead.engine import inputs
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_input import SessionEndReason, SessionStartSource
from fairlead.model.event_name import ORIGINAL_EVENTS, EventName
from fairlead.model.failure import FailureCode, Stage
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.matcher import matcher_from
from fairlead.model.processed import ProcessedHookResult
from fairlead.policy.policy import Policy
from fairlead.testing import MemorySink, hook, system_of
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
    """A system with one blocking hook, on a bus, and everything that the bus carried back."""
    bus = LocalBus()
    sink = MemorySink()
    answers = []
    bus.subscribe(RESPONSE, answers.append)
    blocking = saying(Outcome(Decision.BLOCK, "no"))
    built = hook_service(system_of([blocking], sinks=(sink,)), AROUND, bus=bus)
    built.test_bus, built.test_sink, built.answers = bus, sink, answers
    return built


def ask(service, **body):
    service.test_bus.publish(
        REQUEST, {"eventName": "BeforeTool", "input": VALID[EventName.BEFORE_TOOL], **body}
    )
    return service.answers[-1]


class TestSystem:
    def test_DELTA_HSYS_001_the_bus_and_the_logger_are_injected(self, caplog):
        bus, answers = LocalBus(), []
        bus.subscribe(RESPONSE, answers.append)
        logger = logging.getLogger("hsys.001")
        with caplog.at_level(logging.DEBUG, "hsys.001"):
            hook_service(system_of([saying(None)]), AROUND, bus=bus, logger=logger)
            bus.publish(REQUEST, {"eventName": "BeforeTool", "input": VALID[EventName.BEFORE_TOOL]})
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
        bus = LocalBus()
        watching = hook(lambda e, c, p: seen.append(e.name), id="w", event=EventName.SESSION_START)
        hook_service(system_of([watching]), AROUND, bus=bus)
        bus.publish(REQUEST, {"eventName": "SessionStart", "input": {"source": "startup"}})
        assert seen == [EventName.SESSION_START]

    def test_DELTA_HEVT_002_one_response_with_the_same_id(self, service):
        answer = ask(service, correlationId="req-abc-123")
        assert (len(service.answers), answer["correlationId"]) == (1, "req-abc-123")
        assert answer["success"] is True and answer["output"]["decision"] == "block"

    def test_DELTA_HEVT_003_an_unknown_event_is_a_failed_response(self, service):
        answer = ask(service, eventName="Novelty", correlationId="c")
        assert (answer["success"], answer["error"]["code"]) == (False, "UNSUPPORTED_EVENT")
        assert answer["correlationId"] == "c"

    def test_DELTA_HEVT_004_after_dispose_nothing_is_answered(self, service):
        service.dispose()
        service.dispose()
        service.test_bus.publish(REQUEST, {"eventName": "BeforeTool", "input": {}})
        assert service.answers == []


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

    @pytest.mark.parametrize("name", ["BeforeModel", "AfterModel", "BeforeToolSelection"])
    def test_DELTA_HPAY_003_hooks_see_the_neutral_form_on_both_paths(self, name):
        seen, bus = [], LocalBus()
        watching = hook(lambda e, c, p: seen.append(e), id="w", event=EventName(name))
        service = hook_service(system_of([watching], translator=ModelTranslator()), AROUND, bus=bus)
        native = {"llm_request": REQUESTS["gemini"], "llm_response": RESPONSES["gemini"]}
        service.handler.fire(EventName(name), native)
        bus.publish(REQUEST, {"eventName": name, "input": native})
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

    def test_DELTA_HPAY_004_a_translation_failure_runs_nothing_and_is_told(self, service):
        seen, bus, answers = [], LocalBus(), []
        bus.subscribe(RESPONSE, answers.append)
        watching = hook(lambda e, c, p: seen.append(e), id="w", event=EventName.BEFORE_MODEL)
        hook_service(system_of([watching], translator=ModelTranslator()), AROUND, bus=bus)
        given_input = {"llm_request": {"prompt": "what is this?"}}
        bus.publish(REQUEST, {"eventName": "BeforeModel", "input": given_input, "correlationId": "c"})
        (answer,) = answers
        assert (answer["success"], answer["correlationId"], seen) == (False, "c", [])
        assert answer["error"]["code"] == "TRANSLATION_FAILURE"
        assert answer["error"]["details"] == {"stage": "translation", "eventName": "BeforeModel"}
        assert answer["output"]["decision"] == "block"

    def test_DELTA_HPAY_005_validators_are_type_guards(self):
        guards = [name for name in dir(inputs) if name.startswith("validate_") and name != "validate_input"]
        assert len(guards) == len(ORIGINAL_EVENTS)
        for name in guards:
            assert "TypeGuard" in str(getattr(inputs, name).__annotations__["return"])
        assert inputs.validate_before_tool_input(VALID[EventName.BEFORE_TOOL])
        assert not inputs.validate_before_tool_input({"tool_input": {}})

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
    def test_DELTA_HBUS_001_only_the_declared_messages_cross_the_bus(self, service):
        answer = ask(service, correlationId="c")
        declared = HookExecutionResponse("c", success=True).as_json().keys()
        assert answer.keys() == declared | {"output"}

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


class TestCallers:
    def test_DELTA_HAPP_001_stop_message_and_suppression_are_read_in_one_place(self):
        outcome = Outcome(Decision.HALT, "enough", system_message="m", suppress_output=True)
        result = handler_of(saying(outcome)).fire_before_tool("x", {})
        read = (result.should_stop, result.stop_reason, result.system_message, result.suppress_output)
        assert read == (True, "enough", "m", True)

    def test_DELTA_HAPP_002_stop_and_its_reason_survive_the_bus(self):
        bus, answers = LocalBus(), []
        bus.subscribe(RESPONSE, answers.append)
        hook_service(system_of([saying(Outcome(stop=True, stop_reason="why"))]), AROUND, bus=bus)
        bus.publish(REQUEST, {"eventName": "BeforeTool", "input": VALID[EventName.BEFORE_TOOL]})
        assert (answers[0]["output"]["shouldStop"], answers[0]["output"]["stopReason"]) == (True, "why")


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

        def answers_to(*hooks, **body):
            bus, answers = LocalBus(), []
            bus.subscribe(RESPONSE, answers.append)
            hook_service(system_of(list(hooks)), AROUND, bus=bus)
            bus.publish(REQUEST, {"eventName": "BeforeTool", "input": VALID[EventName.BEFORE_TOOL], **body})
            return answers[0]["error"]

        assert answers_to(hook(crash))["details"]["stage"] == "execution"
        assert answers_to(saying(42))["details"]["stage"] == "interpretation"
        assert answers_to(input={})["details"]["stage"] == "validation"
        assert answers_to(input=None)["code"] == "INVALID_REQUEST"

    def test_DELTA_HFAIL_003_no_match_is_a_success_with_empty_lists(self):
        aggregated = handler_of().fire_before_tool("x", {}).aggregated
        assert aggregated.success
        assert (aggregated.hook_results, aggregated.all_outputs, aggregated.errors) == ((), (), ())

    def test_DELTA_HFAIL_004_an_empty_result_is_never_shared(self):
        handler = handler_of()
        first = handler.fire_before_tool("x", {})
        with pytest.raises(AttributeError):
            first.aggregated.errors = ("leak",)
        assert handler.fire_before_tool("x", {}) is not first

    def test_DELTA_HFAIL_005_routing_takes_the_enum(self):
        annotations = HookEventHandler.fire.__annotations__
        assert annotations["name"] in ("EventName", EventName)


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
    bus, answers = LocalBus(), []
    bus.subscribe(RESPONSE, answers.append)
    hook_service(everywhere(), AROUND, bus=bus)
    bus.publish(REQUEST, body)
    assert len(answers) == 1 and bus.errors == []
    assert isinstance(answers[0]["success"], bool) and answers[0]["correlationId"]


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
        bus, answers = LocalBus(), []
        bus.subscribe(RESPONSE, answers.append)
        hook_service(system_of([]), AROUND, bus=bus)
        bus.publish(REQUEST, {**self.REQUEST, **changed})
        (answer,) = answers
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
        bus, answers = LocalBus(), []
        bus.subscribe(RESPONSE, answers.append)
        hook_service(system or system_of(list(hooks), **options), Surroundings("s", "/tmp"), bus=bus)
        given_input = VALID[EventName.BEFORE_TOOL] if given_input is None else given_input
        bus.publish(REQUEST, {"eventName": event, "input": given_input})
        (answer,) = answers
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
