"""`fairlead bundle`: a policy folder as one signed file."""

from __future__ import annotations

import click

from fairlead.doors.cli.subcommands import Subcommands

SUBCOMMANDS: dict[str, str] = {
    "codes": "Make one-time codes that break the glass.",
}
"""Name and one line of help; the file is `cli/bundle/NAME.py`."""


class BundleCommands(Subcommands):
    table = SUBCOMMANDS
    package = "fairlead.doors.cli.bundle"


@click.group(name="bundle", cls=BundleCommands)
def command() -> None:
    """Make a policy folder one signed file, and check such files."""
