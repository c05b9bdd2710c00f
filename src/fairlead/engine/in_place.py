"""Inputs that a hook changes in place: no guard would see what the tool then gets."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy

CHANGED_IN_PLACE = "a hook changed the input in place, unseen by the guards"

_PLAIN = frozenset({str, int, float, bool, type(None)})


def copied_input(given: Mapping[str, object]) -> dict[str, object]:
    """A copy that nobody else can change; values that cannot change are shared."""
    copy = dict(given)
    return copy if all(type(value) in _PLAIN for value in copy.values()) else deepcopy(copy)
