"""A program's answer in contract lines: `contract:decision=block`, `contract:reason=…`, `contract:{…}`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.contracts.answer import misread, read_answer
from fairlead.contracts.directives import Directive, contract_lines, parse
from fairlead.contracts.exit_code import broken, refusal
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.timeline import Stream, Timeline

_WORDS = ("decision", "reason", "additional_context", "system_message")


def has_contract_lines(timeline: Timeline | None) -> bool:
    if timeline is None or b"contract:" not in timeline.data(Stream.STDOUT):
        return False
    return next(contract_lines(timeline), None) is not None


class ContractLines:
    """An unknown contract is a failure: a guard that asks for something nobody does has not been heard."""

    def read(self, hook: Hook, event: Event, capture: Capture) -> Outcome:
        said = _said(hook, capture.timeline or Timeline())
        failed = broken(hook, capture)
        if failed is not None:
            return said.replace(failure=failed.failure) if said.decision.objects else failed
        refused = refusal(hook, capture)
        if refused is None or (said.decision.stops and said.reason):
            return said
        return refused


def _said(hook: Hook, timeline: Timeline) -> Outcome:
    """All lines together. A later line never cancels an earlier objection (law 4)."""
    words: dict[str, object] = {}
    strongest = Decision.CONTINUE
    wrong: Outcome | None = None
    for number, text in contract_lines(timeline):
        understood = _object(text) if text.startswith("{") else _word(text)
        if understood is None:
            wrong = wrong or misread(hook, f"line {number} of its output is no known contract: {text[:200]}")
            continue
        words |= understood
        line = read_answer(hook, understood)
        wrong = wrong or (line if line.failure is not None else None)
        strongest = max(strongest, line.decision)
    if wrong is not None and not strongest.objects:
        return wrong
    if strongest.objects:
        words["decision"] = strongest.word
    return read_answer(hook, words)


def _object(text: str) -> Mapping[str, object] | None:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _word(text: str) -> Mapping[str, object] | None:
    """One field of the answer; `contract:exit:2` is the exit code that blocks."""
    asked = parse(text)[0]
    if not isinstance(asked, Directive):
        return None
    if asked.kind == "set" and asked.name in _WORDS:
        return {asked.name: asked.value}
    if asked.kind == "exit" and asked.value in ("0", "2"):
        return {"decision": "block" if asked.value == "2" else "continue"}
    return None
