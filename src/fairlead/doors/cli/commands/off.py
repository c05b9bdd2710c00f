"""`fairlead off`: the way out, for a person."""

from __future__ import annotations

import click

from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.output import Session, note
from fairlead.policy.human import require_human
from fairlead.policy.off import switch_off


@click.command()
@click.argument("agents", nargs=-1, type=AGENT)
@click.option(
    "--for", "duration", metavar="TIME", help="Such as 30m, 1h or 2d; without it, until `fairlead on`."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(session: Session, agents: tuple[str, ...], duration: str | None, yes: bool) -> int:
    """Switch Fairlead off: every call passes, and is recorded as passed.

    It works when Fairlead itself does not: the client reads the marker without Python and without a daemon.

    \b
    Examples:
      fairlead off --for 1h
      fairlead off cursor
    """
    seconds = seconds_of(duration) if duration else None
    whom = f" for {', '.join(agents)}" if agents else ""
    require_human(session.places, f"switch Fairlead off{whom}", yes=yes, deed="off")
    off = switch_off(session.places, seconds=seconds, agents=agents)
    note(f"Fairlead is off {off.words()}; `fairlead on` ends that")
    return 0
