"""Stage 8: what happened, told to whoever records it. A sink never affects a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.model.event import Event
from fairlead.model.failure import Failure
from fairlead.model.hook import Outcome
from fairlead.model.timeline import Stream
from fairlead.model.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.interfaces import Sink


def tell(sinks: Sequence[Sink], record: Mapping[str, object]) -> list[str]:
    """Hands the record to each sink, without the secrets in it; what a sink raises comes back as a line of
    text."""
    if not sinks:
        return []
    problems: list[str] = []
    record = _fit_to_leave(record)
    for sink in sinks:
        try:
            sink.write(record)
        except Exception as error:  # noqa: BLE001 - a sink is foreign and optional: its trouble is only reported
            problems.append(f"{type(sink).__name__}: {type(error).__name__}: {error}")
    return problems


def _fit_to_leave(record: Mapping[str, object]) -> dict[str, object]:
    """What hooks print and raise may hold a key, and a sink may log it or send it anywhere."""
    from fairlead.journal.scrub import Scrubber  # only where somebody is told

    return {name: Scrubber().field(value) for name, value in record.items()}


def hook_record(event: Event, outcome: Outcome) -> dict[str, object]:
    """One hook's part in one event."""
    timeline = outcome.timeline
    return {
        "record": "hook",
        "eventName": str(event.name),
        "hookIdentity": outcome.hook,
        "decision": outcome.decision.word,
        "duration": outcome.milliseconds,
        "success": outcome.failure is None,
        "exitCode": outcome.exit_code,
        "stdout": timeline.text(Stream.STDOUT) if timeline else "",
        "stderr": timeline.text(Stream.STDERR) if timeline else "",
        "errorMessage": outcome.failure.message if outcome.failure else None,
    }


def failure_record(event: Event, failure: Failure) -> dict[str, object]:
    """One thing that broke, apart from the record of the hook that it may belong to."""
    return {"record": "failure", "eventName": str(event.name), **failure.as_json()}


def refusal_record(failure: Failure) -> dict[str, object]:
    """A failure that belongs to no event, under the name that was asked for, if there was one."""
    name = failure.details.get("eventName", "")
    return {"record": "failure", "eventName": name, **failure.as_json()}


def summary_record(event: Event, verdict: Verdict) -> dict[str, object]:
    """One line for all hooks of one event."""
    failed = sum(1 for outcome in verdict.outcomes if outcome.failure is not None)
    return {
        "record": "summary",
        "eventName": str(event.name),
        "decision": verdict.decision.word,
        "hookCount": len(verdict.outcomes),
        "successCount": len(verdict.outcomes) - failed,
        "failureCount": failed,
        "totalDuration": verdict.milliseconds,
    }
