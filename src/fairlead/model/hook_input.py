"""The event as a hook outside this process sees it: JSON in the shape that Claude Code made common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, Outcome
from fairlead.model.tool_call import CANONICAL_NAMES

CLAUDE_AGENTS = frozenset({"claude", "claude-code"})
GEMINI_AGENTS = frozenset({"gemini", "gemini-cli", "llxprt", "llxprt-code"})

CLAUDE_NAMES = {
    EventName.BEFORE_TOOL: "PreToolUse",
    EventName.AFTER_TOOL: "PostToolUse",
    EventName.TOOL_FAILURE: "PostToolUseFailure",
    EventName.TOOL_BATCH: "PostToolBatch",
    EventName.TOOL_PERMISSION: "PermissionRequest",
    EventName.TOOL_DENIED: "PermissionDenied",
    EventName.BEFORE_AGENT: "UserPromptSubmit",
    EventName.AFTER_AGENT: "Stop",
    EventName.AGENT_FAILURE: "StopFailure",
    EventName.PROMPT_EXPANSION: "UserPromptExpansion",
    EventName.BEFORE_MODEL_SWITCH: "PreModelSwitch",
    EventName.AFTER_MODEL_SWITCH: "PostModelSwitch",
    EventName.PRE_COMPRESS: "PreCompact",
    EventName.POST_COMPRESS: "PostCompact",
    EventName.CWD_CHANGE: "CwdChanged",
    EventName.FILE_CHANGE: "FileChanged",
}
"""What Claude Code calls an event, where that is not our own name for it."""


def hook_input(event: Event, protocol: str = "auto") -> dict[str, object]:
    """What goes to a hook's stdin or to `process()`.

    An agent's payload reaches a hook that was written for that agent as it came; every other is put into
    Claude Code's shape, with what the agent sent beside it as `native`. In both, the call, the result and
    the prompt are the event's: a hook that runs after a rewrite sees what the rewrite made (law 1). Under
    the protocol `as-told` the payload is the whole input: whoever runs the hook has made it so.
    """
    if protocol == "as-told":
        return dict(event.payload)
    native = event.agent in (GEMINI_AGENTS if protocol == "gemini" else CLAUDE_AGENTS)
    shaped = dict(event.payload) if native else _shaped(event)
    if event.tool is not None:
        canonical = CANONICAL_NAMES.get(event.tool.kind, event.tool.name)
        shaped["tool_name"] = event.tool.name if native else canonical
        shaped["tool_input"] = dict(event.tool.input)
    if event.result is not None and event.result.output is not None:
        shaped["tool_response"] = event.result.output
    if event.prompt is not None:
        shaped["prompt"] = event.prompt
    if event.model_request is not None:
        shaped["llm_request"] = dict(event.model_request)
    if event.model_response is not None:
        shaped["llm_response"] = dict(event.model_response)
    return shaped


Reading = Callable[[Event], Mapping[str, object]]
"""What Fairlead reads in the call of an event, as plain JSON."""


def program_input(
    event: Event, hook: Hook, previous: Sequence[Outcome], reading: Reading | None
) -> dict[str, object]:
    """What a program or an endpoint is told: the event, and in `fairlead` what a Python file gets as
    arguments. One that was written for an agent is told what that agent tells it, and no more."""
    told = hook_input(event, hook.run.protocol)
    if hook.run.protocol in ("auto", "contract"):
        told["fairlead"] = {
            **(reading(event) if reading is not None else {}),
            "config": dict(hook.config),
            "previous_results": [told_outcome(outcome) for outcome in previous],
        }
    return told


def told_outcome(outcome: Outcome) -> dict[str, object]:
    """What a hook is told about one that ran before it."""
    return {
        "id": outcome.hook,
        "type": str(outcome.type),
        "decision": outcome.decision.word,
        "reason": outcome.reason,
        "metrics": dict(outcome.metrics),
        "updated_input": None if outcome.updated_input is None else dict(outcome.updated_input),
        "additional_context": outcome.additional_context,
        "system_message": outcome.system_message,
    }


def _shaped(event: Event) -> dict[str, object]:
    """The payload's fields, and over them those that a payload may not choose for itself."""
    return {
        **event.payload,
        "session_id": event.session,
        "transcript_path": event.transcript_path,
        "cwd": event.cwd,
        "hook_event_name": CLAUDE_NAMES.get(event.name, event.native_name or str(event.name)),
        "timestamp": event.timestamp,
        "agent": event.agent,
        "native": dict(event.payload),
    }
