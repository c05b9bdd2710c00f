"""Stage 6: many outcomes, one answer. The strongest wins, and stop is sticky (law 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fairlead.model.decision import Decision
from fairlead.model.failure import NOTHING
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.verdict import Verdict

_MODES = ("AUTO", "ANY", "NONE")
"""How a hook may restrict the choice of tools, weakest first."""


def aggregate(outcomes: Sequence[Outcome]) -> Verdict:
    """A fresh verdict. Texts are joined in the order of the hooks; equal texts are said once."""
    if not outcomes:
        return Verdict()
    first, decision = outcomes[0], outcomes[0].decision
    reasons: list[str] = []
    evidence: list[Evidence] = []
    stops, messages, contexts, extras, failures, suppress = [], [], [], [], [], False
    would: Outcome | None = None
    for outcome in outcomes:
        if outcome.decision > decision:
            first, decision, reasons, evidence = outcome, outcome.decision, [], []
        if outcome.decision is decision:
            reasons.append(outcome.reason)
            evidence += outcome.evidence
        if outcome.stop or outcome.decision is Decision.HALT:
            stops.append(outcome.stop_reason or outcome.reason)
        if outcome.system_message:
            messages.append(outcome.system_message)
        if outcome.additional_context:
            contexts.append(outcome.additional_context)
        if outcome.extra:
            extras.append(outcome.extra)
        if outcome.failure is not None:
            failures.append(outcome.failure)
        if outcome.suppress_output:
            suppress = True
        if outcome.would is not None and (would is None or outcome.would.decision > would.decision):
            would = outcome.would.replace(hook=outcome.hook)
    return Verdict(
        decision=decision,
        reason=_joined(reasons, "; ") if decision.objects else first.reason,
        hook=first.hook,
        rule=first.rule,
        evidence=tuple(evidence),
        alternative=first.alternative,
        stop=bool(stops),
        stop_reason=_joined(stops, "\n") if stops else "",
        system_message=_joined(messages, "\n") if messages else "",
        suppress_output=suppress,
        additional_context=_joined(contexts, "\n") if contexts else "",
        extra=_merged(extras) if extras else NOTHING,
        outcomes=tuple(outcomes),
        failures=tuple(failures),
        would=would if would is not None and would.decision > decision else None,
    )


def _joined(texts: Iterable[str], separator: str) -> str:
    return separator.join(dict.fromkeys(filter(None, map(str.strip, texts))))


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
