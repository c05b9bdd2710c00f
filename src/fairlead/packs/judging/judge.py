"""Tries the rules that can apply to each effect, and says what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from fairlead.model.decision import Decision
from fairlead.model.excuse import ExactCommand
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.value import Value
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.exact_commands import exact_command_of
from fairlead.packs.judging.file_evidence import way_to, where_it_stands
from fairlead.packs.judging.guard_settings import WRITTEN, Settings
from fairlead.packs.judging.pack_table import OTHERS, rules_by_name
from fairlead.packs.rule import Rule, Scene
from fairlead.sessions.memory import NO_MEMORY, Memory
from fairlead.shell.effects.effect import LAID, SINCE_BEFORE, Effect
from fairlead.shell.places.targets import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.packs.judging.losses.committed_work import PersonsOwn

_TOLD = frozenset((LAID, *SINCE_BEFORE))
"""Effects whose detail tells what nobody can see in the command."""


class Match(Value):
    rule: Rule
    effect: Effect


def judged(
    call: Call,
    packs: tuple[str, ...],
    settings: Settings,
    *,
    cwd: str,
    memory: Memory = NO_MEMORY,
) -> Outcome | None:
    """What these packs say of the call. Exceptions that made a difference are named in the metrics."""
    if not call.effects:
        return None
    from fairlead.packs.judging.losses.git_state import Inquiry  # most calls do nothing that rules speak of

    said = "" if call.is_shell else call.content
    scene = Scene(call.script, call.where, Inquiry(memory=memory), settings.level, memory, said)
    if call.kept is None:
        return _judged(call, packs, settings, scene, cwd)
    from fairlead.packs.judging.remembered_verdicts import remembered  # only where a file would run

    key = (packs, settings, cwd, call.files)
    return remembered(call.kept, key, scene, lambda watched: _judged(call, packs, settings, watched, cwd))


def _judged(call: Call, packs: tuple[str, ...], settings: Settings, scene: Scene, cwd: str) -> Outcome | None:
    used: list[str] = []
    match = strongest_match(call, packs, settings, scene, used=used)
    found = None if match is None else outcome_of(match, call, cwd)
    if used:
        rules = ", ".join(dict.fromkeys(excuse.partition("\0")[0] for excuse in used))
        excused = Outcome(reason=f"an exception holds for {rules}")
        said = found or excused
        found = said.replace(metrics={**said.metrics, "excused": used})
    if not settings.audited:
        return found
    watched = strongest_match(call, packs, settings, scene, used=[], audited=True)
    return with_record(found, None if watched is None else outcome_of(watched, call, cwd))


def with_record(said: Outcome | None, watched: Outcome | None) -> Outcome | None:
    """What counts, and beside it the stronger of what is only written down."""
    if watched is None:
        return said
    said = said or Outcome()
    known = said.would
    return said if known is not None and known.decision >= watched.decision else said.replace(would=watched)


def weighed(found: Outcome | None, others: Iterable[Outcome], settings: Settings) -> Outcome | None:
    """What the rules found, and the first of the others that counts, which goes before it."""
    for other in others:
        if not settings.audits(other.rule):
            return other if found is None or found.would is None else other.replace(would=found.would)
        found = with_record(found, other)
    return found


def strongest_match(
    call: Call,
    packs: tuple[str, ...],
    settings: Settings,
    scene: Scene,
    *,
    used: list[str],
    audited: bool = False,
) -> Match | None:
    """The first of the strongest: rules and effects are tried in order, and a block ends the search.

    Only rules that count are tried, or only those that are `audited`.
    """
    best: Match | None = None
    left = _left_to_person(call, scene.memory) if call.files and settings.follow == WRITTEN else None
    for match in find_matches(call.effects, packs, scene, left):
        if match.rule.id in settings.disabled or (
            settings.audited and settings.audits(match.rule.id) is not audited
        ):
            continue
        excuse = settings.excuse_for(match.rule.id, exact_command(match, call)) if settings.excused else ""
        if excuse:
            if excuse not in used:
                used.append(excuse)
            continue
        if left is not None and left.did_before(match.rule, match.effect):
            continue
        if best is None or match.rule.decision > best.rule.decision:
            best = match
            if best.rule.decision >= Decision.BLOCK:
                break
    return best


def exact_command(match: Match, call: Call) -> ExactCommand | None:
    return exact_command_of(match.rule.id, match.effect.command, call.script, call.where.root)


Left = Callable[[Rule, Effect], bool]
"""Whether what a rule would speak of is left to the person, whose own file does it."""


def _left_to_person(call: Call, memory: Memory) -> PersonsOwn:
    from fairlead.packs.judging.losses.committed_work import PersonsOwn  # only where a file would run

    return PersonsOwn(call, memory)


def find_matches(
    effects: Iterable[Effect], packs: tuple[str, ...], scene: Scene, left: Left | None = None
) -> Iterator[Match]:
    """What the rules of these packs forbid, up to the scene's level."""
    for effect in effects:
        named = rules_by_name(effect.action, packs)
        yield from matches_of(effect, named.get(effect.name) or named[OTHERS], scene, left)


def matches_of(
    effect: Effect, rules: Iterable[Rule], scene: Scene, left: Left | None = None
) -> Iterator[Match]:
    """The rules that hold for an effect, among those for its action and name."""
    target = effect.target
    for rule in rules:
        if rule.level > scene.level:
            continue
        if rule.places and (target is None or target.place not in rule.places):
            continue
        if left is not None and left(rule, effect):
            continue
        if rule.when is None or rule.when(effect, scene):
            yield Match(rule, effect)


def outcome_of(match: Match, call: Call, cwd: str) -> Outcome:
    """What the engine is told: the reason for the model, the message for the person, and the evidence."""
    rule, effect = match.rule, match.effect
    words = told_words(effect)
    origin = effect.command.origin
    exact = exact_command(match, call)
    stands = f" {where_it_stands(origin, call)}" if origin is not None else ""
    return Outcome(
        decision=rule.decision,
        reason=rule.reason.format_map(words) + stands,
        rule=rule.id,
        evidence=(evidence_of(effect, call, cwd),),
        alternative=rule.alternative.format_map(words),
        system_message=rule.person,
        metrics={
            "severity": rule.severity.word,
            "effect": str(effect.action),
            **({} if exact is None else {"exact": {"command": exact.text, "cwd": exact.cwd}}),
        },
    )


def told_words(effect: Effect) -> dict[str, str]:
    """What the sentences of a rule may name."""
    return {"what": effect.what or _spelled(effect), "target": _target(effect), "detail": effect.detail}


def evidence_of(effect: Effect, call: Call, cwd: str) -> Evidence:
    """The part of the command that has the effect, and what makes it mean that."""
    command = effect.command
    if not call.is_shell or (not command.argv and not command.redirects and not command.origin):
        return Evidence(effect.what, source=_target(effect), detail=f"{effect.action} {_target(effect)}")
    source, start, end = call.script.text, command.start, command.end
    part = source.encode()[start:end].decode("utf-8", "replace")
    return Evidence(part or effect.what, source, start, end, "; ".join(_details(effect, call, cwd)))


def _details(effect: Effect, call: Call, cwd: str) -> Sequence[str]:
    details = []
    command = effect.command
    if effect.target is not None:
        details.append(f"{effect.action} {effect.target.shown} ({_word_for(effect.target.place)})")
    else:
        details.append(f"{effect.action}: {effect.name}")
    if effect.name in _TOLD:
        details.append(effect.detail)
    if command.cwd is not None and command.cwd != cwd:
        details.append(f"runs in {command.cwd}{_after(effect, call)}")
    if command.wrappers or command.via:
        through = [wrapper.name for wrapper in command.wrappers] + list(command.via)
        details.append("through " + ", ".join(through))
    if command.origin is not None:
        details.append(way_to(command.origin, call))
    return details


@cache
def _word_for(place: Place) -> str:
    return place.name.lower().replace("_", " ")


def _after(effect: Effect, call: Call) -> str:
    """The last change of directory before the command."""
    moves = [c for c in call.script.commands if c.name in ("cd", "pushd") and c.start < effect.start]
    return f" (after `{' '.join(word.text or '?' for word in moves[-1].argv)}`)" if moves else ""


def _spelled(effect: Effect) -> str:
    return " ".join(word.text or "?" for word in effect.command.argv)[:200] or str(effect.action)


def _target(effect: Effect) -> str:
    return effect.target.shown if effect.target is not None else effect.detail
