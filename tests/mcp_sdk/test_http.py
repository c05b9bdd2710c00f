"""The official client and a server of the official library, with the door between them over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="`make test-mcp` has the official client and the servers")

import anyio
import httpx2
import mcp_types as types
from http_server import KEY
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from mcp_listener import TOKEN, Listener

SERVER = str(Path(__file__).with_name("http_server.py"))
MODES = ("legacy", "auto")
WAYS = ("stdio", "http")
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
    if event["tool_name"].endswith("__look"):
        return {"updated_input": {"region": "größe"}}
"""


@pytest.fixture(params=["sessions", "stateless"])
def server(request, tmp_path):
    log = tmp_path / "asked"
    log.touch()
    words = [sys.executable, SERVER, str(log), *(["--stateless"] if request.param == "stateless" else [])]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp", log
        process.terminate()


@asynccontextmanager
async def clients(way, mode, url, home, elicit=None):
    options = {"mode": mode, "elicitation_callback": elicit, "read_timeout_seconds": 60, "cache": None}
    if way == "stdio":
        words = ["-m", "fairlead", "--home", str(home), "mcp", "--name", "real", "--url", url]
        stdio = stdio_client(StdioServerParameters(command=sys.executable, args=words, cwd=str(home)))
        async with Client(stdio, **options) as client:
            yield client
        return
    door = await anyio.to_thread.run_sync(lambda: Listener(home, url, "--name", "real", TOKEN=TOKEN))
    with door:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
            Client(
                streamable_http_client(f"http://127.0.0.1:{door.port}/mcp", http_client=http), **options
            ) as client,
        ):
            yield client


def said(result):
    return "".join(block.text for block in result.content if block.type == "text")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_judged_and_what_is_not(way, mode, server, tmp_path):
    url, log = server

    async def talk():
        async with clients(way, mode, url, tmp_path) as client:
            assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
            assert client.instructions == "Words."
            assert {tool.name for tool in (await client.list_tools()).tools} >= {"echo", "look", "key"}
            assert said(await client.call_tool("echo", {"words": "größe\u2028"})) == "größe\u2028"
            refused = await client.call_tool("bash", {"command": "rm -rf /"})
            assert refused.is_error
            assert "Blocked by Fairlead" in said(refused)
            key = await client.call_tool("key", {})
            assert KEY not in said(key)
            assert key.structured_content == {"token": "[redacted:github-token]"}
            note = (await client.read_resource("note://one")).contents[0].text
            assert note == "a note with [redacted:github-token]"
            prompt = await client.get_prompt("tell", {"topic": "ships"})
            assert prompt.messages[0].content.text == "Tell me about ships"
            seen = []

            async def progress(*words):
                seen.append(words)

            counted = await client.call_tool("count", {"to": 3}, progress_callback=progress)
            assert (said(counted), len(seen)) == ("counted 3", 3)

    anyio.run(talk)
    assert [json.loads(line) for line in log.read_text().splitlines()] == [
        {"tool": "echo", "words": "größe\u2028"}
    ]


def house(tmp_path, policy, **files):
    folder = tmp_path / "config" / "hooks" / "house"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(policy)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


@pytest.mark.parametrize("server", ["sessions"], indirect=True)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("yes", [True, False])
def test_the_person_is_asked_in_the_client(way, mode, yes, server, tmp_path):
    house(tmp_path, POLICY)
    asked = []

    async def elicit(_, params):
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"allow": yes})

    async def talk():
        async with clients(way, mode, server[0], tmp_path, elicit) as client:
            return await client.call_tool("look", {"region": "secret"})

    result = anyio.run(talk)
    assert "Really." in asked[0]
    assert result.is_error is not yes
    assert bool(server[1].read_text()) is yes


@pytest.mark.parametrize("server", ["sessions"], indirect=True)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_a_rewritten_argument_is_taken_by_a_server_that_compares_headers(way, mode, server, tmp_path):
    house(tmp_path, REWRITE, moves=MOVES)

    async def talk():
        async with clients(way, mode, server[0], tmp_path) as client:
            return await client.call_tool("look", {"region": "eu"})

    assert said(anyio.run(talk)) == "seen größe"


@pytest.mark.parametrize("server", ["sessions"], indirect=True)
@pytest.mark.parametrize("way", WAYS)
def test_the_servers_own_question_reaches_the_person(way, server, tmp_path):
    async def elicit(_, params):
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def talk():
        async with clients(way, "legacy", server[0], tmp_path, elicit) as client:
            return await client.call_tool("greet", {})

    assert said(anyio.run(talk)) == "hello Ada"
