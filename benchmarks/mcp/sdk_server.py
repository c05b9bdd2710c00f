"""The same on the official library, as servers are written with it."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent

server = MCPServer("echo")


@server.tool(description="Echo.")
def echo(text: str = "", size: int = 0) -> CallToolResult:
    said = "a line of plain text\n" * (size // 21) if size else text
    return CallToolResult(content=[TextContent(type="text", text=said)])


if __name__ == "__main__":
    server.run("stdio")
