"""Payloads as agents send them, recorded or written after their documentation."""

from __future__ import annotations

from pathlib import Path

from fairlead.model.event_name import EventName, event_named

PAYLOADS = Path(__file__).parent / "data" / "payloads"


def native_event(payload: str) -> str:
    """The event that a payload's file is named after: `tool.execute.before.mcp` is `tool.execute.before`."""
    name = payload.rpartition("/")[2].removeprefix("event.").removeprefix("event:")
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    known = (prefix for prefix in prefixes if event_named(prefix) is not EventName.OTHER)
    return next(known, parts[0])
