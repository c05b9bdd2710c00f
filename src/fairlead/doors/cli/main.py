"""The `fairlead` command. Commands are loaded when they are used, so that help and hooks stay quick."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from fairlead import __version__
from fairlead.doors.cli.output import Session, complain
from fairlead.errors import FairleadError, PluginError, UsageError

COMMANDS = {
    "allow": "Make an exception from a rule, for a place, a while, or once.",
    "approve": "Let one refused call through, once.",
    "audit": "Only watch what counted until now: it is written down, and goes on.",
    "bus": "Answer hook requests for a fleet, over a message broker.",
    "check": "Judge a command as an agent's shell call.",
    "completion": "Print the completion script for a shell.",
    "coverage": "Show what each event of an agent can be told.",
    "daemon": "The warm process that answers hook calls: status, stop, restart, logs.",
    "doctor": "Check that agents are really guarded, and mend what is not.",
    "explain": "Show one recorded call and why it was decided so.",
    "forward": "Send calls to an OpenTelemetry collector or a StatsD server.",
    "hook": "Answer one hook call of an agent: payload on stdin.",
    "hooks": "List hooks, and turn them on and off.",
    "import": "Make an agent's own hooks part of your policy.",
    "index": "The index of the journal: make it anew.",
    "init": "Write a first policy into a project.",
    "install": "Put Fairlead into the settings of agents.",
    "learn": "Show what you decided again and again, as lines of a policy.",
    "log": "Show the calls that were answered; check their record.",
    "mcp": "Stand between a client and an MCP server.",
    "new": "Write the beginning of a middleware of your own.",
    "notify": "Show of what you are told at once, and try it.",
    "off": "Switch Fairlead off, for a while or for an agent.",
    "on": "Switch Fairlead on again.",
    "packs": "Look at the built-in rules, and turn packs of them off and on.",
    "parse": "Show what a line of shell would run.",
    "plugins": "Show what other packages add, and what is wrong with it.",
    "policy": "Look at the policy files that apply here.",
    "programs": "Look at what is known about programs, and check what you teach about yours.",
    "promote": "Enforce what was only watched, after a look at what that would have stopped.",
    "report": "Print a false alarm as a small example without anything private.",
    "replay": "Judge recorded calls again, and show what another policy would change.",
    "run": "Run the implementations of a script's hook.",
    "sessions": "Show the sessions of agents.",
    "shell": "Print the file that gives a shell its hooks.",
    "snapshot": "Save the work of a project that no commit has.",
    "stats": "Count calls by agent, rule, hook and more, with latency.",
    "status": "Show which agents are guarded, and since when.",
    "tail": "Show calls as they are answered.",
    "test": "Run the tests that stand beside policies.",
    "trust": "Let a project's own policy loosen and run code.",
    "ui": "Show the journal in a browser, live.",
    "undo": "Bring back what a call lost.",
    "uninstall": "Take Fairlead out of the settings of agents.",
    "untrust": "Forget that a project was trusted.",
}
"""Name and one line of help; the file is `commands/NAME.py`, with dashes as underscores."""

_FILES = {"import": "import_"}
"""Names that Python keeps for itself."""


INTERRUPTED = 130
"""What shells answer for a command that Ctrl-C ended."""


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return _foreign(cmd_name)
        name = _FILES.get(cmd_name, cmd_name.replace("-", "_"))
        module = import_module(f"fairlead.doors.cli.commands.{name}")
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
            if ctx.invoked_subcommand in COMMANDS:
                raise
            message = f"the command {ctx.invoked_subcommand!r} of a plugin broke"
            raise PluginError(f"{message}: {type(error).__name__}: {error}") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))
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

    near = get_close_matches(word, COMMANDS, n=1)
    return f"did you mean {near[0]!r}?" if near else "`fairlead --help` lists them"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fairlead")
@click.option("--home", metavar="DIR", help="Keep everything of Fairlead under DIR.")
@click.pass_context
def fairlead(ctx: click.Context, home: str | None) -> None:
    """One hook engine for AI agents and scripts.

    \b
    Examples:
      fairlead check 'rm -rf /'
      fairlead init && fairlead policy check
      fairlead explain --last
    """
    ctx.obj = Session(home or "")


def run(arguments: Sequence[str]) -> None:
    """Exit codes are those of the contract: 64 for wrong usage, never click's 2, which means block."""
    try:
        result = fairlead.main(args=list(arguments), prog_name="fairlead", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort as stop:
        sys.exit(INTERRUPTED if isinstance(stop.__cause__, KeyboardInterrupt) else 1)
    except click.UsageError as error:
        hint = f"`{error.ctx.command_path} --help` shows how" if error.ctx else ""
        sys.exit(complain(UsageError(error.format_message(), hint=hint)))
    except click.ClickException as error:
        sys.exit(complain(FairleadError(error.format_message())))
    except FairleadError as error:
        sys.exit(complain(error))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    sys.exit(result if isinstance(result, int) else 0)
