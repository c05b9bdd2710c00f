"""What an agent asks of a model, and what it gets: two methods, whoever makes the model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from fairlead.doors.library.state import Message, Usage
from fairlead.doors.library.tools import Tool
from fairlead.model.value import Value


class ModelRequest(Value):
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()


class ModelReply(Value):
    """The assistant's message, with the calls that it asks for."""

    message: Message
    usage: Usage = Usage()


class Model(Protocol):
    """A model behind its own API."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The whole reply at once."""

    def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelReply]:
        """Pieces of text as they come, then the whole reply."""
