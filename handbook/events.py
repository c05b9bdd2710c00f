"""The page about events: their names, who spells them how, and which agent fires them."""

from __future__ import annotations

from fairlead.dialects.agent_registry import AGENTS, dialect_named
from fairlead.model.event_name import GATING, RESULT_EVENTS, EventName, event_named, known_event_names
from handbook.markdown import code, table

HEAD = """# Events

A policy may name an event in any spelling on this page; case, `-`, `_` and `.` do not matter. [The policy file](../policy.md) shows how, and [the pages of the agents](../agents.md) tell which answers each agent accepts at each event.

- **gate**: Fairlead can refuse what is about to happen, and refuses when nothing can answer.
- **result**: it already happened; a hook can replace or withhold the result.
- **notice**: hooks see it. Where the agent reads their answer, they can refuse it, add context or stop the turn; when nothing can answer, it goes on.

"""
_HOSTS = (
    "fired by [the MCP door](../mcp.md), [the library](../library.md) or [the hook system](../hook-system.md)"
)


def events_page() -> str:
    spellings = {event: _spellings(event) for event in EventName if event is not EventName.OTHER}
    firing = _firing()
    rows = [
        (code(event.value), _kind(event), ", ".join(map(code, names)), ", ".join(firing[event]) or _HOSTS)
        for event, names in spellings.items()
    ]
    return HEAD + table(("event", "kind", "other spellings", "agents that fire it"), rows)


def _kind(event: EventName) -> str:
    if event in GATING:
        return "gate"
    return "result" if event in RESULT_EVENTS else "notice"


def _spellings(event: EventName) -> list[str]:
    return [name for name in known_event_names() if event_named(name) is event and name != event.value]


def _firing() -> dict[EventName, list[str]]:
    found: dict[EventName, list[str]] = {event: [] for event in EventName}
    for agent in AGENTS:
        if agent == "generic":
            continue
        for event in sorted({event_named(name) for name in dialect_named(agent).events}):
            found[event].append(agent)
    return found
