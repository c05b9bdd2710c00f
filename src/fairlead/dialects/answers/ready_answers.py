"""The answers that the client gives by itself when nothing else could, for every agent and event.

Made when the client is built, so that they are there when Python is not.
"""

from __future__ import annotations

from fairlead.dialects.agent_registry import AGENTS, Voice, dialect_named
from fairlead.model.event_name import EventName, event_named
from fairlead.model.verdict import Reply

ANY = "*"
"""The answer to an event without a name: whatever it is, it may be a gate."""


def last_resorts() -> dict[str, dict[str, Reply]]:
    return {agent: _of(dialect_named(agent)) for agent in AGENTS}


def _of(dialect: Voice) -> dict[str, Reply]:
    answers = {event: dialect.last_resort(event) for event in dialect.events}
    gate = next(event for event in dialect.events if event_named(event) is EventName.BEFORE_TOOL)
    return {**answers, ANY: answers[gate]}
