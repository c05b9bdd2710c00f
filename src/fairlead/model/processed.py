"""A verdict as callers of the hook system read it: five fields, and no parsing of their own."""

from __future__ import annotations

from fairlead.model.failure import Failure
from fairlead.model.hook import Outcome
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict


class AggregatedHookResult(Value):
    """Everything behind one event. `success` is that every stage and hook worked; a block is a success."""

    success: bool
    verdict: Verdict
    hook_results: tuple[Outcome, ...] = ()
    all_outputs: tuple[Outcome, ...] = ()
    errors: tuple[Failure, ...] = ()
    total_duration: float = 0.0


class ProcessedHookResult(Value):
    aggregated: AggregatedHookResult
    should_stop: bool = False
    stop_reason: str | None = None
    system_message: str | None = None
    suppress_output: bool = False


def processed(verdict: Verdict) -> ProcessedHookResult:
    """The one place where stop, message and suppression are read out of a verdict."""
    return ProcessedHookResult(
        aggregated=AggregatedHookResult(
            success=not verdict.failures,
            verdict=verdict,
            hook_results=verdict.outcomes,
            all_outputs=tuple(outcome for outcome in verdict.outcomes if outcome.failure is None),
            errors=verdict.failures,
            total_duration=verdict.milliseconds,
        ),
        should_stop=verdict.stop,
        stop_reason=verdict.stop_reason or None,
        system_message=verdict.system_message or None,
        suppress_output=verdict.suppress_output,
    )
