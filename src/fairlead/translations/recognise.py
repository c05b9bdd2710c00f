"""Which API a model request is written for, told by its shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from fairlead.model.model_call import Native
from fairlead.translations.mirror import Api

APIS = ("gemini", "openai_chat", "openai_responses", "anthropic")
HOOK_FORMS = ("gemini_hooks",)
"""What is no API, but what an agent tells hooks of one."""
_ANTHROPIC_BLOCKS = ("tool_use", "tool_result", "thinking", "document")


def api_named(name: str) -> Api:
    """Each is imported when it is first needed."""
    if name not in (*APIS, *HOOK_FORMS):
        raise ValueError(f"no model API is called {name!r}; known: {', '.join(APIS)}")
    api: Api = import_module(f"fairlead.translations.{name}").API
    return api


def recognise(request: Mapping[str, Any]) -> Api:
    """Raises ValueError for what looks like none of them."""
    if "contents" in request:
        return api_named("gemini")
    if "messages" in request and isinstance(request.get("config"), Mapping):
        return api_named("gemini_hooks")
    if "messages" in request:
        return api_named("anthropic" if _is_anthropic(request) else "openai_chat")
    if "input" in request:
        return api_named("openai_responses")
    raise ValueError("the request has neither contents, nor messages, nor input")


def _is_anthropic(request: Mapping[str, Any]) -> bool:
    if any(isinstance(tool, Mapping) and "input_schema" in tool for tool in request.get("tools") or ()):
        return True
    if "system" in request or "anthropic_version" in request or "stop_sequences" in request:
        return True
    return any(block.get("type") in _ANTHROPIC_BLOCKS or "source" in block for block in _blocks(request))


def _blocks(request: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    messages = request.get("messages")
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content") if isinstance(message, Mapping) else None
        yield from (block for block in content or () if isinstance(block, Mapping))


SKELETONS: Mapping[str, Native] = {
    "gemini": {"candidates": [{"content": {"role": "model"}, "finishReason": "STOP", "index": 0}]},
    "gemini_hooks": {
        "candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "STOP", "index": 0}]
    },
    "openai_chat": {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant"}, "finish_reason": "stop"}],
    },
    "openai_responses": {"object": "response", "status": "completed", "output": []},
    "anthropic": {"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn"},
}
"""A response with nothing in it, for a hook that answers in the model's place."""
