"""What an agent can be told at an event, and what becomes of a verdict that it cannot be told: never less."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum, auto

from fairlead.dialects.answers import answer_words
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict


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
    halts = verdict.stop or verdict.decision is Decision.HALT
    act, words, notes = _halted(event, verdict, can) if halts else _decided(event, verdict, can)
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
    output = None if verdict.updated_output == "" else verdict.updated_output
    context, message = verdict.additional_context, verdict.system_message
    if can.turn_end and verdict.decision is Decision.ASK and not halts:
        message = answer_words.question(verdict)
    if output is not None and not can.redact:
        output = None
        notes.append("output not replaced")
    if context and not can.context:
        context = ""
        notes.append("context dropped")
    if message and not can.message:
        message = ""
        notes.append("message not shown")
    return Intent(
        act,
        words,
        answer_words.halting(verdict) if halts and can.halt else "",
        rewritten,
        output,
        context and answer_words.shortened(context),
        message and answer_words.shortened(message),
        tuple(notes),
    )


def _decided(event: Event, verdict: Verdict, can: Can) -> tuple[Act, str, list[str]]:
    if verdict.decision is Decision.BLOCK:
        return (
            Act.REFUSE,
            answer_words.not_done(verdict) if can.turn_end else answer_words.refusal(verdict),
            [],
        )
    if verdict.decision is Decision.ASK:
        return _asked(verdict, can)
    if verdict.decision is Decision.APPROVE:
        return (Act.APPROVE, verdict.reason, []) if can.approve else (Act.PASS, "", _unapproved(event))
    return Act.PASS, "", []


def _unapproved(event: Event) -> list[str]:
    return ["approve became no objection"] if event.name in GATING else []


def _halted(event: Event, verdict: Verdict, can: Can) -> tuple[Act, str, list[str]]:
    """To stop what follows and let this one call run would be the weaker answer."""
    notes = [] if can.halt else ["halt became block"]
    if can.turn_end:
        return Act.PASS, "", [] if can.halt else ["halt not said: the turn ends in any case"]
    if verdict.decision.stops or event.name in GATING:
        return Act.REFUSE, answer_words.refusal(verdict), notes
    return Act.PASS, "", [] if can.halt else ["stop not said"]


def _asked(verdict: Verdict, can: Can) -> tuple[Act, str, list[str]]:
    if can.ask:
        return Act.ASK, answer_words.question(verdict), []
    if can.asks_itself:
        return Act.PASS, "", ["ask left to the agent's own prompt"]
    if can.turn_end:
        return Act.PASS, "", ["ask became a message: the turn is the person's in any case"]
    return Act.REFUSE, answer_words.unasked(verdict), ["ask became block"]


def _corrected(event: Event, verdict: Verdict) -> str:
    """The rewrite as advice: the agent may make the call that it cannot be given."""
    name = event.tool.name if event.tool is not None else "the tool"
    wanted = json.dumps(verdict.updated_input, default=str)
    advice = f"Fairlead would change this call. Make it like this instead: {name} {wanted}"
    return answer_words.shortened(advice)
