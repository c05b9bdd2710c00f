"""`fairlead mcp`: the door between a client and a server of the Model Context Protocol."""

from __future__ import annotations

from importlib import import_module

import click
from click.shell_completion import CompletionItem

from fairlead.errors import UsageError
from fairlead.policy.schema import suggestion

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


class McpCommands(click.Group):
    """What begins with an option or `--` is the door itself; a word is one of the commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] not in ("-h", "--help"):
            args = [_DOOR, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = SUBCOMMANDS.items()
        return [CompletionItem(name, help=text) for name, text in found if name.startswith(incomplete)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS and cmd_name != _DOOR:
            return None
        module = import_module(f"fairlead.doors.cli.mcp.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in SUBCOMMANDS and args[0] != _DOOR:
            start = f"to start a server: fairlead mcp --name {args[0]} -- COMMAND..."
            hint = suggestion(args[0], SUBCOMMANDS, otherwise=start)
            raise UsageError(f"there is no command mcp {args[0]}", hint=hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(SUBCOMMANDS.items()))


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
