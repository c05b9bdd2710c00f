"""What a hook may say about an event, and which of two answers is the stronger."""

from __future__ import annotations

from enum import IntEnum


class Decision(IntEnum):
    """Ordered by strength, so that `max` is the aggregation (law 4).

    CONTINUE and ALLOW both mean "no objection" and render alike; only the explicit APPROVE takes the human
    out of the loop (law 3). They are told apart because an authorization hook's ALLOW lifts a policy's
    `default_decision`, and its CONTINUE does not.
    """

    word: str
    objects: bool
    """Whether the call may not simply go on."""
    stops: bool
    """Whether nothing that follows in the same phase could change the answer."""

    CONTINUE = 0
    ALLOW = 1
    APPROVE = 2
    ASK = 3
    BLOCK = 4
    HALT = 5

    def __init__(self, strength: int) -> None:
        self.word = self.name.lower()
        self.objects = strength >= 3
        self.stops = strength >= 4


DECISION_WORDS = {
    **{decision.word: decision for decision in Decision},
    "deny": Decision.BLOCK,
    "pass": Decision.CONTINUE,
}
