"""A group of commands whose modules are loaded when they are used, from a table of names and help."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from fairlead.errors import UsageError
from fairlead.policy.reading.schema import suggestion


class Subcommands(click.Group):
    """The command NAME is `command` in the module `PACKAGE.NAME`, with dashes as underscores."""

    table: Mapping[str, str]
    package: str
    folders: Mapping[str, str] = {}
    """The folder of the package that a command is in; of those that are in one."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """From the table alone: nothing is imported for a line of help."""
        found = self.table.items()
        return [CompletionItem(name, help=text) for name, text in found if name.startswith(incomplete)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not self.knows(cmd_name):
            return None
        folder = f"{self.folders[cmd_name]}." if cmd_name in self.folders else ""
        module = import_module(f"{self.package}.{folder}{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not self.knows(args[0]):
            hint = suggestion(args[0], self.table, otherwise=self.otherwise(ctx, args[0]))
            raise UsageError(f"there is no command {ctx.info_name} {args[0]}", hint=hint)
        return super().resolve_command(ctx, args)

    def knows(self, name: str) -> bool:
        return name in self.table

    def otherwise(self, ctx: click.Context, word: str) -> str:
        """What to say to a word that is near none of the commands."""
        return f"`{ctx.command_path} --help` lists them"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.table:
            with formatter.section("Commands"):
                names = self.list_commands(ctx)
                formatter.write_dl([(name, self.table[name]) for name in names])
