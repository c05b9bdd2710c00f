"""`fairlead break-glass`: the way out where nothing else works, for a person with a one-time code."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.output import Session, note
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.break_glass import MINUTES, Breaking, break_glass
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.glass_limits import read_limits
from fairlead.policy.human import Terminal, refuse_agents
from fairlead.policy.off import read_off
from fairlead.policy.person.processes import lineage
from fairlead.policy.places import Places


@click.command(name="break-glass")
@click.argument("code", required=False)
@click.option("--reason", required=True, metavar="TEXT", help="What is broken, and who knows of it.")
@click.option(
    "--minutes", type=click.IntRange(1, 1440), metavar="N", help="How long; a policy says how long at most."
)
@click.pass_obj
def command(session: Session, code: str | None, reason: str, minutes: int | None) -> int:
    """Switch Fairlead off for a while with a one-time CODE, also where `fairlead off` is forbidden.

    It needs no broker, no daemon, no right clock and no right of root. The code is read out by whoever keeps
    the printed list; without CODE it is asked for, so that no shell remembers it. It works once, for this
    user, and until this machine is started anew at the longest. The journal says who broke the glass and why
    before it breaks, and the fleet is told at the next contact. `fairlead on` ends it.

    \b
    Examples:
      fairlead break-glass --reason "the broker is down, Ana knows"
      fairlead break-glass 7Q2M4-... --reason "release is stuck" --minutes 15
    """
    places = session.places
    refuse_agents("break the glass", list(lineage()), os.environ)
    limits = read_limits(places)
    minutes = min(MINUTES, limits.minutes) if minutes is None else minutes
    wanted = Breaking(code or _asked(), reason, minutes, _machine(places))
    break_glass(places, wanted, limits)
    off = read_off(places)
    if off is None:
        raise FairleadError(
            "the glass was broken, and is whole again", hint="did somebody run `fairlead on`?"
        )
    note(f"Fairlead is off {off.words()}; `fairlead on` ends that")
    return 0


def _asked() -> str:
    terminal = Terminal()
    if not terminal.available():
        raise UsageError("there is no terminal to type the code at", hint="give it as CODE")
    return terminal.ask_secret("Code: ")


def _machine(places: Places) -> str:
    """Empty where it is not known: then codes for the whole group still work."""
    try:
        enrolment = read_enrolment(places)
    except FairleadError as error:
        note(f"the enrolment cannot be read, so a code for this machine alone is not known: {error.message}")
        return ""
    return enrolment.machine if enrolment else ""
