"""`fairlead shell`: where the hooks of a shell are."""

from __future__ import annotations

import os

import click

from fairlead.doors import bash
from fairlead.doors.cli.output import say


@click.command(name="shell")
@click.argument("name", metavar="SHELL", type=click.Choice(["bash"]))
def command(name: str) -> int:
    """Print the path of the file that a script sources to have hooks.

    \b
    Example, in a script:
      source "$(fairlead shell bash)"
    """
    say(os.path.join(os.path.dirname(bash.__file__), f"hooks.{name}"))
    return 0
