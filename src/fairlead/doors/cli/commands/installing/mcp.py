"""`fairlead mcp`: the door between a client and a server of the Model Context Protocol."""

from __future__ import annotations

import click

from fairlead.doors.cli.subcommands import Subcommands

SUBCOMMANDS = {
    "diff": "Show what changed in what servers say of themselves.",
    "pin": "Let through what waits for you of a server.",
    "pins": "Show what is pinned of servers.",
    "unpin": "Forget what was pinned of a server.",
    "env": "Show which variables a server gets.",
    "install": "Put the door before the servers of MCP clients.",
    "status": "Show which servers have the door before them.",
    "uninstall": "Take the door away from the servers of MCP clients.",
}
"""Name and one line of help; the file is `cli/mcp/NAME.py`."""

_DOOR = "serve"


class McpCommands(Subcommands):
    """What begins with an option or `--` is the door itself; a word is one of the commands."""

    table = SUBCOMMANDS
    package = "fairlead.doors.cli.mcp"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] not in ("-h", "--help"):
            args = [_DOOR, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(SUBCOMMANDS)

    def knows(self, name: str) -> bool:
        return name in SUBCOMMANDS or name == _DOOR

    def otherwise(self, ctx: click.Context, word: str) -> str:
        return f"to start a server: fairlead mcp --name {word} -- COMMAND..."


@click.group(
    name="mcp",
    cls=McpCommands,
    subcommand_metavar="[--name N] [--env NAME]... -- COMMAND... | [--name N] --url URL | COMMAND",
)
def command() -> None:
    """Stand between a client and an MCP server, with the same policy as hooks have.

    \b
    Examples:
      fairlead mcp --name files -- npx -y @modelcontextprotocol/server-filesystem .
      fairlead mcp --name tickets --url https://tickets.example.org/mcp
      fairlead mcp env --env GITHUB_TOKEN
    """
