"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.model.model_call import Native, Part
from fairlead.translations.mirror import (
    Api,
    Messages,
    Pair,
    Section,
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

_MODES = {"auto": "auto", "any": "any", "tool": "any", "none": "none"}


def _request_messages(native: Native) -> Messages:
    return Messages(native.get("messages", ()), lambda whole, items: with_field(whole, "messages", items))


def _response_messages(native: Native) -> Messages:
    """A whole message, or one event of a stream; an event without content has no messages."""
    if "content" in native:
        return Messages([native], lambda whole, items: items[0] if items else {**whole, "content": []})
    key = next((key for key in ("delta", "content_block") if isinstance(native.get(key), Mapping)), None)
    if key is None or _type(native[key]) == "":
        return Messages((), lambda whole, items: whole)
    piece = {"role": "assistant", "content": [native[key]]}
    return Messages([piece], lambda whole, items: _with_piece(whole, key, items))


def _with_piece(native: Native, key: str, items: list[Any]) -> Native:
    """One event carries one piece of content, so that is all that can come back."""
    blocks = items[0]["content"] if items else []
    if not isinstance(blocks, list) or len(blocks) != 1:
        raise ValueError("an event of a stream carries one piece of content, no more and no less")
    return {**native, key: blocks[0]}


def _role(message: Any) -> str:
    role = message.get("role", "other")
    blocks = message.get("content")
    if isinstance(blocks, list) and blocks and all(_type(block) == "tool_result" for block in blocks):
        return "tool"
    return role if role in ("user", "assistant") else "other"


def _split(message: Any) -> list[Pair]:
    content = message.get("content", [])
    if isinstance(content, str):
        return [({"type": "text", "text": content}, content)]
    return [(_read(block), block) for block in content]


def _join(message: Any, role: str, parts: Sequence[Pair]) -> Any:
    base = message if message is not None else {"role": "assistant" if role == "assistant" else "user"}
    was_text = isinstance(base.get("content", ""), str)
    if was_text and len(parts) == 1 and parts[0][0].get("type") == "text":
        return {**base, "content": part_text(parts[0][0])}
    return {**base, "content": [_write(part, native) for part, native in parts]}


def _type(block: Any) -> str:
    return str(block.get("type", "")) if isinstance(block, Mapping) else ""


def _read(block: Any) -> Part:
    if isinstance(block, str):
        return {"type": "text", "text": block}
    kind = _type(block)
    if kind in ("text", "text_delta"):
        return {"type": "text", "text": block.get("text", "")}
    if kind in ("thinking", "thinking_delta"):
        return {"type": "text", "text": block.get("thinking", ""), "thought": True}
    if kind == "input_json_delta":
        return {"type": "tool_call", "call": None, "name": None, "arguments": block.get("partial_json")}
    call = {"tool_use": "id", "tool_result": "tool_use_id"}.get(kind)
    if kind == "tool_use":
        said = {"name": block.get("name"), "arguments": block.get("input")}
        return {"type": "tool_call", "call": block.get(call), **said}
    if kind == "tool_result":
        said = {"name": None, "content": block.get("content")}
        return {"type": "tool_result", "call": block.get(call), **said}
    return image(kind) if kind == "image" else other(kind)


def _write(part: Part, native: Any) -> Any:
    if native is not None and same(part, _read(native)):
        return native
    base = native if isinstance(native, Mapping) else {}
    kind = part.get("type")
    if kind == "text" and part.get("thought"):
        return {"type": "thinking", **base, "thinking": part_text(part)}
    if kind == "text":
        return {"type": "text", **base, "text": part_text(part)}
    if kind == "tool_call" and _type(base) == "input_json_delta":
        return {**base, "partial_json": arguments_text(part.get("arguments"))}
    if kind == "tool_call":
        said = {"id": part.get("call"), "name": part.get("name"), "input": part.get("arguments")}
        return {"type": "tool_use", **base, **said}
    if kind == "tool_result":
        said = {"tool_use_id": part.get("call"), "content": part.get("content")}
        return {"type": "tool_result", **base, **said}
    if native is not None:
        return native
    raise unwritable(part, "anthropic")


def _read_system(native: Native) -> str | None:
    system = native.get("system")
    if isinstance(system, list):
        return "\n".join(str(block.get("text", "")) for block in system if isinstance(block, Mapping))
    return system if isinstance(system, str) else None


def _read_tool(tool: Mapping[str, Any]) -> Part:
    description, parameters = tool.get("description"), tool.get("input_schema")
    return {"name": tool.get("name"), "description": description, "parameters": parameters}


def _write_tool(tool: Part, twin: Mapping[str, Any]) -> Any:
    said = given(
        name=tool.get("name"), description=tool.get("description"), input_schema=tool.get("parameters")
    )
    return {**twin, **said}


def _read_choice(native: Native) -> dict[str, Any] | None:
    choice = native.get("tool_choice")
    if not isinstance(choice, Mapping):
        return None
    names = [choice["name"]] if "name" in choice else []
    return {"mode": _MODES.get(str(choice.get("type")), "auto"), "names": names}


def _write_choice(native: Native, choice: Mapping[str, Any] | None) -> Native:
    if choice is None:
        return with_field(native, "tool_choice", None)
    names = choice.get("names") or []
    if len(names) > 1:
        raise ValueError("anthropic can force one tool, not several; take the others out of tools instead")
    said = {"type": "tool", "name": names[0]} if names else {"type": choice.get("mode", "auto")}
    return with_field(native, "tool_choice", said)


API = Api(
    "anthropic",
    _request_messages,
    _response_messages,
    _role,
    _split,
    _join,
    request_sections={
        "model": field("model"),
        "system": Section(_read_system, lambda native, value: with_field(native, "system", value)),
        "tools": tools(
            lambda native: native.get("tools") or (),
            lambda native, items: with_field(native, "tools", items),
            _read_tool,
            _write_tool,
        ),
        "tool_choice": Section(_read_choice, _write_choice),
        "options": options(
            {
                "temperature": "temperature",
                "top_p": "top_p",
                "top_k": "top_k",
                "max_tokens": "max_tokens",
                "stop": "stop_sequences",
            }
        ),
    },
    response_sections={
        "finish_reason": field("stop_reason"),
        "usage": usage("usage", "input_tokens", "output_tokens"),
    },
)
