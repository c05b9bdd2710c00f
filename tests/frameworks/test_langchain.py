from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("langchain", reason="LangChain is not installed: make test-frameworks")

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, ToolMessage

from fairlead import Block, ToolStack, langchain_middleware
from framework_conformance import Conformance, Seen


class Scripted(FakeMessagesListChatModel):
    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self


def agent(middleware: list[Any], argument: str, ran: list[str]) -> Any:
    def shout(text: str) -> str:
        """Says it louder."""
        ran.append(text)
        return text.upper()

    asked = AIMessage("", tool_calls=[{"name": "shout", "args": {"text": argument}, "id": "1"}])
    return create_agent(Scripted(responses=[asked, AIMessage("done")]), [shout], middleware=middleware)


def told(state: dict[str, Any]) -> ToolMessage:
    (message,) = (each for each in state["messages"] if isinstance(each, ToolMessage))
    return message


class TestLangChain(Conformance):
    def host(self, stack: ToolStack, argument: str) -> Seen:
        ran: list[str] = []
        made = agent([langchain_middleware(stack)], argument, ran)
        state = made.invoke({"messages": [("user", "go")]})
        return Seen(ran[0] if ran else None, str(told(state).content))


class TestLangChainAsync(Conformance):
    def host(self, stack: ToolStack, argument: str) -> Seen:
        ran: list[str] = []
        made = agent([langchain_middleware(stack)], argument, ran)
        state = asyncio.run(made.ainvoke({"messages": [("user", "go")]}))
        return Seen(ran[0] if ran else None, str(told(state).content))


def test_two_of_ours_in_one_agent_do_not_collide() -> None:
    ran: list[str] = []
    stacks = [ToolStack(), ToolStack()]
    stacks[1].before()(lambda call: Block("no"))
    made = agent([langchain_middleware(stack) for stack in stacks], "hello", ran)
    message = told(made.invoke({"messages": [("user", "go")]}))
    assert (ran, message.status, message.content) == ([], "error", "Blocked by Fairlead: no")


def test_law_1_a_rewriter_of_langchains_own_before_us_is_seen() -> None:
    class Rewriter(AgentMiddleware):
        def wrap_tool_call(self, request: Any, handler: Any) -> Any:
            return handler(request.override(tool_call={**request.tool_call, "args": {"text": "evil"}}))

    stack, ran = ToolStack(), list[str]()
    stack.before()(lambda call: Block("no") if call.input["text"] == "evil" else None)
    made = agent([Rewriter(), langchain_middleware(stack)], "hello", ran)
    assert told(made.invoke({"messages": [("user", "go")]})).content == "Blocked by Fairlead: no"
    assert ran == []
