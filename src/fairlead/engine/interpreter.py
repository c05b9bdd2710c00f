"""Stage 5: what a capture means. What a broken hook means is said here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.failure import NOTHING, Failure, FailureCode, Stage
from fairlead.model.hook import AUDIT, Capture, Hook, HookType, Outcome

Read = Callable[[Hook, Event, Capture], Outcome]

_OBSERVABILITY, _APPROVE = HookType.OBSERVABILITY, Decision.APPROVE
_MAY_APPROVE = frozenset({HookType.AUTHORIZATION, HookType.SAFETY})
_OVERREACH = "a validation hook cannot rewrite the call; its type must be 'transformation'"
"""A rewrite that its author would miss, because the phase of the hook comes too early for it."""


def interpret(hook: Hook, event: Event, capture: Capture, read: Read) -> Outcome:
    """One outcome for one capture, never more than the hook's type and trust allow it to say."""
    try:
        outcome = read(hook, event, capture)
    except Exception as error:  # noqa: BLE001 - a contract reads hostile output: what it raises is data
        message = f"its answer could not be read: {type(error).__name__}: {error}"
        outcome = broken_outcome(hook, capture.failure or _misread(hook, message))
    else:
        failure = capture.failure or outcome.failure
        if failure is None and outcome.updated_input is not None and hook.type is HookType.VALIDATION:
            failure = _misread(hook, _OVERREACH)
        if failure is not None:
            outcome = _broken_or_objection(hook, failure, outcome)
    outcome = outcome.replace(
        hook=hook.id,
        type=hook.type,
        milliseconds=capture.milliseconds,
        timeline=outcome.timeline or capture.timeline,
        exit_code=capture.exit_code,
    )
    if hook.trusted and hook.type is not _OBSERVABILITY and outcome.decision is not _APPROVE:
        return outcome if hook.mode != AUDIT else audited(outcome)
    outcome = _within_rights(hook, outcome)
    return outcome if hook.mode != AUDIT else audited(outcome)


def audited(outcome: Outcome) -> Outcome:
    """What is left of an answer that is only written down: how it was given, and what it would have been."""
    if outcome.says_nothing():
        return outcome
    heard = Outcome(
        hook=outcome.hook,
        type=outcome.type,
        metrics=outcome.metrics,
        timeline=outcome.timeline,
        exit_code=outcome.exit_code,
        milliseconds=outcome.milliseconds,
        failure=outcome.failure,
    )
    return heard.replace(would=outcome.replace(timeline=None, metrics=NOTHING, failure=None))


def broken_outcome(hook: Hook, failure: Failure) -> Outcome:
    """The answer of a hook that could not answer: its `on_error`, with a reason that says what broke."""
    where = {"eventName": str(hook.event), "hook": hook.id}
    return Outcome(
        decision=Decision.CONTINUE if hook.type is HookType.OBSERVABILITY else hook.on_error,
        reason=f"the hook {hook.id!r} could not answer: {failure.message}",
        hook=hook.id,
        type=hook.type,
        rule=f"{hook.id}/on_error",
        failure=failure.replace(details={**where, **failure.details}),
    )


def _broken_or_objection(hook: Hook, failure: Failure, said: Outcome) -> Outcome:
    """A hook that objected before it broke has objected: its `on_error` may not loosen that (law 2)."""
    broken = broken_outcome(hook, failure)
    if said.decision.objects and said.decision >= broken.decision:
        return broken.replace(decision=said.decision, reason=said.reason, rule="")
    return broken


def _misread(hook: Hook, message: str) -> Failure:
    return Failure(Stage.INTERPRETATION, FailureCode.INTERPRETATION_FAILURE, message, {"hook": hook.id})


def _within_rights(hook: Hook, outcome: Outcome) -> Outcome:
    if hook.type is HookType.OBSERVABILITY:
        return _silenced(outcome)
    if not hook.trusted:
        return _only_objection(outcome)
    if outcome.decision is Decision.APPROVE and hook.type not in _MAY_APPROVE:
        return outcome.replace(decision=Decision.ALLOW)
    return outcome


def _silenced(outcome: Outcome) -> Outcome:
    return outcome.replace(
        decision=Decision.CONTINUE,
        stop=False,
        updated_input=None,
        updated_output=None,
        additional_context="",
        system_message="",
        suppress_output=False,
    )


def _only_objection(outcome: Outcome) -> Outcome:
    """An untrusted project may tighten: its blocks and asks count, nothing else does (law 9)."""
    decision = min(outcome.decision, Decision.BLOCK)
    silent = _silenced(outcome)
    return silent.replace(decision=decision) if decision.objects else silent
