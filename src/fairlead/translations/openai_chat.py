"""OpenAI Chat Completions, and whatever else has `messages` with a role and a content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.model.model_call import Native, Part
from fairlead.translations.mirror import (
    Api,
    Messages,
    Pair,
    Section,
    arguments_of,
    arguments_text,
    field,
    given,
    image,
    options,
    other,
    part_text,
    same,
    tools,
    unwritable,
    usage,
    with_field,
)

_SYSTEM = ("system", "developer")
_ROLES = {"user": "user", "assistant": "assistant", "model": "assistant", "tool": "tool", "function": "tool"}
_MODES = {"auto": "auto", "none": "none", "required": "any"}
_TEXTS = ("text", "input_text", "output_text")


def _first_is_system(native: Native) -> bool:
    messages = native.get("messages") or [{}]
    return messages[0].get("role") in _SYSTEM and isinstance(messages[0].get("content"), str)


def _request_messages(native: Native) -> Messages:
    """Without the leading system message, which the neutral form holds apart."""
    messages = native.get("messages", [])
    first = messages[:1] if _first_is_system(native) else []
    return Messages(
        messages[len(first) :], lambda whole, items: with_field(whole, "messages", [*first, *items])
    )


def _response_messages(native: Native) -> Messages:
    """Of each choice the message, or in a stream the delta."""
    choices = native.get("choices") or []
    key = "delta" if any("delta" in choice for choice in choices) else "message"

    def put(whole: Native, items: list[Any]) -> Native:
        if len(items) != len(choices):
            raise ValueError("a choice can be emptied, but neither added nor taken away")
        put_back = [{**choice, key: item} for choice, item in zip(choices, items, strict=True)]
        return {**whole, "choices": put_back}

    return Messages([choice.get(key) or {} for choice in choices], put)


def _role(message: Any) -> str:
    role = str(message.get("role", "assistant"))
    return "system" if role in _SYSTEM else _ROLES.get(role, "other")


def _split(message: Any) -> list[Pair]:
    if _role(message) == "tool":
        return [(_tool_result(message), message)]
    content = message.get("content")
    pairs: list[Pair] = []
    if isinstance(content, str):
        pairs.append(({"type": "text", "text": content}, content))
    elif isinstance(content, list):
        pairs += [(_read(block), block) for block in content]
    return pairs + [(_tool_call(call), call) for call in message.get("tool_calls") or ()]


def _join(message: Any, role: str, parts: Sequence[Pair]) -> Any:
    base = dict(message) if message is not None else {"role": "tool" if role == "tool" else role}
    if role == "tool":
        return _with_result(base, parts)
    calls = [_write_call(part, native) for part, native in parts if part.get("type") == "tool_call"]
    texts = [(part, native) for part, native in parts if part.get("type") != "tool_call"]
    if calls or "tool_calls" in base:
        base = with_field(base, "tool_calls", calls or None)
    if not texts and "content" in base:
        return {**base, "content": [] if isinstance(base["content"], list) else None}
    if len(texts) == 1 and texts[0][0].get("type") == "text" and not isinstance(base.get("content"), list):
        return {**base, "content": part_text(texts[0][0])}
    return {**base, "content": [_write(part, native) for part, native in texts]} if texts else base


def _tool_result(message: Mapping[str, Any]) -> Part:
    said = {"name": message.get("name"), "content": message.get("content")}
    return {"type": "tool_result", "call": message.get("tool_call_id"), **said}


def _with_result(base: dict[str, Any], parts: Sequence[Pair]) -> Any:
    if len(parts) != 1 or parts[0][0].get("type") != "tool_result":
        raise ValueError("a tool's message has one part, its result")
    part = parts[0][0]
    said = given(tool_call_id=part.get("call"), name=part.get("name"))
    return {**base, **said, "content": part.get("content")}


def _read(block: Any) -> Part:
    if isinstance(block, str):
        return {"type": "text", "text": block}
    kind = str(block.get("type", "")) if isinstance(block, Mapping) else ""
    if kind in _TEXTS:
        return {"type": "text", "text": block.get("text", "")}
    return image(kind) if "image" in kind else other(kind)


def _write(part: Part, native: Any) -> Any:
    if native is not None and (part.get("type") != "text" or same(part, _read(native))):
        return native
    if part.get("type") != "text":
        raise unwritable(part, "openai_chat")
    if isinstance(native, Mapping):
        return {**native, "text": part_text(part)}
    return {"type": "text", "text": part_text(part)}


def _tool_call(call: Any) -> Part:
    function = call.get("function") or {}
    said = {"name": function.get("name"), "arguments": arguments_of(function.get("arguments"))}
    return {"type": "tool_call", "call": call.get("id"), **said}


def _write_call(part: Part, native: Any) -> Any:
    if native is not None and same(part, _tool_call(native)):
        return native
    base = native or {"type": "function"}
    function = {**(base.get("function") or {}), **given(name=part.get("name"))}
    function["arguments"] = arguments_text(part.get("arguments") or {})
    return {**base, **given(id=part.get("call")), "function": function}


def _read_system(native: Native) -> str | None:
    return str(native["messages"][0]["content"]) if _first_is_system(native) else None


def _write_system(native: Native, text: str | None) -> Native:
    messages = native.get("messages", [])
    if _first_is_system(native):
        first = [] if text is None else [{**messages[0], "content": text}]
        return with_field(native, "messages", [*first, *messages[1:]])
    return with_field(native, "messages", [{"role": "system", "content": text}, *messages])


def _read_tool(tool: Mapping[str, Any]) -> Part:
    held = tool.get("function") or tool
    return {key: held.get(key) for key in ("name", "description", "parameters")}


def _write_tool(tool: Part, twin: Mapping[str, Any]) -> Any:
    said = given(**{key: tool.get(key) for key in ("name", "description", "parameters")})
    return {"type": "function", **twin, "function": {**(twin.get("function") or {}), **said}}


def read_choice(native: Native) -> dict[str, Any] | None:
    choice = native.get("tool_choice")
    if isinstance(choice, str):
        return {"mode": _MODES.get(choice, "auto"), "names": []}
    if not isinstance(choice, Mapping):
        return None
    name = (choice.get("function") or choice).get("name")
    return {"mode": "any", "names": [name] if name else []}


def chosen(choice: Mapping[str, Any]) -> str | list[str]:
    """The word for a mode, or the one name that is forced."""
    names = list(choice.get("names") or [])
    if len(names) > 1:
        raise ValueError("openai can force one tool, not several; take the others out of tools instead")
    return names or {"any": "required"}.get(str(choice.get("mode")), str(choice.get("mode", "auto")))


def _write_choice(native: Native, choice: Mapping[str, Any] | None) -> Native:
    if choice is None:
        return with_field(native, "tool_choice", None)
    said = chosen(choice)
    forced = {"type": "function", "function": {"name": said[0]}} if isinstance(said, list) else said
    return with_field(native, "tool_choice", forced)


def _finish_reason(native: Native) -> Any:
    return next((choice.get("finish_reason") for choice in native.get("choices") or ()), None)


def _write_finish_reason(native: Native, reason: Any) -> Native:
    choices = [{**choice, "finish_reason": reason} for choice in native.get("choices") or ()]
    return {**native, "choices": choices}


_OPTIONS = {"temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "stop": "stop"}


def _options(native: Native) -> Section:
    limit = "max_completion_tokens" if "max_completion_tokens" in native else "max_tokens"
    return options({**_OPTIONS, "max_tokens": limit})


API = Api(
    "openai_chat",
    _request_messages,
    _response_messages,
    _role,
    _split,
    _join,
    request_sections={
        "model": field("model"),
        "system": Section(_read_system, _write_system),
        "tools": tools(
            lambda native: native.get("tools") or (),
            lambda native, items: with_field(native, "tools", items),
            _read_tool,
            _write_tool,
        ),
        "tool_choice": Section(read_choice, _write_choice),
        "options": Section(
            lambda native: _options(native).read(native),
            lambda native, value: _options(native).write(native, value),
        ),
    },
    response_sections={
        "finish_reason": Section(_finish_reason, _write_finish_reason),
        "usage": usage("usage", "prompt_tokens", "completion_tokens"),
    },
)
