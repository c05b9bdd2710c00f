"""How the rollout of each group goes: what is published for it, and what its machines have and say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fairlead.doors.fleet.board import spans
from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.doors.fleet.board.machines import Machine, all_machines, listed_ones
from fairlead.doors.fleet.board.published import Word
from fairlead.fleet.bundles.freshness import goes_back
from fairlead.fleet.publishing.rollout import is_among

_LISTED = 20
_MOST_GROUPS = 24
Told = Mapping[tuple[str, int], Counter[str]]


def rollouts(centre: Centre, asked: Asked) -> object:
    """A page of groups by name; `text` is a part of it."""
    span, text, (start, _) = spans.span_of(asked), asked.text("text").lower(), asked.page()
    members: dict[str, list[Machine]] = {}
    with centre.database.reading() as statements:
        everyone = all_machines(statements, centre.expected.groups(), now=span.until / 1000)
        for each in listed_ones(everyone):
            members.setdefault(each.group, []).append(each)
        named = sorted(group for group in members if text in group.lower())
        shown = named[start : start + _MOST_GROUPS]
        told = spans.by_bundle(spans.Counts(statements, span), shown)
    published = centre.published
    words = published.of(shown) if published is not None else {}
    return {
        "total": len(members),
        "found": len(named),
        "page": _MOST_GROUPS,
        "source": {
            "address": published.shown,
            "checks": published.checks,
            "trouble": published.trouble,
        } if published is not None else None,
        "groups": [_rollout(group, members[group], told, words.get(group)) for group in shown],
    }  # fmt: skip


def _rollout(group: str, members: Sequence[Machine], told: Told, word: Word | None) -> dict[str, object]:
    versions = Counter(each.bundle for each in members)
    states = Counter(each.bundle_state for each in members if each.beat_at)
    return {
        "group": group,
        "machines": len(members),
        "states": dict(states),
        "published": word.as_json() if word is not None else None,
        "standing": dict(_standing(members, word)) if word is not None and word.version else None,
        "bundles": [
            {"version": version, "machines": number, "calls": dict(told.get((group, version), Counter()))}
            for version, number in sorted(versions.items(), reverse=True)[:_LISTED]
        ],
    }


def _standing(members: Sequence[Machine], word: Word) -> Counter[str]:
    """How many have what is published, are to leave it, refuse it, wait because it has not come to them, or
    lag behind."""
    counts = Counter(_stands(each, word) for each in members)
    counts["absent"] = sum(each.is_absent for each in members)
    return counts


def _stands(machine: Machine, word: Word) -> str:
    rollout = word.rollout
    if machine.bundle_state == "refused":
        return "refuses"
    if machine.bundle == word.version:
        return "leaves" if goes_back(rollout) else "has"
    in_turn = is_among(machine.machine, machine.group, word.version, rollout.percent)
    return "lags" if in_turn and not rollout.halted else "waits"
