"""`fairlead fleet check`."""

from __future__ import annotations

import click

from fairlead.doors.cli.fleet.looked import tell_look
from fairlead.doors.cli.output import Session, note, show_json
from fairlead.doors.fleet.agent import look_once
from fairlead.doors.fleet.running.here import agent_here


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, *, as_json: bool) -> int:
    """Look once for what is published, and take it up. It does not wait its turn as the agent does.

    Exit code 1 when it was refused, or when the source cannot be reached.

    \b
    Example:
      fairlead fleet check
    """
    look = look_once(agent_here(session.places, note, spread=0))
    if not as_json:
        return tell_look(look)
    show_json(
        {
            "published": look.published,
            "took": look.took.version if look.took else None,
            "refusal": look.refusal.as_json() if look.refusal else None,
        }
    )
    return 1 if look.refusal else 0
