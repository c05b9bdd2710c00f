"""Between our neutral form of a model call and the originals' own: hooks see theirs, the engine gets ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.profiles.javascript import text_of, truthy
from fairlead.profiles.model_v1 import (
    apply_request,
    request_for_hooks,
    response_for_hooks,
    response_from_hook,
)
from fairlead.profiles.profile import Profile

Record = dict[str, Any]

_ROLES = {"assistant": "model", "system": "system"}
_OURS = {"model": "assistant", "system": "system"}
_OPTIONS = {"temperature": "temperature", "max_tokens": "maxOutputTokens", "top_p": "topP", "top_k": "topK"}
_FORGOTTEN: Mapping[str, object] = {"system": None, "tools": [], "tool_choice": None}
"""What a changed config loses besides the options that it does not repeat."""


def shown_request(event: Event, previous: Sequence[Outcome]) -> Record:
    """From the caller's own request where that is the originals' and no hook has changed it since."""
    native = event.payload.get("llm_request")
    changed = any("llm_request" in outcome.extra for outcome in previous)
    if changed or not isinstance(native, Mapping) or not _is_sdk(native):
        return request_for_hooks(_native(event.model_request or {}))
    return request_for_hooks(dict(native))


def _is_sdk(native: Mapping[str, Any]) -> bool:
    """Whether it is spelled as the SDK of the originals spells it, which the wire does not."""
    return "contents" in native and not native.keys() & {"generationConfig", "systemInstruction", "tools"}


def _native(neutral: Mapping[str, Any]) -> Record:
    """As the SDK of the originals would spell it; what is no text is carried along under `part`, and by its
    id a message is known again."""
    options = neutral.get("options") or {}
    config = {name: options[ours] for ours, name in _OPTIONS.items() if ours in options}
    contents = [{"id": message.get("id"), **_content(message)} for message in neutral.get("messages") or ()]
    return {"model": neutral.get("model"), "contents": contents, "config": config}


def _content(message: Mapping[str, Any]) -> Record:
    parts = [_part(part) for part in message.get("content") or ()]
    return {"role": _ROLES.get(str(message.get("role")), "user"), "parts": parts}


def _part(part: Mapping[str, Any]) -> Record:
    if part.get("type") != "text":
        return {"part": part}
    return {"text": part.get("text"), **({"thought": True} if part.get("thought") else {})}


def changed_request(profile: Profile, event: Event, said: Mapping[str, Any]) -> Record:
    """The fields of the neutral request that a hook's request changes, as the original would apply it.

    Raises TypeError where the originals throw one.
    """
    neutral: Mapping[str, Any] = event.model_request or {}
    native = _native(neutral)
    written = apply_request(profile, native, dict(said))
    changed: Record = {} if said.get("model") is None else {"model": written["model"]}
    if truthy(said.get("messages")):
        before = {message.get("id"): message for message in neutral.get("messages") or ()}
        changed["messages"] = [_message(content, before) for content in written["contents"]]
    if truthy(said.get("config")):
        kept = written["config"]
        changed |= _FORGOTTEN
        forgotten = dict.fromkeys(neutral.get("options") or ())
        changed["options"] = forgotten | {ours: kept[name] for ours, name in _OPTIONS.items() if name in kept}
    return changed


def _message(content: Mapping[str, Any], known: Mapping[object, Mapping[str, Any]]) -> Record:
    """With the id of the message that stood there, by which its native parts are found again."""
    before = known.get(content.get("id"))
    if before is not None and content == {"id": before.get("id"), **_content(before)}:
        return dict(before)
    parts = [part.get("part") or {"type": "text", "text": part["text"]} for part in content["parts"]]
    role = str(content.get("role", ""))
    same = before is not None and _content(before)["role"] == role
    said = {"role": before["role"] if before and same else role and _OURS.get(role, "user"), "content": parts}
    return {"id": before["id"], **said} if before else said


def shown_response(event: Event, previous: Sequence[Outcome]) -> Record:
    """From the caller's own response where that is the originals' and no hook has changed it since."""
    native = event.payload.get("llm_response")
    changed = any("llm_response" in outcome.extra for outcome in previous)
    if changed or not isinstance(native, Mapping) or not isinstance(native.get("candidates"), list):
        return response_for_hooks(_native_response(event.model_response or {}))
    return dict(native) if _is_for_hooks(native) else response_for_hooks(dict(native))


def _is_for_hooks(native: Mapping[str, Any]) -> bool:
    """Whether its parts are plain texts: then an original has made it for hooks already."""
    contents = (candidate.get("content") or {} for candidate in native["candidates"])
    return any(isinstance(part, str) for content in contents for part in content.get("parts") or ())


def _native_response(neutral: Mapping[str, Any]) -> Record:
    finish = {"finishReason": neutral["finish_reason"]} if neutral.get("finish_reason") else {}
    candidates = [
        {"content": _content(message), "index": n, **finish}
        for n, message in enumerate(neutral.get("messages") or ())
    ]
    used = neutral.get("usage") or {}
    counts = {"promptTokenCount": used.get("input"), "candidatesTokenCount": used.get("output")}
    return {"candidates": candidates, **({"usageMetadata": counts} if used else {})}


def changed_response(said: Any) -> Record:
    """A hook's response in the neutral form. Raises TypeError where the originals throw one."""
    candidates = response_from_hook(dict(said) if isinstance(said, Mapping) else {})["candidates"]
    messages = [
        {
            "id": f"m{n}",
            "role": "assistant",
            "content": [
                {"type": "text", "text": text_of(part["text"])} for part in candidate["content"]["parts"]
            ],
        }
        for n, candidate in enumerate(candidates)
    ]
    finish = next((each["finishReason"] for each in candidates if "finishReason" in each), None)
    return {"messages": messages, **({"finish_reason": finish} if finish else {})}
