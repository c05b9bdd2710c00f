from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed: make test-frameworks")

from agents import Agent, Runner, function_tool, handoff, set_tracing_disabled
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.run_context import RunContextWrapper
from agents.tool import LocalShellCommandRequest
from agents.usage import Usage
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from fairlead import Block, ToolStack, guard_openai_agent
from fairlead.errors import RegistrationError
from framework_conformance import Conformance, Seen


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


def test_tools_that_run_a_shell_here_are_guarded() -> None:
    from agents import LocalShellTool, ShellTool
    from agents.tool import ShellActionRequest, ShellCallData, ShellCommandRequest
    from openai.types.responses.response_output_item import LocalShellCall, LocalShellCallAction

    from fairlead.doors.library.frameworks.openai_tools import guarded_tool

    ran: list[Any] = []
    stack = no_evil()
    stack.before(type="transformation")(
        lambda call: (
            call.replace(input={**call.input, "command": "ls -a"}) if call.input["command"] == "ls" else None
        )
    )
    context = RunContextWrapper(None)
    local: Any = guarded_tool(LocalShellTool(lambda request: ran.append(request.data.action.command)), stack)
    modern: Any = guarded_tool(ShellTool(lambda request: ran.append(request.data.action.commands)), stack)

    async def both(*words: str) -> list[Any]:
        action = LocalShellCallAction(command=list(words), env={}, type="exec")
        old = LocalShellCall(
            id="1", call_id="1", action=action, status="in_progress", type="local_shell_call"
        )
        new = ShellCallData("1", ShellActionRequest([" ".join(words)]))
        return [
            await local.executor(LocalShellCommandRequest(context, old)),
            await modern.executor(ShellCommandRequest(context, new)),
        ]

    assert asyncio.run(both("evil", "--now")) == ["Blocked by Fairlead: no"] * 2
    assert ran == []
    asyncio.run(both("ls"))
    assert ran == [["ls", "-a"], ["ls -a"]]


def test_edits_of_files_here_are_guarded() -> None:
    from agents import ApplyPatchTool
    from agents.editor import ApplyPatchOperation

    from fairlead.doors.library.frameworks.openai_tools import guarded_tool

    done: list[tuple[str, str]] = []

    class Editor:
        def create_file(self, operation: Any) -> None:
            done.append(("create", operation.path))

        async def update_file(self, operation: Any) -> None:
            done.append(("update", operation.path))

        def delete_file(self, operation: Any) -> None:
            done.append(("delete", operation.path))

    editor: Any = guarded_tool(ApplyPatchTool(Editor()), no_evil()).editor  # type: ignore[union-attr]

    async def edit() -> Any:
        await editor.create_file(ApplyPatchOperation("create_file", "a", "text"))
        await editor.update_file(ApplyPatchOperation("update_file", "a", "@@"))
        await editor.delete_file(ApplyPatchOperation("delete_file", "a"))
        return await editor.update_file(ApplyPatchOperation("update_file", "a", "@@", move_to="evil"))

    refused = asyncio.run(edit())
    assert done == [("create", "a"), ("update", "a"), ("delete", "a")]
    assert (refused.status, refused.output) == ("failed", "Blocked by Fairlead: no")


def test_law_1_a_patch_moves_the_file_to_where_the_guards_saw_it_go() -> None:
    from agents import ApplyPatchTool
    from agents.editor import ApplyPatchOperation

    from fairlead.doors.library.frameworks.openai_tools import guarded_tool

    moved: list[str | None] = []

    class Editor:
        def update_file(self, operation: Any) -> None:
            moved.append(operation.move_to)

    stack = ToolStack()
    stack.before(type="transformation")(
        lambda call: call.replace(input={**call.input, "paths": ["a", "safe/b"]})
    )
    editor: Any = guarded_tool(ApplyPatchTool(Editor()), stack).editor  # type: ignore[union-attr,arg-type]
    asyncio.run(editor.update_file(ApplyPatchOperation("update_file", "a", "@@", move_to="b")))
    assert moved == ["safe/b"]


def test_custom_tools_are_guarded() -> None:
    from agents import CustomTool

    from fairlead.doors.library.frameworks.openai_tools import guarded_tool

    made: Any = guarded_tool(CustomTool("sql", "", lambda context, text: text.upper()), no_evil())
    assert asyncio.run(made.on_invoke_tool(None, "select 1")) == "SELECT 1"
    assert asyncio.run(made.on_invoke_tool(None, "drop evil")) == "Blocked by Fairlead: no"


def test_law_2_a_tool_that_cannot_be_guarded_is_refused_rather_than_left_open() -> None:
    from agents import ComputerTool

    agent = Agent(name="a", tools=[ComputerTool(computer=lambda run_context: None)])  # type: ignore[arg-type,return-value]
    with pytest.raises(RegistrationError, match="a ComputerTool acts on this machine"):
        guard_openai_agent(agent, no_evil())


def test_an_agent_used_as_a_tool_must_be_guarded_itself() -> None:
    ran: list[str] = []
    script = Scripted(asks("shout", text="evil"), says("inner done"))
    inner = Agent(name="inner", model=script, tools=[shouting(ran)])
    tool = inner.as_tool("delegate", "Delegates.")
    with pytest.raises(RegistrationError, match="the agent behind the tool 'delegate' is not guarded"):
        guard_openai_agent(Agent(name="outer", tools=[tool]), no_evil())
    guarded = guard_openai_agent(inner, no_evil()).as_tool("delegate", "Delegates.")
    outer_script = Scripted(asks("delegate", input="go"), says("done"))
    result = run(guard_openai_agent(Agent(name="outer", model=outer_script, tools=[guarded]), no_evil()))
    assert ran == []
    assert outputs(result) == ["inner done"]
