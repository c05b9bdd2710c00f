"""Gemini generateContent, on the wire (`generationConfig`) and as its SDK spells it (`config`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.model.model_call import Native, Part
from fairlead.translations.mirror import (
    Api,
    Messages,
    Pair,
    Section,
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

_ROLES = {"user": "user", "model": "assistant", "function": "tool", "system": "system"}
OPTIONS = {
    "temperature": "temperature",
    "top_p": "topP",
    "top_k": "topK",
    "max_tokens": "maxOutputTokens",
    "stop": "stopSequences",
}


def _request_messages(native: Native) -> Messages:
    held = native.get("contents", [])
    if not isinstance(held, list):
        return Messages([held], lambda whole, items: with_field(whole, "contents", _single(items)))
    return Messages(held, lambda whole, items: with_field(whole, "contents", items))


def _single(items: list[Any]) -> Any:
    if len(items) == 1:
        return items[0]
    return [{"role": "user", "parts": [{"text": i}]} if isinstance(i, str) else i for i in items]


def _response_messages(native: Native) -> Messages:
    """Of each candidate the content; a chunk of a stream has the same shape."""
    candidates = native.get("candidates") or []

    def put(whole: Native, items: list[Any]) -> Native:
        if len(items) != len(candidates):
            raise ValueError("a candidate can be emptied, but neither added nor taken away")
        put_back = [{**each, "content": item} for each, item in zip(candidates, items, strict=True)]
        return {**whole, "candidates": put_back}

    return Messages([each.get("content") or {} for each in candidates], put)


def _role(content: Any) -> str:
    if isinstance(content, str):
        return "user"
    parts = _parts(content)
    if parts and all(isinstance(part, Mapping) and "functionResponse" in part for part in parts):
        return "tool"
    return _ROLES.get(str(content.get("role", "user")), "other")


def _split(content: Any) -> list[Pair]:
    if isinstance(content, str):
        return [({"type": "text", "text": content}, content)]
    return [(_read(part), part) for part in _parts(content)]


def _parts(content: Mapping[str, Any]) -> Sequence[Any]:
    """The SDK takes a single part for a list of one."""
    parts = content.get("parts") or []
    return [parts] if isinstance(parts, (str, Mapping)) else parts


def _join(content: Any, role: str, parts: Sequence[Pair]) -> Any:
    if isinstance(content, str) and len(parts) == 1 and parts[0][0].get("type") == "text":
        return part_text(parts[0][0])
    made = {"role": "model" if role == "assistant" else "user"} if role else {}
    base = content if isinstance(content, Mapping) else made
    if not parts and "parts" not in base:
        return base
    return {**base, "parts": [_write(part, native) for part, native in parts]}


def _read(part: Any) -> Part:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if not isinstance(part, Mapping):
        return other(type(part).__name__)
    if isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"], **({"thought": True} if part.get("thought") else {})}
    call, result = part.get("functionCall"), part.get("functionResponse")
    if isinstance(call, Mapping):
        said = {"name": call.get("name"), "arguments": call.get("args", {})}
        return {"type": "tool_call", "call": call.get("id"), **said}
    if isinstance(result, Mapping):
        said = {"name": result.get("name"), "content": result.get("response")}
        return {"type": "tool_result", "call": result.get("id"), **said}
    for key in ("inlineData", "fileData"):
        if isinstance(part.get(key), Mapping):
            return image(str(part[key].get("fileUri") or part[key].get("mimeType") or key))
    return other(next(iter(part), "empty"))


def _write(part: Part, native: Any) -> Any:
    if native is not None and same(part, _read(native)):
        return native
    base = native if isinstance(native, Mapping) else {}
    kind = part.get("type")
    if kind == "text":
        thought = {"thought": True} if part.get("thought") and "thought" not in base else {}
        return {**base, **thought, "text": part_text(part)}
    if kind == "tool_call":
        said = given(id=part.get("call"), name=part.get("name"), args=part.get("arguments"))
        return {**base, "functionCall": {**base.get("functionCall", {}), **said}}
    if kind == "tool_result":
        said = given(id=part.get("call"), name=part.get("name"), response=part.get("content"))
        return {**base, "functionResponse": {**base.get("functionResponse", {}), **said}}
    if native is not None:
        return native
    raise unwritable(part, "gemini")


def _home(native: Native) -> str:
    """Where the SDK keeps what the wire has at the top."""
    return "config" if isinstance(native.get("config"), Mapping) else ""


def _held(native: Native, key: str) -> Any:
    home = _home(native)
    return native["config"].get(key) if home else native.get(key)


def _put(native: Native, key: str, value: Any) -> Native:
    if _home(native):
        return {**native, "config": with_field(native["config"], key, value)}
    return with_field(native, key, value)


def _read_system(native: Native) -> str | None:
    system = _held(native, "systemInstruction")
    if isinstance(system, Mapping):
        return "\n".join(str(part.get("text", "")) for part in system.get("parts") or ())
    return system if isinstance(system, str) else None


def _write_system(native: Native, text: str | None) -> Native:
    system = _held(native, "systemInstruction")
    if text is None or isinstance(system, str):
        return _put(native, "systemInstruction", text)
    base = system if isinstance(system, Mapping) else {}
    return _put(native, "systemInstruction", {**base, "parts": [{"text": text}]})


def _declarations(native: Native) -> list[Any]:
    groups = [group for group in _held(native, "tools") or () if isinstance(group, Mapping)]
    return [each for group in groups for each in group.get("functionDeclarations") or ()]


def _put_declarations(native: Native, items: list[Any]) -> Native:
    """Into the first group that has some; groups of another kind, such as search, stay."""
    groups = list(_held(native, "tools") or ())
    place = next((n for n, group in enumerate(groups) if "functionDeclarations" in group), None)
    rest = [group for group in groups if "functionDeclarations" not in group]
    if place is None:
        return _put(native, "tools", [*groups, {"functionDeclarations": items}])
    return _put(native, "tools", [{**groups[place], "functionDeclarations": items}, *rest])


def _read_tool(tool: Mapping[str, Any]) -> Part:
    parameters = tool.get("parameters", tool.get("parametersJsonSchema"))
    return {"name": tool.get("name"), "description": tool.get("description"), "parameters": parameters}


def _write_tool(tool: Part, twin: Mapping[str, Any]) -> Any:
    key = "parametersJsonSchema" if "parametersJsonSchema" in twin else "parameters"
    said = given(name=tool.get("name"), description=tool.get("description"))
    return {**twin, **said, **given(**{key: tool.get("parameters")})}


def _read_choice(native: Native) -> dict[str, Any] | None:
    held = (_held(native, "toolConfig") or {}).get("functionCallingConfig")
    if not isinstance(held, Mapping):
        return None
    names = list(held.get("allowedFunctionNames") or [])
    return {"mode": str(held.get("mode", "AUTO")).lower(), "names": names}


def _write_choice(native: Native, choice: Mapping[str, Any] | None) -> Native:
    config = dict(_held(native, "toolConfig") or {})
    if choice is None:
        return _put(native, "toolConfig", with_field(config, "functionCallingConfig", None) or None)
    held = {**config.get("functionCallingConfig", {}), "mode": str(choice.get("mode", "auto")).upper()}
    held = with_field(held, "allowedFunctionNames", list(choice.get("names") or ()) or None)
    return _put(native, "toolConfig", {**config, "functionCallingConfig": held})


def _options(native: Native) -> Section:
    return options(OPTIONS, _home(native) or "generationConfig")


def finish_reason(native: Native) -> Any:
    return next((each.get("finishReason") for each in native.get("candidates") or ()), None)


def write_finish_reason(native: Native, reason: Any) -> Native:
    return {**native, "candidates": [{**each, "finishReason": reason} for each in native["candidates"]]}


API = Api(
    "gemini",
    _request_messages,
    _response_messages,
    _role,
    _split,
    _join,
    request_sections={
        "model": field("model"),
        "system": Section(_read_system, _write_system),
        "tools": tools(_declarations, _put_declarations, _read_tool, _write_tool),
        "tool_choice": Section(_read_choice, _write_choice),
        "options": Section(
            lambda native: _options(native).read(native),
            lambda native, value: _options(native).write(native, value),
        ),
    },
    response_sections={
        "finish_reason": Section(finish_reason, write_finish_reason),
        "usage": usage("usageMetadata", "promptTokenCount", "candidatesTokenCount"),
    },
)
