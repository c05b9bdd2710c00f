"""`fairlead off`: the way out, for a person."""

from __future__ import annotations

import click

from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.given.together import refuse_several
from fairlead.doors.cli.output import Session, note
from fairlead.errors import FairleadError, UsageError
from fairlead.policy.human import require_human
from fairlead.policy.off import read_off, switch_off
from fairlead.policy.places import Places

_LIMIT = 16 * 1024


@click.command()
@click.argument("agents", nargs=-1, type=AGENT)
@click.option(
    "--for", "duration", metavar="TIME", help="Such as 30m, 1h or 2d; without it, until `fairlead on`."
)
@click.option("--grant", type=FILE, metavar="FILE", help="As somebody of the fleet has signed it.")
@click.option("--granted", is_flag=True, help="The same, where the fleet's agent or root has taken it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(
    session: Session,
    *,
    agents: tuple[str, ...],
    duration: str | None,
    grant: str | None,
    granted: bool,
    yes: bool,
) -> int:
    """Switch Fairlead off: every call passes, and is recorded as passed.

    It works when Fairlead itself does not: the client reads the marker without Python and without a daemon.
    Where it is forbidden, a grant that `fairlead fleet grant-off` has signed for this machine still does it,
    once, for as long as the grant says.

    \b
    Examples:
      fairlead off --for 1h
      fairlead off cursor
      fairlead off --grant alice.grant
    """
    if grant or granted:
        _refuse_more(grant, granted, agents, duration)
        return _as_granted(session.places, grant, yes=yes)
    seconds = seconds_of(duration) if duration else None
    whom = f" for {', '.join(agents)}" if agents else ""
    require_human(session.places, f"switch Fairlead off{whom}", yes=yes, deed="off")
    off = switch_off(session.places, seconds=seconds, agents=agents)
    note(f"Fairlead is off {off.words()}; `fairlead on` ends that")
    return 0


def _refuse_more(grant: str | None, granted: bool, agents: tuple[str, ...], duration: str | None) -> None:
    refuse_several({"--grant": bool(grant), "--granted": granted})
    if agents or duration:
        raise UsageError("a grant says itself for how long and for whom", hint="leave AGENTS and --for out")


def _as_granted(places: Places, path: str | None, *, yes: bool) -> int:
    """What a person may do with the signature of another one, also where nobody here may."""
    from fairlead.fleet.glass.taking_off import take_grant, use_granted
    from fairlead.policy.glass.granted import is_for

    require_human(places, "switch Fairlead off, as it was granted", yes=yes)
    taken = take_grant(places, _content(path)) if path else None
    if taken is not None and not is_for(taken):
        note(f"taken, for another user: they switch off by `fairlead off --granted` ({taken.id[:12]})")
        return 0
    use_granted(places, taken)
    off = read_off(places)
    if off is None:
        raise FairleadError("it was switched off, and is on again", hint="did somebody run `fairlead on`?")
    note(f"Fairlead is off {off.words()}; `fairlead on` ends that")
    return 0


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_LIMIT + 1)
    except OSError as error:
        raise FairleadError(f"{path} cannot be read: {error.strerror}") from error
