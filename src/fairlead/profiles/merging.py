"""Many outputs of one event made into one, event by event as the originals do it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fairlead.model.value import Value
from fairlead.profiles.javascript import identity, spread, text_of, truthy
from fairlead.profiles.process import BLOCKING, is_blocking
from fairlead.profiles.profile import Profile

Output = dict[str, Any]

UNSAID = "No reason provided"
_DECISIVE = ("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart")
_REPLACING = ("BeforeModel", "AfterModel")
_FIELDS = (
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
    "decision",
    "reason",
    "hookSpecificOutput",
)
"""All that is left of an output; whatever else a hook said is forgotten."""


class Merged(Value):
    final: Output
    blocking: bool
    stop: bool
    effective_reason: Any
    clear_context: bool


def merge(profile: Profile, event: str, outputs: Sequence[Any]) -> Merged:
    said = [output for output in outputs if isinstance(output, dict)]
    final = {key: value for key, value in _final(profile, event, said).items() if key in _FIELDS}
    specific = _specific_of(final)
    return Merged(
        final,
        blocking=is_blocking(profile, event, final),
        stop=final.get("continue") is False,
        effective_reason=_effective_reason(profile, event, final),
        clear_context=event == "AfterAgent" and specific.get("clearContext") is True,
    )


def _specific_of(output: Output) -> Output:
    specific = output.get("hookSpecificOutput")
    return specific if isinstance(specific, dict) else {}


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
    return final | ({} if specific is None else {"hookSpecificOutput": specific})


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


def _specific(outputs: Sequence[Output]) -> Output | None:
    """Later keys win, but contexts add up, and a cleared context stays cleared. None when nobody has one."""
    merged: Output = {}
    contexts: list[str] = []
    said = [output.get("hookSpecificOutput") for output in outputs]
    objects = [spread(each) for each in said if isinstance(each, (dict, list))]
    if not objects:
        return None
    for specific in objects:
        cleared = merged.get("clearContext") is True or specific.get("clearContext") is True
        merged |= {key: value for key, value in specific.items() if key != "clearContext"}
        merged |= {"clearContext": True} if cleared else {}
        if isinstance(context := specific.get("additionalContext"), str):
            contexts.append(context)
    return merged | ({"additionalContext": "\n".join(contexts)} if contexts else {})


def _by_replacement(outputs: Sequence[Output]) -> Output:
    final: Output = {}
    specific: Output = {}
    for output in outputs:
        final |= {key: value for key, value in output.items() if key != "hookSpecificOutput"}
        specific |= spread(output.get("hookSpecificOutput"))
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
    config = _specific_of(output).get("toolConfig")
    return config if isinstance(config, dict) else {}


def _sorted(names: Iterable[Any]) -> list[Any]:
    """Each once, by UTF-16 code units, as JavaScript sorts."""
    once = {identity(name): name for name in names}
    return sorted(once.values(), key=lambda name: text_of(name).encode("utf-16-be", "surrogatepass"))


def _effective_reason(profile: Profile, event: str, final: Output) -> Any:
    """Mostly a text; the originals hand on whatever a hook gave."""
    stop, reason = final.get("stopReason"), final.get("reason")
    if not profile.reads_permission_decision:
        return next((said for said in (stop, reason) if truthy(said)), UNSAID)
    permission = _specific_of(final).get("permissionDecisionReason")
    if event == "BeforeTool" and isinstance(permission, str):
        return permission
    return next((said for said in (stop, reason) if said is not None), UNSAID)
