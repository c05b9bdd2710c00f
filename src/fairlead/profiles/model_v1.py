"""The originals' own form of a model call for hooks, with all that it loses on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairlead.profiles.javascript import text_of
from fairlead.profiles.profile import Profile

DEFAULT_MODEL = "gemini-2.5-flash"
_CONFIG = ("temperature", "maxOutputTokens", "topP", "topK")
_ROLES = ("user", "model", "system")
_USAGE = ("promptTokenCount", "candidatesTokenCount", "totalTokenCount")

Record = dict[str, Any]


def request_for_hooks(request: Record) -> Record:
    contents = request.get("contents")
    listed = contents if isinstance(contents, list) else [] if contents is None else [contents]
    messages = [message for content in listed if (message := _message(content)) is not None]
    config = request.get("config")
    held = config if isinstance(config, dict) else {}
    kept = {key: held[key] for key in _CONFIG if held.get(key) is not None}
    return {"model": request.get("model") or DEFAULT_MODEL, "messages": messages, "config": kept}


def _message(content: Any) -> Record | None:
    if isinstance(content, str):
        return {"role": "user", "content": content} if content else None
    if not isinstance(content, dict) or "role" not in content or "parts" not in content:
        return None
    text = "".join(_texts(content["parts"]))
    if not text:
        return None
    return {"role": content["role"] if content["role"] in _ROLES else "user", "content": text}


def _parts(parts: Any) -> Sequence[Any]:
    return parts if isinstance(parts, list) else [parts]


def _texts(parts: Any) -> list[str]:
    return [part["text"] for part in _parts(parts) if _has_text(part)]


def _has_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def apply_request(profile: Profile, base: Record, changed: Record) -> Record:
    """A hook's request put over the base."""
    model = changed.get("model") or base.get("model")
    written = {**base, **({} if model is None else {"model": model})}
    messages = changed.get("messages")
    if isinstance(messages, list):
        written["contents"] = _contents(profile, base, messages)
    if isinstance(changed.get("config"), dict):
        given = changed["config"]
        written["config"] = {key: given[key] for key in _CONFIG if given.get(key) is not None}
    return written


def _contents(profile: Profile, base: Record, messages: list[Any]) -> list[Any]:
    held = base.get("contents")
    before = held if isinstance(held, list) else [] if held is None else [held]
    if profile.rebuilds_contents:
        return [_content(message) for message in messages]
    merged = [_over(message, before[n] if n < len(before) else None) for n, message in enumerate(messages)]
    return [*merged, *before[len(messages) :]]


def _content(message: Any) -> Record:
    return {"role": message.get("role"), "parts": [{"text": text_of(message.get("content"))}]}


def _over(message: Any, content: Any) -> Record:
    """By position: the first text is replaced, further texts go, the rest stays behind it."""
    if not isinstance(content, dict):
        return _content(message)
    rest = [part for part in _parts(content.get("parts") or []) if not _has_text(part)]
    return {"role": message.get("role"), "parts": [{"text": text_of(message.get("content"))}, *rest]}


def response_for_hooks(response: Record) -> Record:
    candidates = response.get("candidates") or []
    shown: Record = {"candidates": [_candidate(candidate) for candidate in candidates]}
    text = "".join(_spoken(candidates[0])) if candidates else ""
    usage = response.get("usageMetadata")
    if isinstance(usage, dict):
        shown["usageMetadata"] = {key: usage[key] for key in _USAGE if key in usage}
    return ({"text": text} if text else {}) | shown


def _spoken(candidate: Record) -> list[str]:
    parts = (candidate.get("content") or {}).get("parts") or []
    return [part["text"] for part in parts if _has_text(part) and not part.get("thought")]


def _candidate(candidate: Record) -> Record:
    parts = (candidate.get("content") or {}).get("parts") or []
    shown: Record = {"content": {"role": "model", "parts": _texts(parts)}}
    shown |= {key: candidate[key] for key in ("finishReason", "index") if candidate.get(key) is not None}
    ratings = candidate.get("safetyRatings")
    if isinstance(ratings, list):
        shown["safetyRatings"] = [
            {key: rating.get(key) for key in ("category", "probability")} for rating in ratings
        ]
    return shown


def response_from_hook(response: Record) -> Record:
    """Raises TypeError where the originals throw one."""
    candidates = response.get("candidates")
    if not isinstance(candidates, list):
        raise TypeError("Cannot read properties of undefined (reading 'map')")
    written: Record = {"candidates": [_from_candidate(candidate) for candidate in candidates]}
    if response.get("text") is not None:
        written["text"] = response["text"]
    if response.get("usageMetadata") is not None:
        written["usageMetadata"] = response["usageMetadata"]
    return written


def _from_candidate(candidate: Record) -> Record:
    content = candidate.get("content")
    if not isinstance(content, dict):
        raise TypeError("Cannot read properties of undefined (reading 'parts')")
    if not isinstance(content.get("parts"), list):
        raise TypeError("Cannot read properties of undefined (reading 'map')")
    written: Record = {"content": {"role": "model", "parts": [{"text": part} for part in content["parts"]]}}
    kept = ("finishReason", "index", "safetyRatings")
    return written | {key: candidate[key] for key in kept if candidate.get(key) is not None}
