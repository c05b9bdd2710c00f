"""Stage 6: many outcomes, one answer. The strongest wins, and stop is sticky (law 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fairlead.model.decision import Decision
from fairlead.model.hook import Outcome
from fairlead.model.verdict import Verdict

_MODES = ("AUTO", "ANY", "NONE")
"""How a hook may restrict the choice of tools, weakest first."""


def aggregate(outcomes: Sequence[Outcome]) -> Verdict:
    """A fresh verdict. Texts are joined in the order of the hooks; equal texts are said once."""
    if all(_is_silent(outcome) for outcome in outcomes):
        return Verdict(hook=outcomes[0].hook if outcomes else "", outcomes=tuple(outcomes))
    decision = max((outcome.decision for outcome in outcomes), default=Decision.CONTINUE)
    deciding = [outcome for outcome in outcomes if outcome.decision is decision]
    first = deciding[0] if deciding else Outcome()
    stopping = [outcome for outcome in outcomes if outcome.stop or outcome.decision is Decision.HALT]
    return Verdict(
        decision=decision,
        reason=_joined((outcome.reason for outcome in deciding), "; ") if decision.objects else first.reason,
        hook=first.hook,
        rule=first.rule,
        evidence=tuple(piece for outcome in deciding for piece in outcome.evidence),
        alternative=first.alternative,
        stop=bool(stopping),
        stop_reason=_joined((outcome.stop_reason or outcome.reason for outcome in stopping), "\n"),
        system_message=_joined((outcome.system_message for outcome in outcomes), "\n"),
        suppress_output=any(outcome.suppress_output for outcome in outcomes),
        additional_context=_joined((outcome.additional_context for outcome in outcomes), "\n"),
        extra=_merged(outcome.extra for outcome in outcomes),
        outcomes=tuple(outcomes),
        failures=tuple(outcome.failure for outcome in outcomes if outcome.failure is not None),
    )


def _is_silent(outcome: Outcome) -> bool:
    """Nothing in it reaches a verdict but the fact that it was asked: by far the most common answer."""
    return outcome.decision is Decision.CONTINUE and not (
        outcome.reason
        or outcome.rule
        or outcome.evidence
        or outcome.alternative
        or outcome.stop
        or outcome.system_message
        or outcome.suppress_output
        or outcome.additional_context
        or outcome.extra
        or outcome.failure
    )


def _joined(texts: Iterable[str], separator: str) -> str:
    stripped = (text.strip() for text in texts)
    return separator.join(dict.fromkeys(text for text in stripped if text))


def _merged(extras: Iterable[Mapping[str, object]]) -> Mapping[str, object]:
    merged: dict[str, object] = {}
    for extra in extras:
        for key, value in extra.items():
            if key == "toolConfig" and isinstance(value, Mapping):
                merged[key] = narrower_selection(merged.get(key), value)
            else:
                merged[key] = value
    return merged


def narrower_selection(first: object, second: Mapping[str, object]) -> dict[str, object]:
    """Both restrictions at once: the stricter mode, and only the tools that both allow."""
    one = first if isinstance(first, Mapping) else {}
    mode = max((_mode(one), _mode(second)), key=_MODES.index)
    given = (one.get("allowedFunctionNames"), second.get("allowedFunctionNames"))
    lists = [names for names in given if names is not None]
    if not lists:
        return {"mode": mode}
    sets = [{str(name) for name in names} if isinstance(names, (list, tuple)) else set() for names in lists]
    return {"mode": mode, "allowedFunctionNames": sorted(set.intersection(*sets))}


def _mode(config: Mapping[str, object]) -> str:
    mode = str(config.get("mode", "AUTO")).upper()
    return mode if mode in _MODES else "AUTO"
