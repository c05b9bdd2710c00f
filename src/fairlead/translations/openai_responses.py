"""OpenAI Responses: every item of the conversation is a message of its own."""

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
from fairlead.translations.openai_chat import chosen, read_choice
from fairlead.translations.openai_stream import stream_messages

_TEXTS = ("input_text", "output_text", "text", "summary_text")


def _request_messages(native: Native) -> Messages:
    held = native.get("input", [])
    if isinstance(held, str):
        return Messages([held], _put_text)
    return Messages(held, lambda whole, items: with_field(whole, "input", items))


def _put_text(whole: Native, items: list[Any]) -> Native:
    one = items[0] if len(items) == 1 and isinstance(items[0], str) else None
    spelt = [item if not isinstance(item, str) else {"role": "user", "content": item} for item in items]
    return with_field(whole, "input", spelt if one is None else one)


def _response_messages(native: Native) -> Messages:
    """The output of a whole response, or what one event of a stream says of it."""
    if isinstance(native.get("output"), list):
        return Messages(native["output"], lambda whole, items: {**whole, "output": items})
    return stream_messages(native)


def _role(item: Any) -> str:
    if isinstance(item, str):
        return "user"
    kind = item.get("type", "message")
    if kind == "message":
        role = str(item.get("role", "other"))
        return {"developer": "system"}.get(role, role if role in ("user", "assistant", "system") else "other")
    return {"function_call": "assistant", "function_call_output": "tool"}.get(kind, "other")


def _split(item: Any) -> list[Pair]:
    if isinstance(item, str):
        return [({"type": "text", "text": item}, item)]
    kind = item.get("type", "message")
    if kind == "function_call":
        return [(_call(item), item)]
    if kind == "function_call_output":
        return [(_result(item), item)]
    if kind != "message":
        return [(other(str(kind)), item)]
    content = item.get("content", [])
    if isinstance(content, str):
        return [({"type": "text", "text": content}, content)]
    return [(_read(block), block) for block in content]


def _join(item: Any, role: str, parts: Sequence[Pair]) -> Any:
    kinds = [part.get("type") for part, _ in parts]
    if isinstance(item, str) and kinds == ["text"]:
        return part_text(parts[0][0])
    if kinds in (["tool_call"], ["tool_result"]):
        return _write_item(parts[0][0], item if isinstance(item, Mapping) else {})
    if kinds == ["other"] and item is not None:
        return item
    if any(kind in ("tool_call", "tool_result") for kind in kinds):
        raise ValueError("in openai_responses a tool call or result is a message of its own")
    base = item if isinstance(item, Mapping) else {"type": "message", "role": role}
    if not isinstance(base.get("content", ""), list) and kinds == ["text"]:
        return {**base, "content": part_text(parts[0][0])}
    made = "output_text" if role == "assistant" else "input_text"
    return {**base, "content": [_write(part, native, made) for part, native in parts]}


def _call(item: Mapping[str, Any]) -> Part:
    said = {"name": item.get("name"), "arguments": arguments_of(item.get("arguments"))}
    return {"type": "tool_call", "call": item.get("call_id"), **said}


def _result(item: Mapping[str, Any]) -> Part:
    return {"type": "tool_result", "call": item.get("call_id"), "name": None, "content": item.get("output")}


def _write_item(part: Part, base: Mapping[str, Any]) -> Any:
    if part.get("type") == "tool_result":
        if base and same(part, _result(base)):
            return base
        said = {"call_id": part.get("call"), "output": part.get("content")}
        return {"type": "function_call_output", **base, **said}
    if base and same(part, _call(base)):
        return base
    said = {"call_id": part.get("call"), "name": part.get("name")}
    arguments = arguments_text(part.get("arguments") or {})
    return {"type": "function_call", **base, **said, "arguments": arguments}


def _read(block: Any) -> Part:
    kind = str(block.get("type", "")) if isinstance(block, Mapping) else ""
    if kind in _TEXTS:
        return {"type": "text", "text": block.get("text", "")}
    return image(kind) if "image" in kind else other(kind)


def _write(part: Part, native: Any, made: str) -> Any:
    if native is not None and (part.get("type") != "text" or same(part, _read(native))):
        return native
    if part.get("type") != "text":
        raise unwritable(part, "openai_responses")
    base = native if isinstance(native, Mapping) else {"type": made}
    return {**base, "text": part_text(part)}


def _read_tool(tool: Mapping[str, Any]) -> Part:
    named = tool.get("name") or tool.get("type")
    return {"name": named, "description": tool.get("description"), "parameters": tool.get("parameters")}


def _write_tool(tool: Part, twin: Mapping[str, Any]) -> Any:
    said = given(**{key: tool.get(key) for key in ("name", "description", "parameters")})
    return {"type": "function", **twin, **said}


def _write_choice(native: Native, choice: Mapping[str, Any] | None) -> Native:
    if choice is None:
        return with_field(native, "tool_choice", None)
    said = chosen(choice)
    forced = {"type": "function", "name": said[0]} if isinstance(said, list) else said
    return with_field(native, "tool_choice", forced)


API = Api(
    "openai_responses",
    _request_messages,
    _response_messages,
    _role,
    _split,
    _join,
    request_sections={
        "model": field("model"),
        "system": Section(
            lambda native: native.get("instructions"),
            lambda native, value: with_field(native, "instructions", value),
        ),
        "tools": tools(
            lambda native: native.get("tools") or (),
            lambda native, items: with_field(native, "tools", items),
            _read_tool,
            _write_tool,
        ),
        "tool_choice": Section(read_choice, _write_choice),
        "options": options(
            {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_output_tokens"}
        ),
    },
    response_sections={
        "finish_reason": field("status"),
        "usage": usage("usage", "input_tokens", "output_tokens"),
    },
)
