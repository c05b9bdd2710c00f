"""What the original would make of its hooks' outputs, as one outcome for our engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.profiles.javascript import as_json, text_of, truthy
from fairlead.profiles.merging import Merged, merge
from fairlead.profiles.neutral import changed_request, changed_response
from fairlead.profiles.process import is_blocking
from fairlead.profiles.profile import Profile

_HEEDED = frozenset(
    {
        EventName.BEFORE_TOOL,
        EventName.AFTER_TOOL,
        EventName.BEFORE_AGENT,
        EventName.AFTER_AGENT,
        EventName.BEFORE_MODEL,
        EventName.AFTER_MODEL,
    }
)
"""Where the originals heed a deny or a stop; elsewhere it changes nothing."""

Changes = dict[str, dict[str, Any]]

_HANDED_ON = ("toolConfig", "tailToolCallRequest", "llm_request_boundary")


def merged_outcome(profile: Profile, event: Event, outputs: Sequence[Any]) -> Outcome:
    """An allow is no objection and no more: it lifts nothing that another hook or the policy says."""
    merged = merge(profile, str(event.name), outputs)
    final, specific = merged.final, _mapping(as_json(merged.final.get("hookSpecificOutput")))
    model: Changes = {}
    ignored: dict[str, object] = {}
    try:
        model = _model(profile, event, merged, specific)
    except TypeError as error:
        ignored = {"ignored": f"its model call cannot be used: {error}"}
        if event.name is EventName.BEFORE_MODEL:  # the original throws, and goes on as if nothing were said
            return Outcome(metrics=ignored)
    decision = _decision(profile, event, merged)
    rewrite = specific.get("tool_input") if event.name is EventName.BEFORE_TOOL else None
    return Outcome(
        decision=decision,
        reason=text_of(merged.effective_reason) if decision.objects else "",
        updated_input=rewrite if isinstance(rewrite, dict) else None,
        additional_context=_text(specific.get("additionalContext")),
        system_message=_text(final.get("systemMessage")),
        suppress_output=bool(final.get("suppressOutput")),
        stop=merged.stop and event.name in _HEEDED,
        stop_reason=text_of(merged.effective_reason) if merged.stop else "",
        extra={
            **{key: specific[key] for key in _HANDED_ON if specific.get(key)},
            **({"clearContext": True} if merged.clear_context else {}),
            **model,
        },
        metrics=ignored,
    )


def speaker(profile: Profile, event: Event, outputs: Sequence[Any]) -> int:
    """Whose output the answer is, where several were merged: the last that blocks, the first that stops."""
    said = [output if isinstance(output, dict) else {} for output in outputs]
    blocking = [n for n, output in enumerate(said) if is_blocking(profile, str(event.name), output)]
    stopping = [n for n, output in enumerate(said) if output.get("continue") is False]
    speaking = [n for n, output in enumerate(outputs) if output is not None]
    return next((place for place in (blocking[-1:], stopping[:1], speaking[-1:]) if place), [0])[0]


def _decision(profile: Profile, event: Event, merged: Merged) -> Decision:
    if event.name not in _HEEDED:
        return Decision.CONTINUE
    if merged.blocking:
        return Decision.BLOCK
    if merged.stop:
        return Decision.HALT
    asks = profile.knows_ask and event.name is EventName.BEFORE_TOOL and merged.final.get("decision") == "ask"
    return Decision.ASK if asks else Decision.CONTINUE


def _model(profile: Profile, event: Event, merged: Merged, specific: Mapping[str, Any]) -> Changes:
    """A request is changed before the model; a response counts after it, or in the place of a denied call."""
    request, response = specific.get("llm_request"), specific.get("llm_response")
    if merged.stop:
        return {}
    if event.name is EventName.BEFORE_MODEL and merged.blocking:
        return {"llm_response": changed_response(response)} if truthy(response) else {}
    if event.name is EventName.BEFORE_MODEL and truthy(request):
        return {"llm_request": changed_request(profile, event, _mapping(request))}
    if event.name is EventName.AFTER_MODEL and not merged.blocking and truthy(response):
        return {"llm_response": changed_response(_with_content(profile, response))}
    return {}


def _with_content(profile: Profile, response: Any) -> Any:
    """After the model a response without content is no response; to one of the two, neither is one without
    parts."""
    candidates = _mapping(response).get("candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    content = _mapping(first).get("content")
    parts = _mapping(content).get("parts")
    if not truthy(content) or (profile.wants_parts and not parts):
        raise TypeError("it has no content")
    return response


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
