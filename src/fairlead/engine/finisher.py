"""Stage 7: the one place where an aggregate becomes what a caller reads."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.engine.aggregator import aggregate
from fairlead.engine.runner import Course
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING
from fairlead.model.failure import NOTHING, Failure, FailureCode
from fairlead.model.hook import HookType, Outcome
from fairlead.model.verdict import Verdict

_LIFTS = (Decision.ALLOW, Decision.APPROVE)
_CONTINUE = Decision.CONTINUE
_SILENCE = Verdict()
UNSAID = "no reason was given"


def finish(
    given: Event,
    ran: Course,
    *,
    default: Decision,
    policy: str,
    model: Mapping[str, object],
    spent: float,
    audit: bool = False,
) -> Verdict:
    """The verdict on `given`: the aggregate, the policy's default, and the call as it was rewritten. Under
    `audit` the default is only written down.

    `model` has the model request and response as hooks changed them, in the caller's own shape; `spent` are
    the milliseconds that it took.
    """
    outcomes, gating = ran.outcomes, ran.guarded or given.name in GATING
    if ran.silent and default is _CONTINUE and not model:
        hook = outcomes[0].hook if outcomes else ""
        return _SILENCE.replace(
            hook=hook, outcomes=tuple(outcomes), gating=gating, policy=policy, milliseconds=spent
        )
    verdict = aggregate(outcomes)
    if verdict.decision < default:
        verdict = _beside_default(verdict, default) if audit else _with_default(verdict, default)
    reason = verdict.reason.strip()
    if verdict.decision.objects and not reason:
        reason = UNSAID
    return verdict.replace(
        reason=reason,
        stop_reason=(verdict.stop_reason or reason or UNSAID) if verdict.stop else "",
        updated_input=None if ran.event is given else _rewritten_input(given, ran.event),
        updated_output=None if ran.event is given else _rewritten_output(given, ran.event),
        extra=_with_model(verdict.extra, model) if verdict.extra or model else NOTHING,
        gating=gating,
        policy=policy,
        milliseconds=spent,
    )


def _with_model(extra: Mapping[str, object], model: Mapping[str, object]) -> Mapping[str, object]:
    """What hooks said of the model call is neutral and was merged; the caller gets the result as its own."""
    kept = {key: value for key, value in extra.items() if key not in ("llm_request", "llm_response")}
    return {**kept, **model}


def failed(event: Event, failure: Failure, *, policy: str, spent: float = 0.0) -> Verdict:
    """The envelope of an event that broke a stage: a gating event is blocked, any other goes on (law 2).

    An event that nobody knows may be a gating one that is misspelled.
    """
    gating = event.name in GATING or failure.code is FailureCode.UNSUPPORTED_EVENT
    return Verdict(
        decision=Decision.BLOCK if gating else Decision.CONTINUE,
        reason=failure.message,
        hook="engine",
        rule=f"engine/{failure.stage}",
        failures=(failure,),
        gating=gating,
        policy=policy,
        milliseconds=spent,
    )


def unrecorded(verdict: Verdict) -> Verdict:
    """What is left of a verdict that could not be written down: a yes without a record needs a human."""
    if verdict.decision is not Decision.APPROVE:
        return verdict
    return verdict.replace(
        decision=Decision.ASK, reason="the approval could not be recorded, so a person must confirm it"
    )


def _with_default(verdict: Verdict, default: Decision) -> Verdict:
    """The stronger default, unless an authorization hook lifted it."""
    lifted = any(
        outcome.type is HookType.AUTHORIZATION and outcome.decision in _LIFTS for outcome in verdict.outcomes
    )
    if lifted:
        return verdict
    if not default.objects:
        return verdict.replace(decision=default)  # nobody's rule, and nothing that needs a reason
    return verdict.replace(
        decision=default,
        reason=f"the policy's default is {default.word!r}, and no authorization hook allowed this call",
        hook="policy",
        rule="policy/default_decision",
        evidence=(),
        alternative="",
    )


def _beside_default(verdict: Verdict, default: Decision) -> Verdict:
    meant = _with_default(verdict, default)
    if not meant.decision.objects or (verdict.would and verdict.would.decision >= meant.decision):
        return verdict
    would = Outcome(
        meant.decision, meant.reason, hook=meant.hook, type=HookType.AUTHORIZATION, rule=meant.rule
    )
    return verdict.replace(would=would)


def _rewritten_input(given: Event, final: Event) -> dict[str, object] | None:
    if given.tool is None or final.tool is None or given.tool.input == final.tool.input:
        return None
    rewritten: object = final.tool.input
    return dict(rewritten) if isinstance(rewritten, Mapping) else None  # a broken rewrite was blocked for it


def _rewritten_output(given: Event, final: Event) -> object:
    if given.result is None or final.result is None or given.result.output == final.result.output:
        return None
    return final.result.output
