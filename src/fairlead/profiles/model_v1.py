"""The originals' own form of a model call for hooks, with all that it loses on the way.

A field that is absent stays absent, and null stays null: that is how JavaScript's undefined and null are
written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairlead.profiles.javascript import text_of, truthy
from fairlead.profiles.profile import Profile

DEFAULT_MODEL = "gemini-2.5-flash"
_CONFIG = ("temperature", "maxOutputTokens", "topP", "topK")
_ROLES = ("user", "model", "system")
_USAGE = ("promptTokenCount", "candidatesTokenCount", "totalTokenCount")

Record = dict[str, Any]


def _kept(held: Any, names: Sequence[str]) -> Record:
    return {name: held[name] for name in names if name in held} if isinstance(held, dict) else {}


def request_for_hooks(request: Record) -> Record:
    contents = request.get("contents")
    listed = contents if isinstance(contents, list) else [contents] if truthy(contents) else []
    messages = [message for content in listed if (message := _message(content)) is not None]
    config = _kept(request.get("config"), _CONFIG)
    return {"model": request.get("model") or DEFAULT_MODEL, "messages": messages, "config": config}


def _message(content: Any) -> Record | None:
    """A plain text is told even when it is empty; of an object only its texts are, if there are any."""
    if isinstance(content, str):
        return {"role": "user", "content": content}
    if not _is_content(content):
        return None
    text = "".join(_texts(content["parts"]))
    role = content["role"] if content["role"] in _ROLES else "user"
    return {"role": role, "content": text} if text else None


def _is_content(content: Any) -> bool:
    return isinstance(content, dict) and "role" in content and "parts" in content


def _texts(parts: Any) -> list[str]:
    return [part["text"] for part in (parts if isinstance(parts, list) else [parts]) if _has_text(part)]


def _has_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def apply_request(profile: Profile, base: Record, changed: Record) -> Record:
    """A hook's request put over the base. Raises TypeError where the originals throw one."""
    models = (changed.get("model"), base.get("model"), "")
    written = {**base, "model": next(model for model in models if model is not None)}
    if truthy(changed.get("messages")):
        written["contents"] = _contents(profile, base.get("contents"), changed["messages"])
    elif base.get("contents") is None:
        written["contents"] = []
    if truthy(changed.get("config")):
        written["config"] = _kept(changed["config"], _CONFIG)
    return written


def _contents(profile: Profile, held: Any, messages: Any) -> list[Any]:
    """What is no list is an error to who maps it, and to who counts it a list without messages."""
    if profile.rebuilds_contents or not truthy(held):
        if not isinstance(messages, list):
            raise TypeError("hookRequest.messages.map is not a function")
        return [_content(message) for message in messages]
    left = iter(messages if isinstance(messages, (list, str)) else [])
    merged = [_merged(content, left) for content in (held if isinstance(held, list) else [held])]
    return [*merged, *(_content(message) for message in left)]


def _merged(content: Any, messages: Iterator[Any]) -> Record:
    """An entry with the next message in the place of its texts; one without a text takes no message."""
    if not isinstance(content, str) and not _is_content(content):
        return {"role": "user", "parts": [content]}
    base = {"role": "user", "parts": [{"text": content}]} if isinstance(content, str) else content
    parts = _listed(base["parts"])
    if not any(_has_text(part) for part in parts) or (message := next(messages, _NONE)) is _NONE:
        return {**base, "parts": parts}
    if isinstance(content, str):
        return _content(message)
    rest = [part for part in parts if not _has_text(part)]
    spoken = {key: value for key, value in base.items() if key != "role"}
    return spoken | _content(message) | {"parts": [{"text": _said(message)}, *rest]}


_NONE = object()


def _listed(parts: Any) -> list[Any]:
    if parts is not None and not isinstance(parts, list):
        raise TypeError("parts.some is not a function")
    return parts or []


def _content(message: Any) -> Record:
    return {**_kept(message, ("role",)), "parts": [{"text": _said(message)}]}


def _said(message: Any) -> str:
    if message is None:
        raise TypeError("Cannot read properties of null (reading 'role')")
    held = message if isinstance(message, dict) else {}
    return text_of(held["content"]) if "content" in held else "undefined"


def response_for_hooks(response: Record) -> Record:
    candidates = response.get("candidates") or []
    shown: Record = {"candidates": [_candidate(candidate) for candidate in candidates]}
    usage = response.get("usageMetadata")
    if isinstance(usage, dict):
        shown["usageMetadata"] = _kept(usage, _USAGE)
    parts = _parts(candidates[0]) if candidates else []
    return ({"text": "".join(_spoken(parts))} if parts else {}) | shown


def _parts(candidate: Record) -> list[Any]:
    return (candidate.get("content") or {}).get("parts") or []


def _spoken(parts: list[Any]) -> list[str]:
    return [part["text"] for part in parts if _has_text(part) and not truthy(part.get("thought"))]


def _candidate(candidate: Record) -> Record:
    shown: Record = {"content": {"role": "model", "parts": _texts(_parts(candidate))}}
    shown |= _kept(candidate, ("finishReason", "index"))
    ratings = candidate.get("safetyRatings")
    if isinstance(ratings, list):
        shown["safetyRatings"] = [_rating(rating) for rating in ratings]
    return shown


def _rating(rating: Record) -> Record:
    said = {key: rating.get(key) for key in ("category", "probability")}
    return {key: text_of(value) if truthy(value) else "" for key, value in said.items()}


def response_from_hook(response: Record) -> Record:
    """Raises TypeError where the originals throw one."""
    candidates = response.get("candidates")
    if not isinstance(candidates, list):
        raise TypeError("Cannot read properties of undefined (reading 'map')")
    written: Record = {"candidates": [_from_candidate(candidate) for candidate in candidates]}
    return _kept(response, ("text",)) | written | _kept(response, ("usageMetadata",))


def _from_candidate(candidate: Any) -> Record:
    content = candidate.get("content") if isinstance(candidate, dict) else None
    if not isinstance(content, dict):
        raise TypeError("Cannot read properties of undefined (reading 'parts')")
    if not isinstance(content.get("parts"), list):
        raise TypeError("Cannot read properties of undefined (reading 'map')")
    written: Record = {"content": {"role": "model", "parts": [{"text": part} for part in content["parts"]]}}
    return written | _kept(candidate, ("finishReason", "index", "safetyRatings"))
