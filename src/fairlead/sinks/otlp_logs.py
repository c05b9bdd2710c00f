"""Decisions as OpenTelemetry logs, over OTLP/HTTP with JSON, from a resource that says whose they are.

One log record for each call. Commands, prompts and results are not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.secrets.redact import redact_text
from fairlead.sinks.http_endpoint import HttpEndpoint
from fairlead.sinks.origin import Origin
from fairlead.sinks.otlp import Json, Record, attributes_of, call_attributes, nanoseconds_of, trace_of

_SEVERITIES = {Decision.ASK: (10, "INFO2"), Decision.BLOCK: (13, "WARN"), Decision.HALT: (15, "WARN3")}
_INFO, _ERROR = (9, "INFO"), (17, "ERROR")


class OtlpLogsSink:
    """Sends batches; raises FairleadError when the server did not take one, so that it can be sent again.

    Close it, or use it as a context, when done.
    """

    def __init__(
        self, endpoint: str, *, origin: Origin | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        self._endpoint = HttpEndpoint(endpoint, headers, hint="is this an OTLP/HTTP endpoint?")
        self._origin = origin or Origin()

    def send(self, records: Sequence[Record]) -> None:
        self._endpoint.expect_open()
        logs = [log_of(record) for record in records if "observes" not in record]
        if logs:
            self._endpoint.post("/v1/logs", {"resourceLogs": [_from(self._origin, logs)]})

    def close(self) -> None:
        """Twice is no harm."""
        self._endpoint.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def log_of(record: Record) -> Json:
    verdict = record.get("verdict")
    found: Mapping[str, object] = verdict if isinstance(verdict, Mapping) else {}
    word = found.get("decision")
    decision = DECISION_WORDS.get(word, Decision.CONTINUE) if isinstance(word, str) else Decision.CONTINUE
    number, name = _ERROR if found.get("failures") else _SEVERITIES.get(decision, _INFO)
    trace, span = trace_of(record)
    when = str(nanoseconds_of(record))
    rule = f" by {found['rule']}" if found.get("rule") else ""
    would = found.get("would")
    kept = would.get("decision") if isinstance(would, Mapping) else ""
    return {
        "timeUnixNano": when,
        "observedTimeUnixNano": when,
        "severityNumber": number,
        "severityText": name,
        "eventName": "fairlead.decision",
        "body": {"stringValue": redact_text(f"{record.get('event')}: {decision.word}{rule}")},
        "attributes": attributes_of({**_about(record), "fairlead.would": kept}),
        "traceId": trace,
        "spanId": span,
    }


def _about(record: Record) -> Mapping[str, object]:
    """What a span has, but for the folder of the project: beside a pseudonym it would name its person."""
    found = call_attributes(record, genai=False)
    return {name: value for name, value in found.items() if name != "fairlead.project"}


def _from(origin: Origin, logs: Sequence[Json]) -> Json:
    resource = {
        "service.name": "fairlead",
        "host.name": origin.host,
        "host.id": origin.machine,
        "user.id": origin.user,
        "fairlead.group": origin.group,
    }
    scope = {"scope": {"name": "fairlead"}, "logRecords": list(logs)}
    return {"resource": {"attributes": attributes_of(resource)}, "scopeLogs": [scope]}
