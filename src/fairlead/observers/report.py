"""What every observer answers: it goes on, with what it measured, or with what stopped it."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import HookType, Outcome


def seen(reason: str, metrics: Mapping[str, object]) -> Outcome:
    return Outcome(reason=reason, type=HookType.OBSERVABILITY, metrics=metrics)


def failed(reason: str, metrics: Mapping[str, object]) -> Outcome:
    """An observer's trouble is recorded beside its metrics, and touches no verdict."""
    failure = Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, reason)
    return Outcome(reason=reason, type=HookType.OBSERVABILITY, metrics=metrics, failure=failure)
