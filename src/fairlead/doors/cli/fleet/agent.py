"""`fairlead fleet agent`."""

from __future__ import annotations

import click

from fairlead.doors.cli.fleet.looked import tell_look
from fairlead.doors.cli.output import Session, note
from fairlead.doors.fleet.agent import SPREAD, look_once, run_agent
from fairlead.doors.fleet.running.here import agent_here


@click.command()
@click.option("--once", is_flag=True, help="Look once, and end.")
@click.option(
    "--spread",
    type=click.FloatRange(0, 3600),
    default=SPREAD,
    show_default=True,
    metavar="SECONDS",
    help="Over how long machines scatter when a bundle is published.",
)
@click.pass_obj
def command(session: Session, *, once: bool, spread: float) -> int:
    """Take up what is published for this machine's group, and attend to what else its fleet wants of it.

    One per machine; a second one ends at once. It goes on until it is told to stop, and may be killed at any
    moment: a bundle counts when it was checked in full, and until then the one before it does.

    \b
    Examples:
      fairlead fleet agent
      fairlead fleet agent --once
    """
    agent = agent_here(session.places, note, spread=spread)
    if once:
        return tell_look(look_once(agent))
    if not run_agent(agent, session.places.fleet):
        note("an agent is running already")
    return 0
