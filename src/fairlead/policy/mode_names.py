"""The names in `mode.yaml`: which of them mean nothing, and which do not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fairlead.model.hook import AUDIT
from fairlead.policy.layering.defaults import TELLS_RULES_APART
from fairlead.policy.mode import ALWAYS_ENFORCED, DEFAULT_DECISION, Mode, names_of
from fairlead.policy.policy import Policy
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.schema import suggestion

_NEVER_WATCHED = ALWAYS_ENFORCED | {"self-protection"}


def entry_names(policy: Policy) -> list[str]:
    """What its entries may be called, and what stands for a `default_decision`."""
    return [*dict.fromkeys(name for entry in policy.entries for name in names_of(entry)), DEFAULT_DECISION]


def name_problems(policy: Policy, is_rule: Callable[[str], bool], known: Iterable[str]) -> Iterator[Problem]:
    """A warning for each name that is nobody's, or that no mode can change.

    `is_rule` knows packs and rules; `known` are words to suggest.
    """
    names = frozenset(entry_names(policy))
    for spot in (*policy.mode.spots, *policy.managed.spots):
        if spot.name not in names and not is_rule(spot.name):
            hint = suggestion(
                spot.name, [*known, *names], otherwise="`fairlead packs show PACK` shows the rules of a pack"
            )
            yield spot.problem(f"there is no rule, pack or entry {spot.name!r}", hint)
        elif spot.name in policy.mode.audited and spot.name.partition("/")[0] in _NEVER_WATCHED:
            yield spot.problem(f"{spot.name!r} is always enforced", "leave it out of `audit`")


def why_enforced(policy: Policy, name: str) -> str:
    """Why a name that somebody wants to be watched counts all the same; empty where it is watched."""
    if name not in policy.mode.audited:
        return "another layer's mode.yaml enforces it"
    for entry in policy.entries:
        why = _own_word(entry, name)
        if why:
            return f"{why} ({entry.origin})"
    return ""


def _own_word(entry: Entry, name: str) -> str:
    named = name in names_of(entry)
    if entry.locked and (named or entry.builtin in TELLS_RULES_APART):
        return f"{entry.id} is locked"
    if named and entry.mode != AUDIT:
        return f"{entry.id} says that itself"
    packs = entry.config.get("packs")
    enforced = packs.get("enforce") if isinstance(packs, dict) else None
    return f"{entry.id} enforces it" if isinstance(enforced, list) and name in enforced else ""


def watching(own: Mode, names: Iterable[str]) -> Mode:
    """With these names in audit: nothing else that this layer says of them stays."""
    wanted = tuple(names)
    kept = tuple(name for name in own.enforce if not covers(wanted, name))
    return own.replace(enforce=kept, audited=tuple(dict.fromkeys((*own.audited, *wanted))))


def enforcing(own: Mode, names: Iterable[str]) -> Mode:
    wanted = tuple(names)
    kept = tuple(name for name in own.audited if not covers(wanted, name))
    return own.replace(enforce=tuple(dict.fromkeys((*own.enforce, *wanted))), audited=kept)


def covers(names: Iterable[str], rule: str) -> bool:
    """Whether one of these names means the rule: itself, its pack, or the entry that a policy's rule is."""
    return any(rule == name or rule.startswith(f"{name}/") or rule == f"rules/{name}" for name in names)
