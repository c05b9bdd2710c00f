"""What agents and models say to each other, in the five APIs that agents use: as much as a canary needs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fairlead.model.value import Value

Body = Mapping[str, Any]
_USED = 1
"""Tokens that the played model claims to have used: some agents want a number."""


class Turn(Value):
    """What an agent tells its model: the tools that it offers, and what came of the calls so far."""

    tools: tuple[str, ...]
    results: tuple[str, ...]


class ToolUse(Value):
    """What the model asks for. `id` is unique in a conversation."""

    id: str
    tool: str
    arguments: Mapping[str, object]


Said = ToolUse | str
"""A model asks for a tool, or says something and is done."""


class Api(Value):
    """One API: how a request is read, and the answer as one document or as the events of a stream."""

    read: Callable[[Body], Turn]
    document: Callable[[Body, Said], Body]
    events: Callable[[Body], Iterable[Body]]
    """A document as it is streamed."""
    named: bool = False
    """Whether each event of the stream carries its type in a line of its own."""
    end: str = ""
    plain: bool = False
    """Whether a stream is JSON alone, one line each."""

    def stream(self, document: Body) -> str:
        if self.plain:
            return "".join(f"{json.dumps(event)}\n" for event in self.events(document))
        lines = [self._event(event) for event in self.events(document)]
        return "".join(lines) + (f"data: {self.end}\n\n" if self.end else "")

    def _event(self, event: Body) -> str:
        name = f"event: {event['type']}\n" if self.named else ""
        return f"{name}data: {json.dumps(event)}\n\n"


def text_in(value: object) -> str:
    """Every text in a tool's result, whatever its shape."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        return str(value["text"])
    if isinstance(value, Mapping):
        return "\n".join(text_in(inner) for inner in value.values())
    if isinstance(value, list):
        return "\n".join(text_in(inner) for inner in value)
    return ""


def _items(value: object) -> list[Body]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _names(tools: object) -> tuple[str, ...]:
    return tuple(str(tool.get("name", "")) for tool in _items(tools))


# --- Anthropic Messages ---


def _read_anthropic(body: Body) -> Turn:
    blocks = [block for message in _items(body.get("messages")) for block in _items(message.get("content"))]
    results = [text_in(block.get("content")) for block in blocks if block.get("type") == "tool_result"]
    return Turn(_names(body.get("tools")), tuple(results))


def _anthropic(body: Body, said: Said) -> Body:
    block = (
        {"type": "text", "text": said}
        if isinstance(said, str)
        else {"type": "tool_use", "id": said.id, "name": said.tool, "input": said.arguments}
    )
    return {
        "id": "msg_canary",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [block],
        "stop_reason": "end_turn" if isinstance(said, str) else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": _USED, "output_tokens": _USED},
    }


def _anthropic_events(message: Body) -> Iterable[Body]:
    block = message["content"][0]
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": _USED}},
        {"type": "message_stop"},
    ]


# --- Gemini generateContent ---


def _read_gemini(body: Body) -> Turn:
    parts = [part for content in _items(body.get("contents")) for part in _items(content.get("parts"))]
    answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
    offered = [_names(tool.get("functionDeclarations")) for tool in _items(body.get("tools"))]
    return Turn(
        tuple(name for names in offered for name in names),
        tuple(text_in(answer.get("response")) for answer in _items(answers)),
    )


def _gemini(body: Body, said: Said) -> Body:
    wants_json = "json" in str(body.get("generationConfig", {}).get("responseMimeType", ""))
    if isinstance(said, str):
        part: Body = {"text": "{}" if wants_json else said}
    else:
        part = {"functionCall": {"name": said.tool, "args": said.arguments}}
    content = {"role": "model", "parts": [part]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": _USED, "candidatesTokenCount": _USED, "totalTokenCount": _USED},
    }


# --- OpenAI Responses ---

_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


def _read_responses(body: Body) -> Turn:
    items = _items(body.get("input"))
    results = [text_in(item.get("output")) for item in items if item.get("type") in _OUTPUTS]
    return Turn(_names(body.get("tools")), tuple(results))


def _responses(body: Body, said: Said) -> Body:
    if isinstance(said, str):
        content = [{"type": "output_text", "text": said, "annotations": []}]
        item: Body = {"type": "message", "id": "msg_canary", "role": "assistant", "content": content}
    else:
        arguments = json.dumps(said.arguments)
        item = {"type": "function_call", "id": f"fc_{said.id}", "call_id": said.id, "name": said.tool}
        item = {**item, "arguments": arguments}
    usage = {"input_tokens": _USED, "output_tokens": _USED, "total_tokens": _USED}
    return {
        "id": "resp_canary",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": body.get("model"),
        "output": [{**item, "status": "completed"}],
        "usage": usage,
    }


def _responses_events(response: Body) -> Iterable[Body]:
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    item = response["output"][0]
    return [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]


# --- OpenAI Chat Completions ---


def _read_chat(body: Body) -> Turn:
    results = [
        text_in(message.get("content"))
        for message in _items(body.get("messages"))
        if message.get("role") == "tool"
    ]
    return Turn(_names([tool.get("function") for tool in _items(body.get("tools"))]), tuple(results))


def _chat(body: Body, said: Said) -> Body:
    if isinstance(said, str):
        message: Body = {"role": "assistant", "content": said}
    else:
        function = {"name": said.tool, "arguments": json.dumps(said.arguments)}
        call = {"index": 0, "id": said.id, "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": "stop" if isinstance(said, str) else "tool_calls",
    }
    return {
        "id": "chatcmpl-canary",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [choice],
        "usage": {"prompt_tokens": _USED, "completion_tokens": _USED, "total_tokens": _USED},
    }


def _chat_events(completion: Body) -> Iterable[Body]:
    chunk = {**completion, "object": "chat.completion.chunk", "usage": None}
    choice = completion["choices"][0]
    said = {"index": 0, "delta": choice["message"], "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    return [
        {**chunk, "choices": [said]},
        {**chunk, "choices": [ended]},
        {**chunk, "choices": [], "usage": completion["usage"]},
    ]


# --- Augment's own ---

_ASKED, _ENDED = 3, 1
"""Why the model stopped: to have a tool run, or for good."""


def _read_augment(body: Body) -> Turn:
    """Requests are made of numbered nodes; what came of a tool stands in one of them."""
    before = [node for turn in _items(body.get("chat_history")) for node in _items(turn.get("request_nodes"))]
    nodes = [node.get("tool_result_node") for node in (*before, *_items(body.get("nodes")))]
    results = [text_in(node.get("content") or node.get("content_nodes")) for node in _items(nodes)]
    return Turn(_names(body.get("tool_definitions")), tuple(results))


def _augment(_: Body, said: Said) -> Body:
    if isinstance(said, str):
        return {"nodes": [{"id": 1, "type": 0, "content": said}], "text": said, "stop_reason": _ENDED}
    use = {"tool_use_id": said.id, "tool_name": said.tool, "input_json": json.dumps(said.arguments)}
    node = {"id": 1, "type": 5, "content": "", "tool_use": {**use, "is_partial": False}}
    return {"nodes": [node], "text": "", "stop_reason": _ASKED}


def _augment_events(answer: Body) -> Iterable[Body]:
    found = {"unknown_blob_names": [], "checkpoint_not_found": False}
    whole = {"id": 2, "type": 2, "content": answer["text"]}
    return [
        {"text": answer["text"], "nodes": answer["nodes"], **found},
        {"text": "", "nodes": [whole], "stop_reason": answer["stop_reason"], **found},
    ]


_APIS: Mapping[str, Api] = {
    "/messages": Api(_read_anthropic, _anthropic, _anthropic_events, named=True),
    ":generateContent": Api(_read_gemini, _gemini, lambda document: [document]),
    ":streamGenerateContent": Api(_read_gemini, _gemini, lambda document: [document]),
    "/responses": Api(_read_responses, _responses, _responses_events, named=True),
    "/chat-stream": Api(_read_augment, _augment, _augment_events, plain=True),
    "/chat/completions": Api(_read_chat, _chat, _chat_events, end="[DONE]"),
}


def api_at(path: str) -> Api | None:
    """The API that an address belongs to."""
    return next((api for end, api in _APIS.items() if path.endswith(end)), None)


def streams(path: str, body: Body) -> bool:
    """Whether the answer is wanted as a stream."""
    return path.endswith((":streamGenerateContent", "/chat-stream")) or body.get("stream") is True
