"""Stage 8: what happened, told to whoever records it. A sink never affects a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.interfaces import Sink
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.model.verdict import Verdict


def tell(sinks: Sequence[Sink], record: Mapping[str, object]) -> list[str]:
    """Hands the record to each sink; what a sink raises comes back as a line of text."""
    problems: list[str] = []
    for sink in sinks:
        try:
            sink.write(record)
        except Exception as error:  # noqa: BLE001 - a sink is foreign and optional: its trouble is only reported
            problems.append(f"{type(sink).__name__}: {type(error).__name__}: {error}")
    return problems


def hook_record(event: Event, outcome: Outcome) -> dict[str, object]:
    """One hook's part in one event."""
    return {
        "event": str(event.name),
        "hook": outcome.hook,
        "type": str(outcome.type),
        "decision": outcome.decision.word,
        "reason": outcome.reason,
        "ms": outcome.milliseconds,
        "success": outcome.failure is None,
        "exit_code": outcome.exit_code,
        "failure": outcome.failure.as_json() if outcome.failure else None,
    }


def summary_record(event: Event, verdict: Verdict) -> dict[str, object]:
    """One line for all hooks of one event."""
    failed = sum(1 for outcome in verdict.outcomes if outcome.failure is not None)
    return {
        "event": str(event.name),
        "decision": verdict.decision.word,
        "hooks": len(verdict.outcomes),
        "succeeded": len(verdict.outcomes) - failed,
        "failed": failed,
        "ms": verdict.milliseconds,
    }
