"""What a hook may say about an event, and which of two answers is the stronger."""

from __future__ import annotations

from enum import IntEnum


class Decision(IntEnum):
    """Ordered by strength, so that `max` is the aggregation (law 4).

    CONTINUE and ALLOW both mean "no objection" and render alike; only the explicit APPROVE takes the human
    out of the loop (law 3). They are told apart because an authorization hook's ALLOW lifts a policy's
    `default_decision`, and its CONTINUE does not.
    """

    CONTINUE = 0
    ALLOW = 1
    APPROVE = 2
    ASK = 3
    BLOCK = 4
    HALT = 5

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def objects(self) -> bool:
        """Whether the call may not simply go on."""
        return self >= Decision.ASK

    @property
    def stops(self) -> bool:
        """Whether nothing that follows in the same phase could change the answer."""
        return self >= Decision.BLOCK


DECISION_WORDS = {
    **{decision.word: decision for decision in Decision},
    "deny": Decision.BLOCK,
    "pass": Decision.CONTINUE,
}
