"""Any endpoint that speaks Anthropic's messages.

AgentBuilder(AnthropicModel("claude-sonnet-5"))
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from anthropic import AsyncAnthropic

from fairlead.doors.library.model import ModelReply, ModelRequest
from fairlead.doors.library.state import Message, Price, Usage
from fairlead.doors.library.tools import Tool
from fairlead.model.tool_call import ToolCall

MAX_TOKENS = 4096


class AnthropicModel:
    def __init__(
        self,
        name: str,
        *,
        client: AsyncAnthropic | None = None,
        price: Price | None = None,
        max_tokens: int = MAX_TOKENS,
        **options: Any,
    ) -> None:
        """`options` go into every request. With a `price`, usage has its cost."""
        self.name, self.price = name, price
        self.options = {"max_tokens": max_tokens, **options}
        self.client = client or AsyncAnthropic()

    async def complete(self, request: ModelRequest) -> ModelReply:
        return self._reply(await self.client.messages.create(**self._body(request)))

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelReply]:
        async with self.client.messages.stream(**self._body(request)) as stream:
            async for text in stream.text_stream:
                yield text
            yield self._reply(await stream.get_final_message())

    def _reply(self, answer: Any) -> ModelReply:
        text = "".join(block.text for block in answer.content if block.type == "text")
        calls = tuple(
            ToolCall(block.name, dict(block.input), id=block.id)
            for block in answer.content
            if block.type == "tool_use"
        )
        usage = _usage(answer.usage)
        return ModelReply(
            Message("assistant", text, calls), usage if self.price is None else self.price.of(usage)
        )

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        system = "\n\n".join(each.content for each in request.messages if each.role == "system")
        spoken = [each for each in request.messages if each.role != "system"]
        body: dict[str, Any] = {"model": self.name, "messages": _turns(spoken), **self.options}
        if system:
            body["system"] = system
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        return body


def _tool(tool: Tool) -> dict[str, Any]:
    schema = dict(tool.parameters) or {"type": "object", "properties": {}}
    return {"name": tool.name, "description": tool.description, "input_schema": schema}


def _turns(messages: list[Message]) -> list[dict[str, Any]]:
    """Results of tools are a user's turn there, and neighbours of one role share a turn."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        result = {"type": "tool_result", "tool_use_id": message.call_id, "content": message.content}
        return [result | {"is_error": not message.ok}]
    text = [{"type": "text", "text": message.content}] if message.content else []
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.input)}
        for call in message.calls
    ]
    return [*text, *calls]


def _usage(usage: Any) -> Usage:
    """What was read from a cache, or written to one, was read all the same."""
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    read = usage.input_tokens + sum(getattr(usage, name, None) or 0 for name in cached)
    return Usage(read, usage.output_tokens)
