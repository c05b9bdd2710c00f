"""Agents that know an exit code alone: stderr with exit code 2 refuses, silence does not object."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects import wording
from fairlead.dialects.abilities import Can, intend
from fairlead.dialects.layout import Layout, read_event
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, event_named
from fairlead.model.verdict import Reply, Verdict


class PlainDialect:
    """Context, where an event takes it, is plain text on stdout."""

    def __init__(self, layout: Layout, events: Mapping[str, Can], *, unknown: Can | None = None) -> None:
        self.name = layout.agent
        self.events = tuple(events)
        self._layout = layout
        self._events = events
        self._unknown = unknown or Can()

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        return read_event(self._layout, raw, native_event=native_event, environment=environment)

    def render(self, event: Event, verdict: Verdict) -> Reply:
        intent = intend(event, verdict, self.abilities(event.native_name))
        if intent.refuses:
            return Reply(2, b"", wording.said_aloud(intent.words), intent.note)
        return Reply(0, wording.said_aloud(intent.context), b"", intent.note)

    def last_resort(self, native_event: str) -> Reply:
        event = event_named(native_event)
        if event not in GATING:
            return Reply()
        return self.render(Event(event, native_event, self.name), wording.unanswered())

    def abilities(self, native_event: str) -> Can:
        return self._events.get(native_event, self._unknown)
