"""Agents that know an exit code alone: stderr with exit code 2 refuses, silence does not object."""

from __future__ import annotations

from fairlead.dialects import wording
from fairlead.dialects.abilities import Can, intend
from fairlead.model.event import Event
from fairlead.model.verdict import Reply, Verdict


def say_plainly(event: Event, verdict: Verdict, can: Can) -> Reply:
    """Context, where an event takes it, is plain text on stdout."""
    intent = intend(event, verdict, can)
    if intent.refuses:
        return Reply(2, b"", wording.said_aloud(intent.words), intent.note)
    return Reply(0, wording.said_aloud(intent.context), b"", intent.note)
