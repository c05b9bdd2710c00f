"""The `fairlead` command. Commands are loaded when they are used, so that help and hooks stay quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from fairlead import __version__
from fairlead.doors.cli.command_table import COMMANDS, FOLDERS, GROUPS, OTHER_WORDS
from fairlead.doors.cli.output import Session, complain, say_lines
from fairlead.doors.cli.presentation.screen import screen_width, wants_colour
from fairlead.errors import FairleadError, PluginError, UsageError

_FILES = {"import": "import_"}
"""Names that Python keeps for itself."""


_HELP_WIDTH = 80
"""Of help that is piped."""
INTERRUPTED = 130
"""What shells answer for a command that Ctrl-C ended."""


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """From the table alone: to import every command for its line of help takes a second."""
        known = {**COMMANDS, **foreign_commands()}
        found = [
            CompletionItem(name, help=text) for name, text in known.items() if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return _foreign(cmd_name)
        name = _FILES.get(cmd_name, cmd_name.replace("-", "_"))
        module = import_module(f"fairlead.doors.cli.commands.{FOLDERS[cmd_name]}.{name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and _foreign(args[0]) is None:
            raise UsageError(f"there is no command {args[0]!r}", hint=_nearest(args[0]))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, FairleadError, BrokenPipeError):
            raise
        except Exception as error:
            if ctx.invoked_subcommand is None or ctx.invoked_subcommand in COMMANDS:
                raise
            message = f"the command {ctx.invoked_subcommand!r} of a plugin broke"
            raise PluginError(f"{message}: {type(error).__name__}: {error}") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))
        more = foreign_commands()
        if more:
            with formatter.section("Commands of plugins"):
                formatter.write_dl(sorted(more.items()))


def foreign_commands() -> dict[str, str]:
    """Name, and whose it is. Nothing of them is imported, so there is no help of their own."""
    from fairlead.entry_points import installed

    found = installed("commands")
    return {one.name: f"From {one.distribution} {one.version}." for one in found if one.name not in COMMANDS}


def _foreign(name: str) -> click.Command | None:
    """Raises PluginError when it is there and cannot be used."""
    if name not in foreign_commands():
        return None
    from fairlead.entry_points import load

    command = load("commands", name)
    if not isinstance(command, click.Command):
        raise PluginError(f"the command {name!r} of a plugin is no click command")
    return command


def _nearest(word: str) -> str:
    from difflib import get_close_matches

    near = next(iter(get_close_matches(word, [*COMMANDS, *OTHER_WORDS], n=1)), "")
    meant = OTHER_WORDS.get(word) or OTHER_WORDS.get(near, near)
    return f"did you mean `fairlead {meant}`?" if meant else "`fairlead --help` lists them"


@click.group(
    cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="fairlead")
@click.option(
    "--home", type=click.Path(file_okay=False), metavar="DIR", help="Keep everything of Fairlead under DIR."
)
@click.pass_context
def fairlead(ctx: click.Context, home: str | None) -> None:
    """One hook engine for AI agents and scripts.

    \b
    Examples:
      fairlead check 'rm -rf /'
      fairlead install && fairlead doctor
      fairlead explain --last
    """
    ctx.color = wants_colour(os.environ)
    ctx.obj = Session(home or "")
    if ctx.invoked_subcommand is None:
        from fairlead.doors.cli.first_screen import first_screen

        say_lines(first_screen(ctx.obj))


def _complain_of_words(error: click.UsageError) -> int:
    """A group without a word after it shows the words that may follow."""
    path = error.ctx.command_path if error.ctx else ""
    hint = f"`{path} --help` shows how" if path else ""
    if isinstance(error, _NO_WORD):
        code = complain(UsageError(f"{path}: a word is missing"))
        click.echo(f"\n{error.message}", err=True)
        return code
    return complain(UsageError(error.format_message(), hint=hint))


_NO_WORD = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""Before click 8.2, a group without a word shows its help, and is no error."""


def run(arguments: Sequence[str]) -> None:
    """Exit codes are those of the contract: 64 for wrong usage, never click's 2, which means block."""
    try:
        result = fairlead.main(
            args=list(arguments),
            prog_name="fairlead",
            standalone_mode=False,
            terminal_width=screen_width() or _HELP_WIDTH,
        )
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort as stop:
        sys.exit(INTERRUPTED if isinstance(stop.__cause__, KeyboardInterrupt) else 1)
    except click.UsageError as error:
        sys.exit(_complain_of_words(error))
    except click.ClickException as error:
        sys.exit(complain(FairleadError(error.format_message())))
    except FairleadError as error:
        sys.exit(complain(error))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    sys.exit(result if isinstance(result, int) else 0)
