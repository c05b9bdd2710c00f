"""No secret leaves with a record, whoever takes it."""

from __future__ import annotations

import json
import logging
import os

import pytest

from bus_kit import OnBus
from fairlead.assembly import build
from fairlead.doors.bus.messages import HookExecutionRequest, encoded, recorded
from fairlead.doors.bus.responder import respond
from fairlead.doors.bus.service import hook_service
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.policy.policy import Policy
from fairlead.sinks.ocsf import events_of
from fairlead.sinks.origin import Origin
from fairlead.sinks.otlp import spans_of
from fairlead.sinks.otlp_logs import log_of
from fairlead.sinks.statsd import metric_lines
from fairlead.sinks.syslog import message_of
from fairlead.testing import MemorySink, hook, system_of

AROUND = Surroundings("s", "/tmp")
KEY = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2"
GIVEN = {"tool_name": "x", "tool_input": {}}


def crash(event, config, previous):
    raise OSError(f"refused with {KEY}")


def block(event, config, previous):
    return Outcome(Decision.BLOCK, f"password={KEY}", metrics={"token": KEY, "said": [f"a {KEY}"]})


@pytest.mark.parametrize("made", [crash, block])
def test_a_logger_is_told_no_secret(made, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "fairlead"):
        asked = OnBus(system_of([hook(made)]), AROUND)
        asked.ask(HookExecutionRequest(EventName.BEFORE_TOOL, GIVEN, "c"))
        asked.close()
    assert caplog.records
    for record in caplog.records:
        assert KEY not in record.getMessage() and KEY not in str(vars(record))
    if made is crash:
        assert "[redacted:" in caplog.text


def test_what_a_program_printed_is_told_without_its_secrets() -> None:
    sink = MemorySink()
    script = f"cat >/dev/null; echo 'out {KEY}'; echo 'API_KEY={KEY}' >&2; exit 3"
    run = Run("command", ("/bin/sh", "-c", script))
    system = build(Policy(()), more=[Hook("mine", HookType.SAFETY, EventName.BEFORE_TOOL, run)])
    system.add_sink(sink)
    HookEventHandler(system, AROUND).fire_before_tool("x", {})
    (record,) = [each for each in sink.records if each.get("hookIdentity") == "mine"]
    assert str(record["stdout"]).startswith("out [redacted:")
    assert KEY not in str(sink.records)


def test_what_was_refused_is_told_without_its_secrets() -> None:
    sink = MemorySink()
    handler = HookEventHandler(system_of([], sinks=(sink,)), AROUND)
    respond(handler, {"eventName": f"Novelty {KEY}", "input": {}})
    assert len(sink.records) == 1 and KEY not in str(sink.records)


def test_a_record_is_plain_and_bounded_whatever_a_hook_gave() -> None:
    sink = MemorySink()

    class Odd:
        def __repr__(self) -> str:
            return f"<odd {KEY}>"

    def rubbish(event, config, previous):
        return Odd()

    HookEventHandler(system_of([hook(rubbish)], sinks=(sink,)), AROUND).fire_before_tool("x", {})
    assert KEY not in json.dumps(sink.records)


def test_a_response_is_kept_without_secrets_and_answered_with_the_input_as_hooks_made_it() -> None:
    def rewrite(event, config, previous):
        return Outcome(updated_input={"command": f"login --password {KEY}"}, reason=f"used {KEY}")

    handler = HookEventHandler(system_of([hook(rewrite, type=HookType.TRANSFORMATION)]), AROUND)
    response = respond(handler, HookExecutionRequest(EventName.BEFORE_TOOL, GIVEN, "c"))
    answered, kept = encoded(response), recorded(encoded(response))
    assert json.loads(answered)["output"]["updatedInput"]["command"].endswith(KEY)
    assert KEY.encode() not in kept
    assert json.loads(kept).keys() == json.loads(answered).keys()


def test_the_ids_that_join_records_are_kept() -> None:
    handler = HookEventHandler(system_of([]), AROUND)
    for name in (os.urandom(16).hex(), "3f2b8c1e-9a4d-4a57-8f3e-0c5d7b6a1e2f", "request-17"):
        response = respond(handler, HookExecutionRequest(EventName.BEFORE_TOOL, GIVEN, name))
        assert json.loads(recorded(encoded(response)))["correlationId"] == name


def unredacted() -> dict[str, object]:
    """A record that did not come from the journal, with a key wherever a text can be."""
    outcome = {"hook": f"hook {KEY}", "decision": KEY, "ms": 1, "rule": KEY, "failure": {"code": KEY}}
    verdict = {"decision": KEY, "rule": f"pack/{KEY}", "hook": KEY}
    facts = {"tool": {"name": KEY, "kind": KEY, "call": KEY}, "turn": KEY, "agent_version": KEY}
    head = {"id": "01", "agent": KEY, "event": KEY, "session": KEY, "root": KEY, "policy": KEY}
    return {**head, "verdict": verdict, "facts": facts, "outcomes": [outcome], "ms": 2}


@pytest.mark.parametrize("tagged", [True, False])
def test_statsd_is_sent_no_secret(tagged: bool) -> None:
    lines = list(metric_lines([unredacted()], tagged=tagged))
    assert lines and not any(KEY in line for line in lines)


@pytest.mark.parametrize("genai", [True, False])
def test_opentelemetry_is_sent_no_secret(genai: bool) -> None:
    spans = spans_of(unredacted(), genai=genai)
    assert spans and KEY not in json.dumps(spans)


def test_a_service_tells_its_logger_nothing_once_it_is_disposed(caplog: pytest.LogCaptureFixture) -> None:
    system = system_of([])
    with caplog.at_level(logging.DEBUG, "fairlead"):
        with hook_service(system, AROUND) as service:
            service.handler.fire_before_tool("x", {})
        told = len(caplog.records)
        service.handler.fire_before_tool("x", {})
    assert told == len(caplog.records) == 1


def test_logs_events_and_messages_hold_no_secret() -> None:
    made = [log_of(unredacted()), *events_of(unredacted(), Origin("h", "u", "g", "m"))]
    assert KEY not in json.dumps(made)
    assert KEY.encode() not in message_of(unredacted(), "h")


def test_the_folder_of_a_project_is_not_told_beside_a_pseudonym() -> None:
    record = {**unredacted(), "root": "/home/mallory/shop"}
    made = [log_of(record), *events_of(record, Origin("h", "u")), str(message_of(record, "h"))]
    assert "mallory" not in json.dumps(made)
