"""How the Acme agent spells events and verdicts: one JSON object in, one out."""

import json

from fairlead.plugins import (
    GATING,
    Decision,
    Event,
    EventName,
    PayloadError,
    Reply,
    ToolResult,
    Verdict,
    call_named,
)

EVENTS = {"before": EventName.BEFORE_TOOL, "after": EventName.AFTER_TOOL}
GATES = tuple(name for name, event in EVENTS.items() if event in GATING)


class AcmeDialect:
    name = "acme"

    def decode(self, raw, *, native_event, environment):
        try:
            payload = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise PayloadError(f"it is no JSON: {error}") from error
        if not isinstance(payload, dict) or not isinstance(payload.get("arguments", {}), dict):
            raise PayloadError("it is no object with arguments")
        native = native_event or str(payload.get("when"))
        tool = payload.get("tool")
        if not isinstance(tool, str):
            raise PayloadError("it names no tool")
        result = ToolResult(payload["answer"]) if "answer" in payload else None
        return Event(
            EVENTS.get(native, EventName.BEFORE_TOOL),
            native,
            self.name,
            session=str(payload.get("run", "")),
            cwd=str(payload.get("folder", "")),
            tool=call_named(tool, payload.get("arguments", {})),
            result=result,
            payload=payload,
            raw=raw,
        )

    def render(self, event, verdict):
        if verdict.decision.objects and event.native_name in GATES:
            word = "ask" if verdict.decision is Decision.ASK else "no"
            return Reply(0, json.dumps({"acme": word, "why": verdict.reason}).encode(), b"")
        if verdict.decision is Decision.APPROVE and event.native_name in GATES:
            return Reply(0, b'{"acme": "yes"}', b"")
        return Reply(0, b"", b"")

    def last_resort(self, native_event):
        event = Event(EVENTS.get(native_event, EventName.BEFORE_TOOL), native_event, self.name)
        refusal = Verdict(Decision.BLOCK, reason="nothing could answer")
        return self.render(event, refusal if native_event in GATES else Verdict())


DIALECT = AcmeDialect()
