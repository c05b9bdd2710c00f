"""A server of the official library over HTTP, on a free port that it prints; it keeps what it was asked."""

from __future__ import annotations

import json
import socket
import sys
from typing import Annotated, Any

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel, Field

KEY = "ghp_" + "x7Kq2mZ9pL4vR8tW1nB6cY3dF5hJ0sG7aQeU"
server = MCPServer("real", instructions="Words.")


class Name(BaseModel):
    name: str


def note(tool: str, **arguments: Any) -> None:
    with open(sys.argv[1], "a") as file:
        file.write(json.dumps({"tool": tool, **arguments}) + "\n")


@server.tool()
def echo(words: str) -> str:
    note("echo", words=words)
    return words


@server.tool()
def look(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
    note("look", region=region)
    return f"seen {region}"


@server.tool()
def key() -> dict[str, str]:
    return {"token": KEY}


@server.tool()
async def count(to: int, ctx: Context) -> str:
    for each in range(to):
        await ctx.report_progress(each, to)
    return f"counted {to}"


@server.tool()
async def greet(ctx: Context) -> str:
    answer = await ctx.elicit("Who are you?", Name)
    return f"hello {answer.data.name}" if answer.action == "accept" else "hello nobody"


@server.tool()
def bash(command: str) -> str:
    note("bash", command=command)
    return "ran"


@server.resource("note://one")
def one() -> str:
    return f"a note with {KEY}"


@server.prompt()
def tell(topic: str) -> str:
    return f"Tell me about {topic}"


def main() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        app = server.streamable_http_app(stateless_http="--stateless" in sys.argv)
        uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])


if __name__ == "__main__":
    main()
