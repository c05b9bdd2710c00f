"""A machine's word about its own group, held against the list that the centre has of its machines.

Who names another group than the list says counts for none but its own, so that nobody makes the figures of a
group, by which its rollout is judged, from outside of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fairlead.doors.fleet.collecting.heartbeats import Beat
from fairlead.doors.fleet.collecting.intake import Decision, Incident

KIND = "group"
_Said = TypeVar("_Said", Beat, Decision)


def placed(said: _Said, expected: Mapping[str, str]) -> tuple[_Said, tuple[Incident, ...]]:
    """`expected` is the group by machine; empty where nobody wrote them down, and everybody is believed. One
    that is not on it is in no group. The version of a bundle says nothing outside of its own group."""
    if not expected:
        return said, ()
    group = expected.get(said.machine, "")
    if said.group == group:
        return said, ()
    moved = said.replace(group=group, bundle=0)
    if isinstance(moved, Beat):
        moved = moved.replace(bundle_state="none")
    if not group:
        return moved, ()
    detail = f"it says that it is in the group {said.group[:80]!r}, and is in {group!r}"
    return moved, (Incident(said.machine, KIND, said.group[:80], detail),)
