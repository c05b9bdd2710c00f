"""One call as one line: what happened, what every hook said, and what the agent was told."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter

from fairlead.journal.ids import new_id, timestamp
from fairlead.journal.scrub import Scrubber, scrubbed
from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.timeline import Chunk, Timeline
from fairlead.model.tool_call import COMMAND_KEYS, ToolCall
from fairlead.model.verdict import Reply, Verdict

VERSION = 1
OUTPUT_LIMIT = 8 * 1024
MAX_LINE = 16 * 1024 * 1024
"""No line is as long, since its fields are capped: what is longer was not written by us."""

Record = dict[str, object]


def _encoder() -> Callable[[object], str]:
    """`json` makes an encoder for each text; where there is a way to it, one is made for all."""
    plain = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return plain.encode
    escaped = json.encoder.encode_basestring_ascii
    write = make(None, plain.default, escaped, None, ":", ",", False, False, False)
    return lambda value: "".join(write(value, 0))


encode = _encoder()
"""ASCII only, so that no byte of a payload can end a line or break the file's encoding."""


def record_of(
    event: Event,
    verdict: Verdict,
    reply: Reply,
    *,
    policy: str = "",
    now: float | None = None,
    spent: dict[str, int] | None = None,
) -> Record:
    """The line of one answered call. The writer adds its own place in the chain.

    `spent` has the microseconds of what was done around the engine.
    """
    record = _head(event, policy or verdict.policy, time.time() if now is None else now)
    said, scrubber = scrubbed(_said, event, verdict, reply)
    record |= said
    if spent:
        record["us"] = spent
    if scrubber.redacted or scrubber.capped:
        _mark(record, scrubber)
    return record


def _said(scrubber: Scrubber, event: Event, verdict: Verdict, reply: Reply) -> Record:
    return {
        "facts": _facts(scrubber, event, verdict),
        "outcomes": _outcomes(scrubber, event, verdict.outcomes),
        "verdict": _verdict(scrubber, event, verdict),
        "degraded": reply.degraded and scrubber.text(reply.degraded),
        "rendered": {
            "exit": reply.exit_code,
            "stdout": scrubber.field(reply.stdout) if reply.stdout else "",
            "stderr": scrubber.field(reply.stderr) if reply.stderr else "",
        },
        "ms": round(verdict.milliseconds, 3),
    }


def observation_of(
    event: Event,
    verdict: Verdict,
    outcomes: Iterable[Outcome],
    *,
    observes: str = "",
    now: float | None = None,
) -> Record:
    """What the observers said, after the answer had left: a second line that readers fold into the first.

    `observes` is the first line's id; without it the lines are joined by their request.
    """
    record = _head(event, verdict.policy, time.time() if now is None else now)
    record["observes"] = observes
    record["outcomes"], scrubber = scrubbed(_outcomes, event, tuple(outcomes))
    _mark(record, scrubber)
    return record


def _head(event: Event, policy: str, now: float) -> Record:
    native_event, session, root = _names(event.native_name, event.session, event.root)
    head: Record = {
        "v": VERSION,
        "id": new_id(now),
        "request": event.request[:64],
        "ts": timestamp(now),
        "agent": event.agent,
        "event": str(event.name),
        "native_event": native_event,
        "session": session,
        "root": root,
        "policy": policy,
    }
    if event.canary:
        head["canary"] = True
    return head


@lru_cache(maxsize=64)
def _names(native_event: str, session: str, root: str) -> tuple[str, str, str]:
    """The same for all calls of a session."""
    text = Scrubber().text
    return text(native_event, 256), text(session, 256), text(root, 4096)


def _mark(record: Record, scrubber: Scrubber) -> None:
    """Says what is not as it was, so that a replay knows what it cannot decide."""
    if scrubber.redacted:
        record["redacted"] = scrubber.redacted
    if scrubber.capped:
        record["capped"] = scrubber.capped


# What has a place of its own in the line, under any agent's spelling.
_RECORDED = frozenset(
    {
        "session_id",
        "sessionId",
        "conversation_id",
        "cwd",
        "hook_event_name",
        "hookEventName",
        "tool_name",
        "toolName",
        "tool_input",
        "toolInput",
        "toolArgs",
        "tool_use_id",
        "tool_response",
        "toolResult",
        "tool_output",
        "prompt",
        "transcript_path",
        "permission_mode",
        "agent_id",
        "llm_request",
        "llm_response",
    }
)


def _facts(scrubber: Scrubber, event: Event, verdict: Verdict) -> Record:
    facts: Record = {"cwd": scrubber.field(event.cwd, 4096), "gating": verdict.gating}
    if event.tool is not None:
        facts["tool"] = _tool(scrubber, event.tool)
    if event.result is not None:
        facts["result"] = {
            "ok": event.result.ok,
            "error": scrubber.text(event.result.error),
            "output": scrubber.field(event.result.output),
        }
    if event.subagent is not None:
        facts["subagent"] = scrubber.field({"id": event.subagent.id, "type": event.subagent.type})
    optional = {
        "prompt": event.prompt,
        "model_request": event.model_request,
        "model_response": event.model_response,
        "permission_mode": event.permission_mode,
        "attended": event.attended,
        "transcript": event.transcript_path,
        "agent_version": event.agent_version[:64],
        "turn": event.turn[:256],
        "more": None if event.payload.keys() <= _RECORDED else _more(event.payload),
    }
    for key, value in optional.items():
        if value or value is False:
            facts[key] = scrubber.field(value)
    facts["bytes"] = len(event.raw)
    return facts


def _more(payload: Mapping[str, object]) -> Record:
    return {key: value for key, value in payload.items() if key not in _RECORDED}


def _tool(scrubber: Scrubber, call: ToolCall) -> Record:
    tool_input = scrubber.field(call.input)
    tool: Record = {
        "name": scrubber.text(call.name, 256),
        "kind": str(call.kind),
        "input": tool_input,
        "hash": fingerprint(tool_input),
    }
    if call.id:
        tool["call"] = scrubber.text(call.id, 256)
    if call.mcp_server:
        tool["mcp_server"] = scrubber.text(call.mcp_server, 256)
    if call.mcp_tool:
        tool["mcp_tool"] = scrubber.text(call.mcp_tool, 256)
    return tool


def fingerprint(tool_input: object) -> str:
    """Tells equal inputs. It is made of the redacted input: a hash of a password can be guessed at."""
    return sha256_hex(encode(tool_input).encode("ascii"))[:32]


def _outcomes(scrubber: Scrubber, event: Event, outcomes: Iterable[Outcome]) -> list[Record]:
    records: list[Record] = []
    for outcome in outcomes:
        records.append(_outcome(scrubber, event, outcome))
    return records


def _outcome(scrubber: Scrubber, event: Event, outcome: Outcome) -> Record:
    record: Record = {
        "hook": outcome.hook[:256],
        "type": str(outcome.type),
        "decision": outcome.decision.word,
        "reason": outcome.reason and scrubber.text(outcome.reason),
        "rule": outcome.rule and scrubber.text(outcome.rule, 256),
        "evidence": _evidence(scrubber, event, outcome.evidence) if outcome.evidence else [],
        "metrics": scrubber.field(outcome.metrics) if outcome.metrics else {},
        "ms": round(outcome.milliseconds, 3),
        "failure": None if outcome.failure is None else scrubber.field(outcome.failure.as_json()),
    }
    if outcome.updated_input is not None:
        record["updated_input"] = scrubber.field(outcome.updated_input)
    if outcome.exit_code is not None:
        record["exit"] = outcome.exit_code
    if outcome.would is not None:
        record["would"] = _would(scrubber, event, outcome.would)
    if outcome.timeline is not None and outcome.timeline.chunks:
        record["output"] = scrubber.field(_first_lines(outcome.timeline), OUTPUT_LIMIT)
    return record


def _first_lines(timeline: Timeline) -> list[list[object]]:
    """As much of a hook's output as could be written; the rest is not even split into lines."""
    kept: list[Chunk] = []
    left = 2 * OUTPUT_LIMIT
    for stream, seconds, data in timeline.chunks:
        kept.append((stream, seconds, data[:left]))
        left -= len(data)
        if left <= 0:
            break
    shown = timeline.replace(chunks=tuple(kept))
    return [[int(line.stream), line.text] for line in shown.lines]


_BESIDE = (
    "alternative",
    "stop",
    "stop_reason",
    "system_message",
    "suppress_output",
    "updated_input",
    "updated_output",
    "additional_context",
    "extra",
    "approved_by",
)
"""What a verdict may say beside its decision and the reason for that."""
_said_beside = attrgetter(*_BESIDE)


def _verdict(scrubber: Scrubber, event: Event, verdict: Verdict) -> Record:
    record: Record = {
        "decision": verdict.decision.word,
        "reason": verdict.reason and scrubber.text(verdict.reason),
        "rule": verdict.rule and scrubber.text(verdict.rule, 256),
        "hook": verdict.hook[:256],
    }
    beside = _said_beside(verdict)
    if any(beside):  # seldom
        said = zip(_BESIDE, beside, strict=True)
        record |= {name: scrubber.field(value) for name, value in said if value}
    if verdict.failures:
        record["failures"] = scrubber.field([failure.as_json() for failure in verdict.failures])
    if verdict.evidence:
        record["evidence"] = _evidence(scrubber, event, verdict.evidence)
    if verdict.would is not None:
        record["would"] = {**_would(scrubber, event, verdict.would), "hook": verdict.would.hook[:256]}
    return record


def _would(scrubber: Scrubber, event: Event, said: Outcome) -> Record:
    """What a hook in audit would have said."""
    record: Record = {
        "decision": said.decision.word,
        "reason": said.reason and scrubber.text(said.reason),
        "rule": said.rule and scrubber.text(said.rule, 256),
    }
    if said.evidence:
        record["evidence"] = _evidence(scrubber, event, said.evidence)
    if said.updated_input is not None:
        record["updated_input"] = scrubber.field(said.updated_input)
    return record


def _evidence(scrubber: Scrubber, event: Event, evidence: tuple[Evidence, ...]) -> list[Record]:
    """A source is left out where it is the command itself, and the offsets where they no longer hold."""
    command = _command(event)
    records: list[Record] = []
    for proof in evidence:
        record: Record = {"text": scrubber.text(proof.text)}
        source = scrubber.text(proof.source)
        if proof.source != command:
            record["source"] = source
        if source == proof.source:
            record["start"], record["end"] = proof.start, proof.end
        if proof.detail:
            record["detail"] = scrubber.text(proof.detail)
        records.append(record)
    return records


def _command(event: Event) -> str:
    tool_input = {} if event.tool is None else event.tool.input
    for key in COMMAND_KEYS:
        value = tool_input.get(key)
        if isinstance(value, str):
            return value
    return ""
