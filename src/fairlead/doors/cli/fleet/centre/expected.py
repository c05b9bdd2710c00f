"""The list of machines that there should be, as an option of commands at the centre."""

from __future__ import annotations

import click

from fairlead.doors.cli.given.folders import FILE

EXPECTED = click.option(
    "--expected", type=FILE, default="", metavar="FILE", help="A line each: machine, group."
)
