"""`fairlead fleet leave`."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

import click

from fairlead.doors.cli.output import Session, note
from fairlead.doors.fleet.running.here import enrolment_here
from fairlead.doors.fleet.running.lock import running_agent
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.store import store_of
from fairlead.policy.human import require_human

_PATIENCE, _PAUSE = 100, 0.1


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(session: Session, *, yes: bool) -> int:
    """Make this machine one of no fleet: nothing of its fleet is in force any more.

    It takes a person; where the fleet or root forbids `off`, nobody leaves. What was seen of the fleet is
    kept, so that coming back brings no old bundle along. For the fleet, the machine falls silent.

    \b
    Example:
      fairlead fleet leave
    """
    places = session.places
    enrolment = enrolment_here(places)
    if enrolment.path == places.system_enrolment and os.geteuid() != 0:
        raise FairleadError("root has enrolled this machine", hint="only root can take it out")
    action = f"leave the fleet, and drop what it decided for {enrolment.group}"
    require_human(places, action, yes=yes, deed="off")
    folder, store = places.fleet, store_of(places)
    os.unlink(enrolment.path)
    _end_agent(folder)
    store.drop()
    note(f"{enrolment.machine} belongs to no fleet any more")
    return 0


def _end_agent(folder: str) -> None:
    """It would take up again what is dropped. Raises FairleadError where it does not end."""
    agent = running_agent(folder)
    for _ in range(_PATIENCE):
        if not running_agent(folder):
            return
        with suppress(OSError):
            os.kill(agent, signal.SIGTERM)
        time.sleep(_PAUSE)
    raise FairleadError(f"the agent, process {agent}, does not end", hint=f"kill -9 {agent}")
