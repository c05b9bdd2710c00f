"""`fairlead completion`: the script that teaches a shell to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import say


@click.command()
@click.argument("shell", type=OneOf("completion for", ["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Examples:
      eval "$(fairlead completion bash)"
      fairlead completion fish > ~/.config/fish/completions/fairlead.fish
    """
    completion = get_completion_class(shell)
    assert completion is not None
    say(completion(ctx.find_root().command, {}, "fairlead", "_FAIRLEAD_COMPLETE").source())
