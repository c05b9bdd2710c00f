"""Lets a loss pass that was saved first, where the policy wants that; and saves what no rule objects to."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.guard_settings import ASK, Settings
from fairlead.packs.judging.judge import Match, exact_command, find_matches, judged
from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.judging.pack_table import recoverable_rules
from fairlead.packs.judging.saving import Keeper, Kept
from fairlead.packs.rule import Scene
from fairlead.sessions.memory import Memory

_MOST_TOLD = 5


def after_saving(
    found: Outcome, call: Call, settings: Settings, *, event: Event, memory: Memory, keeper: Keeper
) -> Outcome:
    """What the rules say of a call whose losses were saved; what they said before, where that is not possible."""
    wanted = {rule: settings.recovers(rule) for rule in recoverable_rules()}
    eased = frozenset(rule for rule, said in wanted.items() if said)
    if found.rule not in eased:
        return found
    others = settings.replace(disabled=settings.disabled | eased)
    rest = judged(call, settings.dangers, others, cwd=event.cwd, memory=memory)
    if rest is not None and rest.decision >= found.decision:
        return rest
    matches = [
        match for match in _matches(call, settings, Inquiry(memory=memory), memory) if match.rule.id in eased
    ]
    rules = tuple(dict.fromkeys(match.rule.id for match in matches))
    kept = keeper.keep(event, call, tuple(match.effect for match in matches), rules)
    if not kept.complete:
        reason = f"{found.reason} It could not be saved first: {kept.why}."
        return found.replace(reason=reason, metrics={**found.metrics, "unsaved": kept.why})
    if ASK in (wanted[rule] for rule in rules):
        return _asked(found, rest, kept)
    said = rest or Outcome(reason=_words(kept), would=found.would)
    return said.replace(metrics={**said.metrics, **told(kept), "recovered": list(rules)})


def _asked(found: Outcome, rest: Outcome | None, kept: Kept) -> Outcome:
    said = rest if rest is not None and rest.decision >= Decision.ASK else found
    return said.replace(
        decision=Decision.ASK,
        reason=f"{said.reason} {_words(kept)}",
        metrics={**said.metrics, **told(kept)},
    )


def _words(kept: Kept) -> str:
    if not kept.id:
        return "What it loses could be had again."
    return f"What it loses was saved: `fairlead undo {kept.id}` brings it back."


def told(kept: Kept) -> dict[str, object]:
    """For the journal."""
    left = [f"{path}: {why}" for path, why in kept.left_out[:_MOST_TOLD]]
    found: dict[str, object] = {"undo": kept.id} if kept.id else {}
    return {
        **found,
        "saved_files": kept.files,
        "saved_bytes": kept.size,
        **({"left_out": left} if left else {}),
    }


def _matches(call: Call, settings: Settings, state: Inquiry, memory: Memory) -> list[Match]:
    """All that the rules which count say."""
    said = "" if call.is_shell else call.content
    scene = Scene(call.script, call.where, state, settings.level, memory, said)
    return [
        match
        for match in find_matches(call.effects, settings.dangers, scene)
        if match.rule.id not in settings.disabled
        and not settings.audits(match.rule.id)
        and not settings.excuse_for(match.rule.id, exact_command(match, call))
    ]


def with_losses_saved(found: Outcome | None, call: Call, *, event: Event, keeper: Keeper) -> Outcome | None:
    """Save what passes and loses something all the same, as well as that goes."""
    kept = keeper.keep(event, call, (), ())
    if not kept.id and not kept.why:
        return found
    said = found or Outcome()
    more = told(kept) if kept.id else {"unsaved": kept.why}
    return said.replace(metrics={**said.metrics, **more})
