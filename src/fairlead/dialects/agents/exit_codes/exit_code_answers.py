"""Agents that know an exit code alone: stderr with exit code 2 refuses, silence does not object."""

from __future__ import annotations

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import Can, intend
from fairlead.model.event import Event
from fairlead.model.verdict import Reply, Verdict


def say_plainly(event: Event, verdict: Verdict, can: Can) -> Reply:
    """Context, where an event takes it, is plain text on stdout."""
    intent = intend(event, verdict, can)
    if intent.refuses:
        return Reply(2, b"", answer_words.said_aloud(intent.words), intent.note)
    return Reply(0, answer_words.said_aloud(intent.context), b"", intent.note)
