from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed: make test-frameworks")

from agents import Agent, Runner, function_tool, handoff, set_tracing_disabled
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from conformance import Conformance, Seen
from fairlead import Block, ToolStack, guard_openai_agent


def asks(name: str, **arguments: object) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        id=name, call_id=name, type="function_call", name=name, arguments=json.dumps(arguments)
    )


def says(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])


class Scripted(Model):
    def __init__(self, *outputs: Any) -> None:
        self.outputs = list(outputs)
        self.inputs: list[Any] = []

    async def get_response(
        self, system_instructions: Any, input: Any, *more: Any, **named: Any
    ) -> ModelResponse:
        self.inputs.append(input)
        return ModelResponse(output=[self.outputs.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *given: Any, **named: Any) -> Any:
        raise NotImplementedError


def shouting(ran: list[str]) -> Any:
    @function_tool
    def shout(text: str) -> str:
        """Says it louder."""
        ran.append(text)
        return text.upper()

    return shout


def run(agent: Any) -> Any:
    set_tracing_disabled(True)
    return asyncio.run(Runner.run(agent, "go"))


def outputs(result: Any) -> list[str]:
    return [str(item.output) for item in result.new_items if item.type == "tool_call_output_item"]


class TestOpenAIAgents(Conformance):
    def host(self, stack: ToolStack, argument: str) -> Seen:
        ran: list[str] = []
        model = Scripted(asks("shout", text=argument), says("done"))
        agent = guard_openai_agent(Agent(name="a", model=model, tools=[shouting(ran)]), stack)
        result = run(agent)
        return Seen(ran[0] if ran else None, outputs(result)[0])


def no_evil() -> ToolStack:
    stack = ToolStack()
    stack.before()(lambda call: Block("no") if "evil" in str(call.input) else None)
    return stack


@pytest.mark.parametrize("wrapped", [False, True])
def test_agents_that_are_handed_off_to_are_guarded(wrapped: bool) -> None:
    ran: list[str] = []
    second = Agent(
        name="second", model=Scripted(asks("shout", text="evil"), says("done")), tools=[shouting(ran)]
    )
    first = Agent(
        name="first",
        model=Scripted(asks("transfer_to_second")),
        handoffs=[handoff(second) if wrapped else second],
    )
    result = run(guard_openai_agent(first, no_evil()))
    assert ran == []
    assert "Blocked by Fairlead: no" in outputs(result)


def test_tools_of_an_mcp_server_are_guarded() -> None:
    from agents.mcp import MCPServer
    from mcp.types import CallToolResult, TextContent
    from mcp.types import Tool as McpTool

    ran: list[Any] = []

    class Server(MCPServer):
        name = "fake"

        async def connect(self) -> None: ...

        async def cleanup(self) -> None: ...

        async def list_tools(self, run_context: Any = None, agent: Any = None) -> list[McpTool]:
            schema = {"type": "object", "properties": {"text": {"type": "string"}}}
            return [McpTool(name="shout", description="", inputSchema=schema)]

        async def call_tool(self, tool_name: str, arguments: Any, meta: Any = None) -> CallToolResult:
            ran.append(arguments)
            return CallToolResult(content=[TextContent(type="text", text="LOUD")])

        async def list_prompts(self) -> Any: ...

        async def get_prompt(self, name: str, arguments: Any = None) -> Any: ...

    for text, expected in (("evil", []), ("hello", [{"text": "hello"}])):
        model = Scripted(asks("shout", text=text), says("done"))
        agent = Agent(name="a", model=model, mcp_servers=[Server()])
        result = run(guard_openai_agent(agent, no_evil()))
        assert ran == expected
        assert ("Blocked by Fairlead: no" in outputs(result)) is (text == "evil")


def test_the_agent_that_was_given_stays_as_it_is() -> None:
    agent = Agent(name="a", tools=[shouting([])])
    guarded = guard_openai_agent(agent, no_evil())
    assert guarded is not agent
    assert guarded.name == "a"
    assert type(agent) is Agent
