"""One event of an OpenAI Responses stream as messages: pieces of text, and the whole that repeats them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairlead.model.model_call import Native
from fairlead.translations.mirror import Messages

_PIECES = {".delta": ("delta",), ".done": ("text", "arguments", "refusal", "input")}
_ARGUMENTS = ("_arguments.", "_call_input.")


def stream_messages(native: Native) -> Messages:
    """Who redacts a text has to see it wherever the stream says it: piece by piece, and again at the end."""
    whole = native.get("response")
    if isinstance(whole, Mapping) and isinstance(whole.get("output"), list):
        return Messages(
            whole["output"],
            lambda event, items: {**event, "response": {**event["response"], "output": items}},
        )
    if isinstance(native.get("item"), Mapping):
        return _single(native["item"], lambda event, item: {**event, "item": item})
    if isinstance(native.get("part"), Mapping):
        message = {"type": "message", "role": "assistant", "content": [native["part"]]}
        return _single(message, lambda event, item: {**event, "part": _only(item["content"])})
    return _piece(native)


def _piece(native: Native) -> Messages:
    kind = str(native.get("type", ""))
    keys = next((keys for ending, keys in _PIECES.items() if kind.endswith(ending)), ())
    key = next((key for key in keys if isinstance(native.get(key), str)), None)
    if key is None:
        return Messages((), lambda event, items: event)
    if any(word in kind for word in _ARGUMENTS):
        call = {"type": "function_call", "call_id": native.get("item_id"), "arguments": native[key]}
        return _single(call, lambda event, item: {**event, key: item["arguments"]})
    return _single(native[key], lambda event, item: {**event, key: _text(item)})


def _single(item: Any, put: Callable[[Native, Any], Native]) -> Messages:
    return Messages([item], lambda event, items: put(event, _only(items)))


def _only(items: list[Any]) -> Any:
    if len(items) != 1:
        raise ValueError("an event of a stream carries one piece, no more and no less")
    return items[0]


def _text(item: Any) -> str:
    if not isinstance(item, str):
        raise ValueError("a piece of text stays a piece of text")
    return item
