"""Any endpoint that speaks OpenAI's chat completions.

AgentBuilder(OpenAIModel("gpt-5"))
AgentBuilder(OpenAIModel("llama", client=AsyncOpenAI(base_url="http://localhost:8080/v1", api_key="-")))
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from openai import AsyncOpenAI

from fairlead.doors.library.model import ModelReply, ModelRequest
from fairlead.doors.library.models.arguments import arguments_from
from fairlead.doors.library.state import Message, Price, Usage
from fairlead.doors.library.tools import Tool
from fairlead.model.tool_call import ToolCall


class OpenAIModel:
    def __init__(
        self, name: str, *, client: AsyncOpenAI | None = None, price: Price | None = None, **options: Any
    ) -> None:
        """`options` go into every request: temperature, max_completion_tokens and so on.

        With a `price`, usage has its cost.
        """
        self.name, self.price, self.options = name, price, options
        self.client = client or AsyncOpenAI()

    async def complete(self, request: ModelRequest) -> ModelReply:
        answer: Any = await self.client.chat.completions.create(**self._body(request))
        said = answer.choices[0].message
        calls = [
            _call(each.id, each.function.name, each.function.arguments) for each in said.tool_calls or ()
        ]
        return ModelReply(Message("assistant", said.content or "", tuple(calls)), self._usage(answer.usage))

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelReply]:
        body = self._body(request) | {"stream": True, "stream_options": {"include_usage": True}}
        chunks: Any = await self.client.chat.completions.create(**body)
        text, usage, parts = "", Usage(), dict[int, list[str]]()
        async for chunk in chunks:
            if chunk.usage:
                usage = self._usage(chunk.usage)
            for choice in chunk.choices[:1]:
                if choice.delta.content:
                    text += choice.delta.content
                    yield choice.delta.content
                for piece in choice.delta.tool_calls or ():
                    _collect(parts.setdefault(piece.index, ["", "", ""]), piece)
        calls = tuple(_call(*parts[index]) for index in sorted(parts))
        yield ModelReply(Message("assistant", text, calls), usage)

    def _usage(self, given: Any) -> Usage:
        usage = Usage(given.prompt_tokens, given.completion_tokens) if given else Usage()
        return usage if self.price is None else self.price.of(usage)

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [_message(message) for message in request.messages],
            **self.options,
        }
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        return body


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
    written: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        written["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(dict(call.input))},
            }
            for call in message.calls
        ]
    return written


def _collect(parts: list[str], piece: Any) -> None:
    """A call comes in pieces: its id and name once, its arguments bit by bit."""
    parts[0] = piece.id or parts[0]
    if piece.function is not None:
        parts[1] += piece.function.name or ""
        parts[2] += piece.function.arguments or ""


def _call(call_id: str, name: str, arguments: str) -> ToolCall:
    return ToolCall(name, arguments_from(arguments), id=call_id)
