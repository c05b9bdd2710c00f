"""Journal lines as OpenTelemetry traces and metrics, over OTLP/HTTP with JSON: no library is needed.

A session is a trace, a call is a span, each hook of it a span below. `session.id` and `tool_use_id` join them
with what the agents send themselves. Commands, prompts and results are not sent.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from fairlead.journal.ids import time_of
from fairlead.secrets.redact import redact_text
from fairlead.sinks.http_endpoint import HttpEndpoint

_BOUNDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 100.0, 1000.0)
_DELTA = 1
_ERROR = 2

Json = dict[str, object]
Record = Mapping[str, object]


class OtlpSink:
    """Sends batches; raises FairleadError when the server did not take one, so that it can be sent again.

    Close it, or use it as a context, when done.
    """

    def __init__(
        self, endpoint: str, *, headers: Mapping[str, str] | None = None, genai: bool = False
    ) -> None:
        self._genai = genai
        self._endpoint = HttpEndpoint(endpoint, headers, hint="is this an OTLP/HTTP endpoint?")

    def send(self, records: Sequence[Record]) -> None:
        self._endpoint.expect_open()
        calls = [record for record in records if "observes" not in record]
        spans = [span for record in records for span in spans_of(record, genai=self._genai)]
        if spans:
            self._endpoint.post("/v1/traces", {"resourceSpans": [_scoped("scopeSpans", {"spans": spans})]})
        if calls:
            metrics = {"metrics": metrics_of(calls)}
            self._endpoint.post("/v1/metrics", {"resourceMetrics": [_scoped("scopeMetrics", metrics)]})

    def close(self) -> None:
        """It holds no connection between two batches; a closed one sends nothing more. Twice is no harm."""
        self._endpoint.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def spans_of(record: Record, *, genai: bool = False) -> list[Json]:
    """The span of a call with its hooks; for a line of observers only theirs."""
    trace, parent = trace_of(record)
    end = nanoseconds_of(record)
    outcomes = [each for each in _list(record.get("outcomes")) if isinstance(each, dict)]
    hooks = [_hook_span(trace, parent, end, number, each, record) for number, each in enumerate(outcomes)]
    if "observes" in record:
        return hooks
    verdict = _mapping(record.get("verdict"))
    span: Json = {
        "traceId": trace,
        "spanId": parent,
        "name": redact_text(f"fairlead {record.get('event')}"),
        "kind": 1,
        "startTimeUnixNano": str(end - _duration(record.get("ms"))),
        "endTimeUnixNano": str(end),
        "attributes": attributes_of(call_attributes(record, genai=genai)),
        "status": {"code": _ERROR if verdict.get("failures") else 0},
    }
    return [span, *hooks]


def call_attributes(record: Record, *, genai: bool) -> dict[str, object]:
    verdict, facts = _mapping(record.get("verdict")), _mapping(record.get("facts"))
    tool, subagent = _mapping(facts.get("tool")), _mapping(facts.get("subagent"))
    found: dict[str, object] = {
        "session.id": record.get("session"),
        "tool_use_id": tool.get("call"),
        "fairlead.id": record.get("id"),
        "prompt.id": facts.get("turn"),
        "fairlead.agent": record.get("agent"),
        "fairlead.agent.version": facts.get("agent_version"),
        "fairlead.event": record.get("event"),
        "fairlead.tool": tool.get("name"),
        "fairlead.tool.kind": tool.get("kind"),
        "fairlead.subagent": subagent.get("id"),
        "fairlead.project": record.get("root"),
        "fairlead.decision": verdict.get("decision"),
        "fairlead.rule": verdict.get("rule"),
        "fairlead.hook": verdict.get("hook"),
        "fairlead.degraded": record.get("degraded"),
        "fairlead.policy": record.get("policy"),
        "fairlead.exit_code": _mapping(record.get("rendered")).get("exit"),
    }
    if genai:
        found |= {
            "gen_ai.operation.name": "execute_tool" if tool else "",
            "gen_ai.tool.name": tool.get("name"),
            "gen_ai.tool.call.id": tool.get("call"),
            "gen_ai.conversation.id": record.get("session"),
            "gen_ai.agent.id": subagent.get("id"),
        }
    return found


def _hook_span(trace: str, parent: str, end: int, number: int, outcome: Record, record: Record) -> Json:
    took = _duration(outcome.get("ms"))
    attributes = {
        "session.id": record.get("session"),
        "fairlead.hook": outcome.get("hook"),
        "fairlead.hook.type": outcome.get("type"),
        "fairlead.decision": outcome.get("decision"),
        "fairlead.rule": outcome.get("rule"),
        "fairlead.failure": _mapping(outcome.get("failure")).get("code"),
    }
    return {
        "traceId": trace,
        "spanId": _span_id(f"{record.get('id')}/{number}"),
        "parentSpanId": parent,
        "name": redact_text(f"hook {outcome.get('hook')}"),
        "kind": 1,
        "startTimeUnixNano": str(end - took),
        "endTimeUnixNano": str(end),
        "attributes": attributes_of(attributes),
        "status": {"code": _ERROR if outcome.get("failure") else 0},
    }


def metrics_of(calls: Sequence[Record]) -> list[Json]:
    """How many, by agent, event and decision, and how long: what these calls add."""
    start, end = str(min(map(nanoseconds_of, calls))), str(max(map(nanoseconds_of, calls)))
    counts: Counter[tuple[str, str, str]] = Counter()
    times: dict[str, list[float]] = {}
    for record in calls:
        agent, decision = str(record.get("agent")), _mapping(record.get("verdict")).get("decision")
        counts[agent, str(record.get("event")), str(decision)] += 1
        times.setdefault(agent, []).append(_duration(record.get("ms")) / 1e6)
    span = {"startTimeUnixNano": start, "timeUnixNano": end}
    names = ("fairlead.agent", "fairlead.event", "fairlead.decision")
    points = [
        {**span, "attributes": attributes_of(dict(zip(names, key, strict=True))), "asInt": str(number)}
        for key, number in counts.items()
    ]
    total = {"aggregationTemporality": _DELTA, "isMonotonic": True, "dataPoints": points}
    histograms = [
        {**span, "attributes": attributes_of({"fairlead.agent": agent}), **_histogram(values)}
        for agent, values in times.items()
    ]
    return [
        {"name": "fairlead.calls", "unit": "{call}", "sum": total},
        {
            "name": "fairlead.call.duration",
            "unit": "ms",
            "histogram": {"aggregationTemporality": _DELTA, "dataPoints": histograms},
        },
    ]


def _histogram(values: Sequence[float]) -> Json:
    counts = [0] * (len(_BOUNDS) + 1)
    for value in values:
        counts[sum(value > bound for bound in _BOUNDS)] += 1
    return {
        "count": str(len(values)),
        "sum": sum(values),
        "explicitBounds": list(_BOUNDS),
        "bucketCounts": [str(count) for count in counts],
    }


def _scoped(kind: str, content: Mapping[str, object]) -> Json:
    resource = {"attributes": attributes_of({"service.name": "fairlead"})}
    return {"resource": resource, kind: [{"scope": {"name": "fairlead"}, **content}]}


def attributes_of(found: Mapping[str, object]) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in found.items() if value not in (None, "")]


def _value(value: object) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": redact_text(str(value))}


def trace_of(record: Record) -> tuple[str, str]:
    """Its session's trace and its own span, in the spelling of OTLP."""
    return _trace_id(record), _span_id(str(record.get("observes") or record.get("id")))


def _trace_id(record: Record) -> str:
    return hashlib.sha256(f"session {record.get('session') or record.get('id')}".encode()).hexdigest()[:32]


def _span_id(text: str) -> str:
    return hashlib.sha256(f"span {text}".encode()).hexdigest()[:16]


def nanoseconds_of(record: Record) -> int:
    try:
        return int(time_of(str(record.get("id"))) * 1000) * 1_000_000
    except ValueError:
        return 0


def _duration(value: object) -> int:
    return int(value * 1e6) if isinstance(value, int | float) else 0


def _list(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
