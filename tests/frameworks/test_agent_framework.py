from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("agent_framework", reason="agent-framework-core is not installed: make test-frameworks")

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    tool,
)

from fairlead import ToolStack, agent_framework_middleware
from framework_conformance import Conformance, Seen


class Scripted(FunctionInvocationLayer, BaseChatClient):
    """Asks for the tool once, then is done."""

    def __init__(self, argument: str) -> None:
        super().__init__()
        self.argument = argument
        self.seen: list[Sequence[Message]] = []

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Any, **more: Any
    ) -> Any:
        self.seen.append(messages)

        async def reply() -> ChatResponse:
            if len(self.seen) > 1:
                return ChatResponse(messages=[Message("assistant", ["done"])])
            asked = Content.from_function_call("1", "shout", arguments={"text": self.argument})
            return ChatResponse(messages=[Message("assistant", [asked])])

        return reply()


class TestAgentFramework(Conformance):
    def host(self, stack: ToolStack, argument: str) -> Seen:
        ran: list[str] = []

        @tool(approval_mode="never_require")
        def shout(text: str) -> str:
            """Says it louder."""
            ran.append(text)
            return text.upper()

        client = Scripted(argument)
        agent = Agent(client=client, tools=[shout], middleware=[agent_framework_middleware(stack)])
        asyncio.run(agent.run("go"))
        contents = [part for message in client.seen[-1] for part in message.contents]
        (answer,) = (part for part in contents if part.type == "function_result")
        return Seen(ran[0] if ran else None, str(answer.result))
