"""The same words everywhere: for decisions, times, amounts, and text that somebody else wrote."""

from __future__ import annotations

from fairlead.model.decision import Decision

_SECOND = 1000


def shown_decision(decision: Decision) -> str:
    """`allow` and `continue` are the same to the caller: no objection."""
    return "pass" if decision <= Decision.ALLOW else decision.word


def ago(then: float, now: float) -> str:
    """How long since, in one unit: `5m`."""
    seconds = max(now - then, 0)
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s"


def milliseconds(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f} ms" if value < _SECOND / 10 else f"{value / _SECOND:.2f} s"


def printable(text: str) -> str:
    """Without what could steer a terminal: journal lines hold what agents sent."""
    return "".join(c if c.isprintable() else "\N{SYMBOL FOR SUBSTITUTE}" for c in text)
