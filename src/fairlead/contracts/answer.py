"""A hook's answer as an object: the words of Claude Code, of Gemini CLI and of our own middleware."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Hook, Outcome

_TOP: dict[str, type] = {
    "continue": bool,
    "stopReason": str,
    "decision": str,
    "reason": str,
    "systemMessage": str,
    "suppressOutput": bool,
    "hookSpecificOutput": dict,
    "metrics": dict,
    "updated_input": dict,
    "additional_context": str,
    "system_message": str,
}
_SPECIFIC: dict[str, type] = {
    "hookEventName": str,
    "permissionDecision": str,
    "permissionDecisionReason": str,
    "updatedInput": dict,
    "tool_input": dict,
    "additionalContext": str,
}
_READ_ELSEWHERE = frozenset({"updatedToolOutput", "updatedMCPToolOutput", "decision", *_SPECIFIC})
STOPPED = "the hook asked to stop"


def is_answer(said: Mapping[str, object]) -> bool:
    """Whether an object that a hook printed was meant for us, and is not a log record or the like."""
    return any(key in _TOP for key in said) or misspelt(said) is not None


def misspelt(said: Mapping[str, object]) -> tuple[str, str] | None:
    """A key that nobody knows and the one that was probably meant: a deny must not be lost to a typo."""
    unknown = [key for key in said if key not in _TOP]
    if not unknown or "decision" in said:
        return None
    from difflib import get_close_matches

    for key in unknown:
        meant = get_close_matches(key, ["decision", "hookSpecificOutput", "permissionDecision"], 1, 0.75)
        if meant:
            return key, meant[0]
    return None


def read_answer(hook: Hook, said: Mapping[str, object]) -> Outcome:
    """What the object says; words or types that make no sense are a failure, never a silent allow."""
    specific = said.get("hookSpecificOutput")
    specific = specific if isinstance(specific, Mapping) else {}
    wrong = _wrong_type(said, _TOP) or _wrong_type(specific, _SPECIFIC) or _unknown_key(said)
    if wrong:
        return misread(hook, wrong)
    decisions = [_spoken(said, "decision"), _permission(hook, specific), *_request_decision(hook, specific)]
    for decision in decisions:
        if isinstance(decision, str):
            return misread(hook, decision)
    decision = max(d for d in (*decisions, Decision.CONTINUE) if isinstance(d, Decision))
    stop = said.get("continue") is False
    return Outcome(
        decision=Decision.HALT if stop else decision,
        reason=_reason(said, specific),
        updated_input=_mapping(
            specific.get("updatedInput"), specific.get("tool_input"), said.get("updated_input")
        ),
        updated_output=_first(specific.get("updatedToolOutput"), specific.get("updatedMCPToolOutput")),
        additional_context=_text(specific.get("additionalContext"), said.get("additional_context")),
        system_message=_text(said.get("systemMessage"), said.get("system_message")),
        suppress_output=said.get("suppressOutput") is True,
        stop=stop or decision is Decision.HALT,
        stop_reason=_stop_reason(said, stop or decision is Decision.HALT),
        extra={key: value for key, value in specific.items() if key not in _READ_ELSEWHERE},
        metrics=_mapping(said.get("metrics")) or {},
    )


def misread(hook: Hook, message: str) -> Outcome:
    failure = Failure(
        Stage.INTERPRETATION,
        FailureCode.INTERPRETATION_FAILURE,
        message,
        {"hook": hook.id},
    )
    return Outcome(reason=failure.message, failure=failure)


def _wrong_type(said: Mapping[str, object], fields: Mapping[str, type]) -> str:
    for key, kind in fields.items():
        value = said.get(key)
        if value is not None and not isinstance(value, Mapping if kind is dict else kind):
            return f"{key!r} has to be {_KINDS[kind]}, not {value!r:.80}"
    return ""


_KINDS: dict[type, str] = {bool: "true or false", str: "a text", dict: "an object"}


def _unknown_key(said: Mapping[str, object]) -> str:
    typo = misspelt(said)
    return f"nobody knows the key {typo[0]!r}; {typo[1]!r} was probably meant" if typo else ""


def _spoken(said: Mapping[str, object], key: str) -> Decision | str | None:
    """The decision, or what is wrong with the word."""
    word = said.get(key)
    if word is None:
        return None
    if isinstance(word, str) and word in DECISION_WORDS:
        return DECISION_WORDS[word]
    return f"{word!r:.80} is not a decision; known words: {', '.join(DECISION_WORDS)}"


def _permission(hook: Hook, specific: Mapping[str, object]) -> Decision | str | None:
    """Claude Code's `allow` takes the human out of the loop, so it needs a hook that is declared to speak
    that protocol; from any other it is no objection (law 3). Its `defer` leaves the call to a person."""
    word = specific.get("permissionDecision")
    if word == "allow" and hook.run.protocol == "claude":
        return Decision.APPROVE
    if word == "defer":
        return Decision.ASK
    return _spoken(specific, "permissionDecision")


def _request_decision(hook: Hook, specific: Mapping[str, object]) -> list[Decision | str | None]:
    """The answer to a permission request: an object of its own."""
    said = specific.get("decision")
    if said is None:
        return []
    if not isinstance(said, Mapping):
        return [_spoken(specific, "decision")]
    if said.get("behavior") == "deny":
        return [Decision.HALT if said.get("interrupt") is True else Decision.BLOCK]
    if said.get("behavior") == "allow":
        return [Decision.APPROVE if hook.run.protocol == "claude" else Decision.ALLOW]
    return [f"{said.get('behavior')!r:.80} is not a behavior; known words: allow, deny"]


def _reason(said: Mapping[str, object], specific: Mapping[str, object]) -> str:
    request = specific.get("decision")
    message = request.get("message") if isinstance(request, Mapping) else None
    return _text(
        specific.get("permissionDecisionReason"), message, said.get("reason"), said.get("stopReason")
    )


def _stop_reason(said: Mapping[str, object], stops: bool) -> str:
    return _text(said.get("stopReason"), said.get("reason"), STOPPED) if stops else ""


def _first(*values: object) -> object:
    return next((value for value in values if value is not None), None)


def _text(*values: object) -> str:
    return next((value for value in values if isinstance(value, str) and value.strip()), "")


def _mapping(*values: object) -> Mapping[str, object] | None:
    return next((value for value in values if isinstance(value, Mapping)), None)
