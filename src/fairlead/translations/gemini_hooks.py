"""What Gemini CLI and llxprt tell hooks of a model call: texts and four options, and nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.model.model_call import Native
from fairlead.translations.gemini import OPTIONS, finish_reason, write_finish_reason
from fairlead.translations.mirror import (
    Api,
    Messages,
    Pair,
    Section,
    field,
    options,
    part_text,
    unwritable,
    usage,
    with_field,
)

_ROLES = {"user": "user", "model": "assistant", "system": "system"}


def _request_messages(native: Native) -> Messages:
    return Messages(native["messages"], lambda whole, items: with_field(whole, "messages", items))


def _response_messages(native: Native) -> Messages:
    """Of each candidate the content, whose parts are plain texts."""
    candidates = native.get("candidates") or []

    def put(whole: Native, items: list[Any]) -> Native:
        if len(items) != len(candidates):
            raise ValueError("a candidate can be emptied, but neither added nor taken away")
        put_back = [{**each, "content": item} for each, item in zip(candidates, items, strict=True)]
        written = {**whole, "candidates": put_back}
        if "text" not in whole:
            return written
        return {**written, "text": "".join(put_back[0]["content"].get("parts") or ()) if put_back else ""}

    return Messages([each.get("content") or {} for each in candidates], put)


def _role(message: Any) -> str:
    return _ROLES.get(str(message.get("role", "user")), "other")


def _split(message: Any) -> list[Pair]:
    """A message of a request holds one text, a candidate of a response a list of them."""
    held = message.get("content", message.get("parts") or [])
    texts = held if isinstance(held, list) else [held]
    return [({"type": "text", "text": text if isinstance(text, str) else str(text)}, text) for text in texts]


def _join(message: Any, role: str, parts: Sequence[Pair]) -> Any:
    for part, _ in parts:
        if part.get("type") != "text":
            raise unwritable(part, "gemini_hooks")
    texts = [part_text(part) for part, _ in parts]
    if isinstance(message, Mapping) and "content" not in message:
        return {**message, "parts": texts}
    base = message if message is not None else {"role": {"assistant": "model"}.get(role, role)}
    return {**base, "content": "".join(texts)}


def _tool_config(native: Native) -> dict[str, Any] | None:
    held = native.get("toolConfig")
    if not isinstance(held, Mapping):
        return None
    return {
        "mode": str(held.get("mode", "AUTO")).lower(),
        "names": list(held.get("allowedFunctionNames") or ()),
    }


def _write_tool_config(native: Native, choice: Mapping[str, Any] | None) -> Native:
    if choice is None:
        return with_field(native, "toolConfig", None)
    mode = {"mode": str(choice.get("mode", "auto")).upper()}
    names = {"allowedFunctionNames": list(choice["names"])} if choice.get("names") else {}
    return with_field(native, "toolConfig", {**mode, **names})


def _nothing(empty: Any) -> Section:
    """What hooks of these agents are not told, and so cannot change."""

    def write(native: Native, value: object) -> Native:
        if value == empty or not value:
            return native
        raise ValueError("these agents take neither a system instruction nor tools from a hook")

    return Section(lambda native: empty, write)


API = Api(
    "gemini_hooks",
    _request_messages,
    _response_messages,
    _role,
    _split,
    _join,
    request_sections={
        "model": field("model"),
        "system": _nothing(None),
        "tools": _nothing([]),
        "tool_choice": Section(_tool_config, _write_tool_config),
        "options": options(OPTIONS, "config"),
    },
    response_sections={
        "finish_reason": Section(finish_reason, write_finish_reason),
        "usage": usage("usageMetadata", "promptTokenCount", "candidatesTokenCount"),
    },
)
