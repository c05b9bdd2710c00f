"""A dialect of three parts: the layout of its payloads, what its events can be told, and how that is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import Can
from fairlead.dialects.payloads.payload_layout import Layout, read_event
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, event_named
from fairlead.model.verdict import Reply, Verdict

Say = Callable[[Event, Verdict, Can], Reply]


class ComposedDialect:
    """`unknown` is what an event can be told that the table does not have."""

    def __init__(
        self, layout: Layout, events: Mapping[str, Can], say: Say, *, unknown: Can | None = None
    ) -> None:
        self.name = layout.agent
        self.events = tuple(events)
        self._layout, self._events, self._say = layout, events, say
        self._unknown = unknown or Can()

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        return read_event(self._layout, raw, native_event=native_event, environment=environment)

    def render(self, event: Event, verdict: Verdict) -> Reply:
        return self._say(event, verdict, self.abilities(event.native_name))

    def last_resort(self, native_event: str) -> Reply:
        """A no for what gates, else no opinion."""
        event = Event(event_named(native_event), native_event, self.name)
        return self.render(event, answer_words.unanswered() if event.name in GATING else Verdict())

    def abilities(self, native_event: str) -> Can:
        return self._events.get(native_event, self._unknown)
