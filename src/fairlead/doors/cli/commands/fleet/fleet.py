"""`fairlead fleet`: this machine as one of many."""

from __future__ import annotations

from collections.abc import Mapping

import click

from fairlead.doors.cli.subcommands import Subcommands

SUBCOMMANDS: dict[str, str] = {
    # who this machine is
    "enrol": "Make this machine one of a fleet.",
    "leave": "Make it one no longer.",
    "status": "Show what it has from its fleet, and since when.",
    # taking up what is published
    "check": "Look once, now, for what is published.",
    "agent": "Take up what is published, and tell of this machine.",
    "start": "Start the agent in the background.",
    # what leaves this machine
    "privacy": "Show what of the calls here leaves this machine.",
    # where it is kept and looked at
    "machines": "List the machines that were heard, and those that were not.",
    "rollout": "Let a version go further, or stop it.",
    "halt": "Stop a version now, or take it back.",
    "watch": "Say hourly what is current, and stop what makes it worse.",
    "broker-key": "Make a key for somebody at the centre.",
    "broker-config": "Print the accounts and rights for a nats-server.",
    "broker-setup": "Make the streams of a fleet on a broker.",
    "collect": "Write what machines send into a database.",
    "dashboard": "Show the fleet in a browser.",
    # answers of people
    "asks": "Show what agents on other machines want to do, and wait for.",
    "answer": "Answer such a question, signed.",
    "answer-challenge": "Read an answer out to somebody who is locked out.",
    "grant-off": "Let a machine be switched off for a while, signed.",
    "notify-approvers": "Tell people of questions by a webhook.",
}
"""Name and one line of help; the file is `cli/fleet/NAME.py` or in a folder, with dashes as underscores."""
FOLDERS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "machines",
            "rollout",
            "halt",
            "watch",
            "broker-key",
            "broker-config",
            "broker-setup",
            "collect",
            "dashboard",
        ),
        "centre",
    ),
    **dict.fromkeys(("asks", "answer", "answer-challenge", "grant-off", "notify-approvers"), "people"),
}
"""The folder of those that are not about this machine."""


class FleetCommands(Subcommands):
    table = SUBCOMMANDS
    folders = FOLDERS
    package = "fairlead.doors.cli.fleet"


@click.group(name="fleet", cls=FleetCommands)
def command() -> None:
    """Take up signed policy, and tell the fleet of this machine.

    \b
    Examples:
      fairlead fleet status
      fairlead fleet privacy --last 3
      fairlead fleet dashboard --database sqlite:fleet.sqlite3
      fairlead fleet machines --source tls://broker.example:4222 --credentials collector
    """
