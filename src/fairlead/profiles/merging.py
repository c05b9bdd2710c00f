"""Many outputs of one event made into one, event by event as the originals do it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fairlead.model.value import Value
from fairlead.profiles.javascript import text_of, truthy
from fairlead.profiles.process import BLOCKING, is_blocking
from fairlead.profiles.profile import Profile

Output = dict[str, Any]

UNSAID = "No reason provided"
_DECISIVE = ("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart")
_REPLACING = ("BeforeModel", "AfterModel")


class Merged(Value):
    final: Output
    blocking: bool
    stop: bool
    effective_reason: Any
    clear_context: bool


def merge(profile: Profile, event: str, outputs: Sequence[Any]) -> Merged:
    said = [output for output in outputs if isinstance(output, dict)]
    final = _final(profile, event, said)
    specific = final.get("hookSpecificOutput") or {}
    return Merged(
        final,
        blocking=is_blocking(profile, event, final),
        stop=final.get("continue") is False,
        effective_reason=_effective_reason(profile, event, final),
        clear_context=specific.get("clearContext") is True,
    )


def _final(profile: Profile, event: str, outputs: Sequence[Output]) -> Output:
    if event in _DECISIVE:
        return _by_decision(profile, outputs)
    if event in _REPLACING:
        return _by_replacement(outputs)
    if event == "BeforeToolSelection":
        return _by_selection(profile, outputs)
    return {key: value for output in outputs for key, value in output.items()}


def _by_decision(profile: Profile, outputs: Sequence[Output]) -> Output:
    stopping = [output for output in outputs if output.get("continue") is False]
    suppress = [output.get("suppressOutput") for output in outputs]
    final: Output = {
        "continue": not stopping,
        "suppressOutput": any(
            value is True if profile.only_true_suppresses else truthy(value) for value in suppress
        ),
    }
    decision = _decision(profile, outputs, stops=bool(stopping))
    specific = _specific(outputs)
    texts = {
        "stopReason": _joined(stopping, "stopReason"),
        "reason": _joined(outputs, "reason"),
        "systemMessage": _joined(outputs, "systemMessage"),
    }
    final |= {"decision": decision} if decision else {}
    final |= {key: text for key, text in texts.items() if text is not None}
    return final | ({"hookSpecificOutput": specific} if specific else {})


def _decision(profile: Profile, outputs: Sequence[Output], *, stops: bool) -> str:
    decisions = [output.get("decision") for output in outputs]
    blocking = [str(decision) for decision in decisions if decision in BLOCKING]
    if blocking:
        return blocking[-1]
    if profile.knows_ask and "ask" in decisions:
        return "ask"
    return "" if stops else "allow"


def _joined(outputs: Iterable[Output], key: str) -> str | None:
    """None when nobody says it."""
    said = [text_of(output[key]) for output in outputs if truthy(output.get(key))]
    return "\n".join(said) if said else None


def _specific(outputs: Sequence[Output]) -> Output:
    """Later keys win, but contexts add up, and a cleared context stays cleared."""
    merged: Output = {}
    contexts: list[str] = []
    for output in outputs:
        specific = output.get("hookSpecificOutput")
        if not isinstance(specific, dict):
            continue
        cleared = merged.get("clearContext") is True or specific.get("clearContext") is True
        merged |= {key: value for key, value in specific.items() if key != "clearContext"}
        merged |= {"clearContext": True} if cleared else {}
        if isinstance(specific.get("additionalContext"), str):
            contexts.append(specific["additionalContext"])
    return merged | ({"additionalContext": "\n".join(contexts)} if contexts else {})


def _by_replacement(outputs: Sequence[Output]) -> Output:
    final: Output = {}
    specific: Output = {}
    for output in outputs:
        final |= {key: value for key, value in output.items() if key != "hookSpecificOutput"}
        specific |= output["hookSpecificOutput"] if isinstance(output.get("hookSpecificOutput"), dict) else {}
    return final | {"hookSpecificOutput": specific}


def _by_selection(profile: Profile, outputs: Sequence[Output]) -> Output:
    configs = [_tool_config(output) for output in outputs]
    modes = [config.get("mode") for config in configs]
    mode = next((mode for mode in ("NONE", "ANY") if mode in modes), "AUTO")
    config: Output = {"mode": mode}
    lists = [config.get("allowedFunctionNames") for config in configs]
    if profile.selections_intersect:
        given = [names for names in lists if isinstance(names, list)]
        if given:
            common = [name for name in given[0] if all(name in names for names in given)]
            config["allowedFunctionNames"] = _sorted(common)
    else:
        every = [name for names in lists if isinstance(names, (list, str)) for name in names]
        config["allowedFunctionNames"] = [] if mode == "NONE" else _sorted(every)
    return {"hookSpecificOutput": {"hookEventName": "BeforeToolSelection", "toolConfig": config}}


def _tool_config(output: Output) -> Output:
    specific = output.get("hookSpecificOutput")
    config = specific.get("toolConfig") if isinstance(specific, dict) else None
    return config if isinstance(config, dict) else {}


def _sorted(names: Iterable[Any]) -> list[Any]:
    """Each once, by UTF-16 code units, as JavaScript sorts."""
    once: list[Any] = []
    for name in names:
        if name not in once:
            once.append(name)
    return sorted(once, key=lambda name: text_of(name).encode("utf-16-be", "surrogatepass"))


def _effective_reason(profile: Profile, event: str, final: Output) -> Any:
    """Mostly a text; the originals hand on whatever a hook gave."""
    specific = final.get("hookSpecificOutput") or {}
    stop, reason = final.get("stopReason"), final.get("reason")
    if not profile.reads_permission_decision:
        return next((said for said in (stop, reason) if truthy(said)), UNSAID)
    permission = specific.get("permissionDecisionReason")
    if event == "BeforeTool" and truthy(permission):
        return permission
    return next((said for said in (stop, reason) if said is not None), UNSAID)
