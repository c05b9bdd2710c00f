"""Stage 2: model payloads into the neutral form that hooks see."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.model.event import Event

Translate = Callable[[Event], Event]
"""Raises ValueError for a payload that it cannot translate."""


def untouched(event: Event) -> Event:
    """The translation of an event whose payload is already neutral, or that has no model payload."""
    return event
