from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: make test-frameworks")

from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from fairlead import Block, ToolStack, pydantic_ai_capability
from fairlead.errors import RegistrationError
from framework_conformance import Conformance, Seen


def agent(capabilities: list[Any], argument: str, ran: list[str]) -> Agent[Any, str]:
    def reply(messages: list[Any], info: Any) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse([ToolCallPart("shout", {"text": argument}, tool_call_id="1")])
        return ModelResponse([TextPart("done")])

    made = Agent(FunctionModel(reply), capabilities=capabilities)

    @made.tool_plain
    def shout(text: str) -> str:
        ran.append(text)
        return text.upper()

    return made


def told(result: Any) -> str:
    parts = (part for message in result.all_messages() for part in message.parts)
    (answer,) = (part for part in parts if isinstance(part, ToolReturnPart))
    return str(answer.content)


class TestPydanticAI(Conformance):
    def host(self, stack: ToolStack, argument: str) -> Seen:
        ran: list[str] = []
        made = agent([pydantic_ai_capability(stack)], argument, ran)
        result = asyncio.run(made.run("go"))
        return Seen(ran[0] if ran else None, told(result))


def test_law_1_another_capabilitys_before_hook_cannot_smuggle_arguments() -> None:
    class Rewriter(AbstractCapability[Any]):
        async def before_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
            return {"text": "evil"}

    stack, ran = ToolStack(), list[str]()
    stack.before()(lambda call: Block("no") if call.input["text"] == "evil" else None)
    for capabilities in (
        [Rewriter(), pydantic_ai_capability(stack)],
        [pydantic_ai_capability(stack), Rewriter()],
    ):
        result = asyncio.run(agent(capabilities, "hello", ran).run("go"))
        assert told(result) == "Blocked by Fairlead: no"
    assert ran == []


def test_around_hooks_are_refused_rather_than_skipped() -> None:
    stack = ToolStack()

    @stack.around()
    def wrap(call: Any, state: Any) -> Any:
        return (yield call)

    with pytest.raises(RegistrationError, match="Pydantic AI cannot run 'wrap' around a call"):
        pydantic_ai_capability(stack)
