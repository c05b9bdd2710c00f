"""`fairlead fleet`: this machine as one of many."""

from __future__ import annotations

import click

from fairlead.doors.cli.subcommands import Subcommands

SUBCOMMANDS: dict[str, str] = {
    # who this machine is
    # taking up what is published
    # what leaves this machine
    # where it is kept and looked at
    # answers of people
    "asks": "Show what agents on other machines want to do, and wait for.",
    "answer": "Answer such a question, signed.",
    "notify-approvers": "Tell people of questions by a webhook.",
}
"""Name and one line of help; the file is `cli/fleet/NAME.py`, with dashes as underscores."""


class FleetCommands(Subcommands):
    table = SUBCOMMANDS
    package = "fairlead.doors.cli.fleet"


@click.group(name="fleet", cls=FleetCommands)
def command() -> None:
    """Take up signed policy, and tell the fleet of this machine."""
