"""`debug-tracer`: every hook of a call with its time, as text a person reads while writing a policy."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence

from fairlead.journal.ids import timestamp
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import RESULT_EVENTS
from fairlead.model.hook import HookType, Outcome
from fairlead.observers.append import append, place
from fairlead.observers.report import failed, seen
from fairlead.secrets.redact import redact_text

_SHOWN = 200
_PHASES = {
    HookType.VALIDATION: "validate",
    HookType.TRANSFORMATION: "transform",
    HookType.AUTHORIZATION: "guard",
    HookType.SAFETY: "guard",
    HookType.OBSERVABILITY: "observe",
}


def debug_tracer(event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /) -> Outcome:
    """Config: `trace_file`; without one, or with `stderr`, the trace goes to the standard error."""
    target = str(config.get("trace_file") or "stderr")
    text = "".join(f"{line}\n" for line in trace_lines(event, previous, timestamp(time.time())))
    if target == "stderr":
        sys.stderr.write(text)
        sys.stderr.flush()
        return seen("traced to stderr", {"traced": len(previous)})
    path = place(target, event.root)
    problem = append(path, text)
    if problem:
        return failed(f"tracing failed: {problem}", {"traced": 0, "trace_file": path})
    return seen(f"traced to {path}", {"traced": len(previous), "trace_file": path})


def trace_lines(event: Event, outcomes: Sequence[Outcome], now: str) -> Iterator[str]:
    """The call, then one line per hook in the order in which they answered, then the sum."""
    subject = event.tool.name if event.tool else event.subject
    yield _cut(f"{now} {event.agent} {event.name} ({event.native_name}) {subject}".rstrip())
    session = _cut(event.session) or "-"
    yield f"  receive    {len(event.raw)} bytes, request {event.request or '-'}, session {session}"
    for outcome in outcomes:
        yield from _hook_lines(event, outcome)
    decision = max((outcome.decision for outcome in outcomes), default=Decision.CONTINUE)
    total = sum(outcome.milliseconds for outcome in outcomes)
    yield f"  aggregate  {decision.word}; {len(outcomes)} hooks took {total:.3f} ms"


def _hook_lines(event: Event, outcome: Outcome) -> Iterator[str]:
    phase = "result" if event.name in RESULT_EVENTS else _PHASES[outcome.type]
    rule = f" {outcome.rule}" if outcome.rule else ""
    reason = f": {_cut(outcome.reason)}" if outcome.reason else ""
    head = f"  {phase:<10} {outcome.milliseconds:9.3f} ms  {outcome.hook}"
    yield f"{head}  {outcome.decision.word}{rule}{reason}"
    for proof in outcome.evidence:
        yield f"             evidence  {_cut(proof.text)}  {_cut(proof.detail)}".rstrip()
    if outcome.updated_input is not None:
        yield f"             rewrote   {_cut(str(dict(outcome.updated_input)))}"
    if outcome.failure is not None:
        failure = outcome.failure
        yield f"             failed    {failure.stage} {failure.code}: {_cut(failure.message)}"


def _cut(text: str) -> str:
    """One line without secrets and without what could steer a terminal."""
    shown = redact_text(text[: _SHOWN * 8])
    plain = "".join(
        character if character.isprintable() else "\N{SYMBOL FOR SUBSTITUTE}" for character in shown
    )
    return plain if len(plain) <= _SHOWN else plain[:_SHOWN] + "…"
