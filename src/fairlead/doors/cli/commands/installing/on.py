"""`fairlead on`: anybody may tighten, so nobody is asked."""

from __future__ import annotations

import click

from fairlead.doors.cli.output import Session, note
from fairlead.policy.off import switch_on


@click.command()
@click.pass_obj
def command(session: Session) -> int:
    """Switch Fairlead on again, for every agent.

    \b
    Example:
      fairlead on
    """
    note("Fairlead is on again" if switch_on(session.places) else "Fairlead was on")
    return 0
