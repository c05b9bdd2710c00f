"""`fairlead fleet broker-key`."""

from __future__ import annotations

import click

from fairlead.doors.cli.output import note, say
from fairlead.doors.fleet.centre.nkeys import new_seed, public_of, write_seed


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
def command(file: str) -> int:
    """Make a key by which a broker knows somebody at the centre, in FILE, and print its public half.

    FILE is readable by you alone; name it as --credentials. The public half goes into `fairlead fleet
    broker-config --user DUTY`. Machines make theirs when they enrol.

    \b
    Example:
      fairlead fleet broker-key publisher.nk > publisher.pub
    """
    write_seed(file, new_seed())
    say(public_of(file))
    note(f"the secret half is in {file}")
    return 0
