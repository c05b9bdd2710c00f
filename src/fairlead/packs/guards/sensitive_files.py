"""The middleware `protect-sensitive-files`: files that hold secrets, by every tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.model.installation import NOWHERE, Installation
from fairlead.packs.judging.call_effects import Call, home_of_user
from fairlead.packs.judging.content import content_objections
from fairlead.packs.judging.guard_settings import Settings, read_settings
from fairlead.packs.judging.judge import evidence_of, judged, weighed
from fairlead.packs.judging.session_files import call_in_session
from fairlead.sessions.memory import NO_MEMORIES, Memories
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.programs.lookup import SHIPPED, Programs


def protect_sensitive_files(
    event: Event,
    config: Mapping[str, object],
    previous: Sequence[Outcome],
    installation: Installation = NOWHERE,
    programs: Programs = SHIPPED,
    memories: Memories = NO_MEMORIES,
) -> Outcome | None:
    """Judges every path that the call touches, and every text that it would write."""
    settings = read_settings(config)
    memory = memories.judging(event, days=settings.remember)
    call = call_in_session(event, installation, programs, follow=settings.follow, memory=memory)
    if call is None:
        return None
    found = judged(call, settings.guarding, settings, cwd=event.cwd, memory=memory)
    if found is not None and found.decision >= Decision.BLOCK:
        return found
    return weighed(found, _beside_rules(call, settings, event), settings)


def _beside_rules(call: Call, settings: Settings, event: Event) -> Iterator[Outcome]:
    """What no rule of a pack finds: the policy's own patterns, then what stands in texts."""
    if settings.protected:
        yield from filter(None, (_by_pattern(call, settings.protected, event.cwd),))
    if "secrets" in settings.guarding:
        yield from content_objections(call)


def _by_pattern(call: Call, patterns: Sequence[str], cwd: str) -> Outcome | None:
    for effect in call.effects:
        if effect.target is None or effect.action is Action.LIST:
            continue
        for pattern in patterns:
            if _covers(pattern, effect, call):
                return Outcome(
                    decision=Decision.BLOCK,
                    reason=f"{effect.target.shown} matches {pattern!r}, which this policy protects.",
                    rule="config/protected-pattern",
                    evidence=(evidence_of(effect, call, cwd),),
                )
    return None


def _covers(pattern: str, effect: Effect, call: Call) -> bool:
    """By the name, by the path from the project root, by the whole path; and behind links."""
    if pattern.startswith("~/"):
        pattern = home_of_user() + pattern[1:]
    for whole in _paths(effect, call):
        relative = whole.removeprefix(call.where.root.rstrip("/") + "/")
        if any(fnmatch(name, pattern) for name in (whole, relative, whole.rsplit("/", 1)[-1])):
            return True
        if "/" not in pattern and any(fnmatch(part, pattern) for part in relative.split("/")[:-1]):
            return True
    return False


def _paths(effect: Effect, call: Call) -> Iterator[str]:
    target = effect.target
    assert target is not None
    for path in {target.path, target.real} - {""}:
        yield f"{path}/{target.pattern}" if target.pattern else path
    if target.pattern:
        from fairlead.packs.names.hidden_names import matched_on_disk  # only where there is a glob

        yield from matched_on_disk(effect, call.script, call.where)
