"""The statistics as Prometheus text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.store.statistics import Share, Statistics


def exposition(found: Statistics) -> str:
    return "".join(f"{line}\n" for line in _lines(found))


def _lines(found: Statistics) -> Iterator[str]:
    yield "# HELP fairlead_calls_total Calls that were answered, by agent and decision."
    yield "# TYPE fairlead_calls_total counter"
    for share in found.agents:
        for decision, number in share.decisions.items():
            yield _sample("fairlead_calls_total", {"agent": share.name, "decision": decision}, number)
    yield "# HELP fairlead_rule_hits_total Calls that a rule decided."
    yield "# TYPE fairlead_rule_hits_total counter"
    for share in found.rules:
        yield _sample("fairlead_rule_hits_total", {"rule": share.name}, share.calls)
    yield "# HELP fairlead_degraded_total Calls whose answer the agent could not be given as it was meant."
    yield "# TYPE fairlead_degraded_total counter"
    yield _sample("fairlead_degraded_total", {}, found.total.degraded)
    yield "# HELP fairlead_failed_total Calls in which a hook failed."
    yield "# TYPE fairlead_failed_total counter"
    yield _sample("fairlead_failed_total", {}, found.total.failed)
    yield from _latency("fairlead_call_milliseconds", "How long a call took.", [({}, found.total)])
    hooks = [({"hook": share.name}, share) for share in found.hooks]
    yield from _latency("fairlead_hook_milliseconds", "How long a hook took.", hooks)
    yield "# HELP fairlead_agent_last_seen_seconds When an agent last called."
    yield "# TYPE fairlead_agent_last_seen_seconds gauge"
    for share in found.agents:
        if share.last is not None:
            yield _sample("fairlead_agent_last_seen_seconds", {"agent": share.name}, share.last)


def _latency(name: str, text: str, shares: list[tuple[dict[str, str], Share]]) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} summary"
    for labels, share in shares:
        for quantile, value in (("0.5", share.p50), ("0.95", share.p95), ("0.99", share.p99)):
            if value is not None:
                yield _sample(name, {**labels, "quantile": quantile}, round(value, 4))
        yield _sample(f"{name}_count", labels, share.calls)


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    inner = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
    return f"{name}{{{inner}}} {value}" if inner else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
