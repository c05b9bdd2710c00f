"""Hooks of the user's own that should object at times, looked at many calls and never did."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.model.decision import DECISION_WORDS
from fairlead.model.hook import HookType
from fairlead.policy.reading.approvals import GUARD as APPROVES
from fairlead.policy.reading.entry import Entry
from fairlead.store.statistics import Statistics

_GUARDING = (HookType.VALIDATION, HookType.AUTHORIZATION, HookType.SAFETY)
_ENOUGH = 50
"""Calls that a hook must have seen before its silence says anything."""


def quiet_hooks(entries: Iterable[Entry], seen: Statistics) -> list[dict[str, object]]:
    shares = {share.name: share for share in seen.hooks}
    own = {
        (entry.id, entry.file): entry
        for entry in entries
        if entry.layer != "built-in" and entry.type in _GUARDING and entry.id != APPROVES
    }
    found: list[dict[str, object]] = []
    for entry in own.values():
        share = shares.get(entry.id)
        if share is None or share.calls < _ENOUGH:
            continue
        if not any(count for word, count in share.decisions.items() if DECISION_WORDS[word].objects):
            found.append({"hook": entry.id, "calls": share.calls, "file": entry.file})
    return found
