"""Agents whose hooks are JavaScript in the agent itself: Fairlead's own plugin asks, and this answers it.

The plugin adds `hook_event_name`, `cwd` and `session_id` to what the agent gave it; the same payload without
them is read too. Its part of the bargain: it refuses whatever it cannot read.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects import wording
from fairlead.dialects.abilities import Act, Can, Intent, intend
from fairlead.dialects.layout import Layout, read_event
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, EventName, event_named
from fairlead.model.verdict import Reply, Verdict


class PluginDialect:
    def __init__(self, layout: Layout, events: Mapping[str, Can]) -> None:
        self.name = layout.agent
        self.events = tuple(events)
        self._layout = layout
        self._events = events

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        return read_event(self._layout, raw, native_event=native_event, environment=environment)

    def render(self, event: Event, verdict: Verdict) -> Reply:
        intent = intend(event, verdict, self.abilities(event.native_name))
        if intent.refuses and event.name is EventName.AFTER_TOOL:
            # Too late to refuse the act, in time to keep its output from the model.
            words = wording.withheld(verdict)
            return wording.reply({"output": words}, degraded=intent.note)
        return wording.reply(
            _answer(intent),
            exit_code=2 if intent.refuses else 0,
            stderr=intent.words if intent.refuses else "",
            degraded=intent.note,
        )

    def last_resort(self, native_event: str) -> Reply:
        event = event_named(native_event)
        refused = event in GATING
        return self.render(
            Event(event, native_event, self.name), wording.unanswered() if refused else Verdict()
        )

    def abilities(self, native_event: str) -> Can:
        return self._events.get(native_event, Can())


def _answer(intent: Intent) -> dict[str, object]:
    answer: dict[str, object] = {}
    if intent.refuses:
        answer["decision"], answer["reason"] = "deny", intent.words
    elif intent.act is Act.ASK:
        answer["decision"], answer["reason"] = "ask", intent.words
    if intent.input is not None:
        answer["args"] = dict(intent.input)
    if intent.output is not None:
        answer["output"] = wording.as_text(intent.output)
    if intent.context:
        answer["context"] = intent.context
    return answer
