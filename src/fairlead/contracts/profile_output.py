"""A program's answer, read as the agent that it was written for would read it: a hook's own choice."""

from __future__ import annotations

from typing import Any

from fairlead.contracts.answer import misread
from fairlead.contracts.profiles.process import before_tool_verdict, read_process
from fairlead.contracts.profiles.profile import PROFILES
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.timeline import Stream

_DECISIONS = {
    "block": Decision.BLOCK,
    "stop": Decision.HALT,
    "ask": Decision.ASK,
    "proceed": Decision.ALLOW,
    "none": Decision.CONTINUE,
}


class ProfileOutput:
    """Fails open where the original does; that the hook asked for this is in its metrics."""

    def read(self, hook: Hook, event: Event, capture: Capture) -> Outcome:
        profile = PROFILES.get(hook.run.profile)
        if profile is None:
            return misread(hook, f"there is no profile {hook.run.profile!r}; known: {', '.join(PROFILES)}")
        stdout, stderr = (
            capture.timeline.text(stream) if capture.timeline else ""
            for stream in (Stream.STDOUT, Stream.STDERR)
        )
        code = capture.exit_code or 0
        result = read_process(profile, stdout, stderr, max(code, 0), killed=code < 0)
        fields = result.output if isinstance(result.output, dict) else {}
        decision = _DECISIONS[before_tool_verdict(profile, result.output)]
        return _outcome(fields, decision, profile.name)


def _outcome(fields: dict[str, Any], decision: Decision, profile: str) -> Outcome:
    specific = fields.get("hookSpecificOutput")
    specific = specific if isinstance(specific, dict) else {}
    rewrite = specific.get("tool_input")
    return Outcome(
        decision=decision,
        reason=_text(fields.get("stopReason")) or _text(fields.get("reason")),
        updated_input=rewrite if isinstance(rewrite, dict) else None,
        additional_context=_text(specific.get("additionalContext")),
        system_message=_text(fields.get("systemMessage")),
        suppress_output=bool(fields.get("suppressOutput")),
        stop=decision is Decision.HALT,
        extra={
            key: specific[key] for key in ("llm_request", "llm_response", "toolConfig") if key in specific
        },
        metrics={"profile": profile},
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
