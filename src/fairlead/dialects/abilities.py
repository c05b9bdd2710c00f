"""What an agent can be told at an event, and what becomes of a verdict that it cannot be told: never less."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum, auto
from typing import TypeVar

from fairlead.dialects import wording
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict

_T = TypeVar("_T")


class Can(Value):
    """What one event of one agent takes. `fairlead coverage` prints these, so they must be true."""

    refuse: bool = True
    ask: bool = False
    asks_itself: bool = False
    """The agent's own prompt follows in any case: a question is left to it."""
    approve: bool = False
    rewrite: bool = False
    context: bool = False
    redact: bool = False
    """The result can be replaced before the model sees it."""
    halt: bool = False
    message: bool = False
    turn_end: bool = False
    """A no means: go on working. Ending is what happens anyway."""


INFORM = Can(refuse=False)


class Act(Enum):
    PASS = auto()
    APPROVE = auto()
    ASK = auto()
    REFUSE = auto()


class Intent(Value):
    """A verdict as the agent can be told it. `degraded` says what it could not."""

    act: Act = Act.PASS
    words: str = ""
    halt: str = ""
    input: Mapping[str, object] | None = None
    output: object = None
    context: str = ""
    message: str = ""
    degraded: tuple[str, ...] = ()

    @property
    def refuses(self) -> bool:
        return self.act is Act.REFUSE

    @property
    def note(self) -> str:
        return "; ".join(self.degraded)


def intend(event: Event, verdict: Verdict, can: Can) -> Intent:
    act, words, notes = _decided(event, verdict, can)
    halt = wording.halting(verdict) if _halts(verdict) and can.halt else ""
    rewritten = verdict.updated_input if act is not Act.REFUSE else None
    if rewritten is not None and not can.rewrite:
        rewritten = None
        if event.name in GATING and not can.asks_itself:
            act, words = Act.REFUSE, _corrected(event, verdict)
            notes.append("rewrite became block")
        else:
            notes.append("rewrite dropped")
    if act is Act.REFUSE and not can.refuse:
        act, words = Act.PASS, ""
        notes.append(f"block not said: {event.native_name} cannot be refused")
    return Intent(
        act,
        words,
        halt,
        rewritten,
        _kept(verdict.updated_output, can.redact, "output not replaced", notes),
        _kept(wording.shortened(verdict.additional_context), can.context, "context dropped", notes) or "",
        _message(verdict, can, notes),
        tuple(notes),
    )


def _decided(event: Event, verdict: Verdict, can: Can) -> tuple[Act, str, list[str]]:
    if _halts(verdict):
        return _halted(event, verdict, can)
    if verdict.decision is Decision.BLOCK:
        return Act.REFUSE, wording.not_done(verdict) if can.turn_end else wording.refusal(verdict), []
    if verdict.decision is Decision.ASK:
        return _asked(verdict, can)
    if verdict.decision is Decision.APPROVE:
        return (Act.APPROVE, verdict.reason, []) if can.approve else (Act.PASS, "", _unapproved(event))
    return Act.PASS, "", []


def _unapproved(event: Event) -> list[str]:
    return ["approve became no objection"] if event.name in GATING else []


def _halts(verdict: Verdict) -> bool:
    return verdict.decision is Decision.HALT or verdict.stop


def _halted(event: Event, verdict: Verdict, can: Can) -> tuple[Act, str, list[str]]:
    """To stop what follows and let this one call run would be the weaker answer."""
    notes = [] if can.halt else ["halt became block"]
    if can.turn_end:
        return Act.PASS, "", [] if can.halt else ["halt not said: the turn ends in any case"]
    if verdict.decision.stops or event.name in GATING:
        return Act.REFUSE, wording.refusal(verdict), notes
    return Act.PASS, "", [] if can.halt else ["stop not said"]


def _asked(verdict: Verdict, can: Can) -> tuple[Act, str, list[str]]:
    if can.ask:
        return Act.ASK, wording.question(verdict), []
    if can.asks_itself:
        return Act.PASS, "", ["ask left to the agent's own prompt"]
    if can.turn_end:
        return Act.PASS, "", ["ask became a message: the turn is the person's in any case"]
    return Act.REFUSE, wording.unasked(verdict), ["ask became block"]


def _corrected(event: Event, verdict: Verdict) -> str:
    """The rewrite as advice: the agent may make the call that it cannot be given."""
    name = event.tool.name if event.tool is not None else "the tool"
    wanted = json.dumps(verdict.updated_input, default=str)
    advice = f"Fairlead would change this call. Make it like this instead: {name} {wanted}"
    return wording.shortened(advice)


def _kept(value: _T, possible: bool, otherwise: str, notes: list[str]) -> _T | None:
    if value is None or value == "":
        return None
    if not possible:
        notes.append(otherwise)
        return None
    return value


def _message(verdict: Verdict, can: Can, notes: list[str]) -> str:
    question = verdict.decision is Decision.ASK and can.turn_end and not _halts(verdict)
    said = wording.question(verdict) if question else verdict.system_message
    return _kept(wording.shortened(said), can.message, "message not shown", notes) or ""
