"""One line for who writes a server, one for who writes a client, with the official library."""

from __future__ import annotations

import gc
from contextlib import asynccontextmanager

import pytest

pytest.importorskip("mcp_types", reason="`make test-mcp` has the official client and the servers")

import anyio
import mcp_types as types
from mcp.client._memory import InMemoryTransport
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError

from fairlead import guard_mcp_client, guard_mcp_server

MODES = ("legacy", "auto")
SIDES = ("server", "client")
KEY = "ghp_" + "x7Kq2mZ9pL4vR8tW1nB6cY3dF5hJ0sG7aQeU"
POLICY = """
event: BeforeTool
rules:
  - {id: ask, tool: mcp__real__look, decision: ask, reason: Really.,
     stops: [{tool: mcp__real__look, input: {region: secret}}]}
"""
REWRITE = """
event: PreToolUse
middleware:
  - {id: moves, type: transformation, path: moves.py}
"""
MOVES = """
def process(event, config, previous):
    if event["tool_name"].endswith("__echo"):
        return {"updated_input": {"words": "other"}}
"""


def house(tmp_path, policy, **files):
    folder = tmp_path / "config" / "hooks" / "house"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(policy)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def make_server(ran):
    server = MCPServer("real")

    @server.tool()
    def echo(words: str) -> str:
        ran.append(words)
        return words

    @server.tool()
    def look(region: str) -> str:
        ran.append(region)
        return region

    @server.tool()
    def key() -> dict[str, str]:
        return {"token": KEY}

    @server.tool()
    def bash(command: str) -> str:
        ran.append(command)
        return "ran"

    @server.resource("note://one")
    def one() -> str:
        return KEY

    @server.resource("file:///{path}")
    def file(path: str) -> str:
        ran.append(path)
        return "x"

    return server


@asynccontextmanager
async def talking(side, mode, tmp_path, ran, elicit=None):
    server = make_server(ran)
    home = str(tmp_path)
    if side == "server":
        server = guard_mcp_server(server, home=home)
        transport = InMemoryTransport(server)
    else:
        transport = guard_mcp_client(InMemoryTransport(server), name="real", home=home)
    options = {"mode": mode, "elicitation_callback": elicit, "cache": None}
    async with Client(transport, **options) as client:
        yield client
    del server, transport
    gc.collect()


def said(result):
    return "".join(block.text for block in result.content if block.type == "text")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("side", SIDES)
def test_allowed_refused_and_redacted(side, mode, tmp_path):
    ran = []

    async def talk():
        async with talking(side, mode, tmp_path, ran) as client:
            await client.list_tools()
            assert said(await client.call_tool("echo", {"words": "hi"})) == "hi"
            refused = await client.call_tool("bash", {"command": "rm -rf /"})
            assert refused.is_error
            assert "Blocked by Fairlead" in said(refused)
            key = await client.call_tool("key", {})
            assert key.structured_content == {"token": "[redacted:github-token]"}
            assert KEY not in said(key)
            assert (await client.read_resource("note://one")).contents[0].text == "[redacted:github-token]"
            with pytest.raises(MCPError, match="Fairlead"):
                await client.read_resource("file:///root/.ssh/id_rsa")

    anyio.run(talk)
    assert ran == ["hi"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("yes", [True, False, None])
def test_the_person_is_asked_where_the_client_can_ask(side, mode, yes, tmp_path):
    house(tmp_path, POLICY)
    ran, asked = [], []

    async def elicit(_, params):
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"allow": yes})

    async def talk():
        async with talking(side, mode, tmp_path, ran, None if yes is None else elicit) as client:
            return await client.call_tool("look", {"region": "secret"})

    result = anyio.run(talk)
    assert bool(asked) is (yes is not None)
    assert result.is_error is not bool(yes)
    assert ran == (["secret"] if yes else [])
    assert ("fairlead approve" in said(result)) is (yes is None)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("side", SIDES)
def test_a_hook_rewrites_the_arguments(side, mode, tmp_path):
    house(tmp_path, REWRITE, moves=MOVES)
    ran = []

    async def talk():
        async with talking(side, mode, tmp_path, ran) as client:
            return await client.call_tool("echo", {"words": "mine"})

    anyio.run(talk)
    assert ran == ["other"]


def test_a_low_level_server_is_guarded_by_the_same_line(tmp_path):
    async def call(ctx, params):
        return types.CallToolResult(content=[types.TextContent(type="text", text=KEY)])

    async def listed(ctx, params):
        return types.ListToolsResult(tools=[types.Tool(name="key", input_schema={"type": "object"})])

    server = guard_mcp_server(Server("low", on_call_tool=call, on_list_tools=listed), home=str(tmp_path))

    async def talk():
        async with Client(InMemoryTransport(server)) as client:
            return await client.call_tool("key", {})

    assert said(anyio.run(talk)) == "[redacted:github-token]"


def test_a_session_on_streams_is_guarded_by_the_same_line(tmp_path):
    ran = []

    async def talk():
        transport = guard_mcp_client(InMemoryTransport(make_server(ran)), name="real", home=str(tmp_path))
        async with transport as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            return await session.call_tool("bash", {"command": "rm -rf /"})

    assert anyio.run(talk).is_error
    assert ran == []


def test_a_tool_whose_words_change_is_held_back_at_the_client(tmp_path):
    async def talk(words):
        server = MCPServer("real")
        server.add_tool(lambda: "ran", name="t", description=words)
        transport = guard_mcp_client(InMemoryTransport(server), name="real", home=str(tmp_path))
        async with Client(transport, cache=None) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            return listed, await client.call_tool("t", {})

    assert anyio.run(talk, "Adds.")[0] == ["t"]
    listed, result = anyio.run(talk, "Adds other things.")
    assert listed == []
    assert result.is_error
