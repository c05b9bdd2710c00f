"""`fairlead fleet start`."""

from __future__ import annotations

import os
import time

import click

from fairlead.doors.cli.output import Session, note
from fairlead.doors.fleet.running.here import enrolment_here
from fairlead.doors.fleet.running.lock import running_agent
from fairlead.doors.fleet.running.starting import LOG, ensure_agent
from fairlead.errors import FairleadError
from fairlead.policy.places import Places

_PATIENCE = 30
"""Seconds until an agent that has not begun to run is given up."""


@click.command()
@click.pass_obj
def command(session: Session) -> int:
    """Start the agent in the background, where no service manager does. The daemon does so, too.

    \b
    Example:
      fairlead fleet start
    """
    enrolment_here(session.places)
    if os.path.lexists(session.places.system_enrolment) and os.geteuid() != 0:
        message = "root has enrolled this machine, and runs its agent"
        raise FairleadError(message, hint="sudo fairlead fleet start")
    running = running_agent(session.places.fleet)
    if running:
        note(f"the agent runs already: process {running}")
    elif ensure_agent(session.places):
        return _told(session.places)
    return 0


def _told(places: Places) -> int:
    log = os.path.join(places.run, LOG)
    until = time.monotonic() + _PATIENCE
    while not (running := running_agent(places.fleet)):
        if time.monotonic() > until:
            raise FairleadError("the agent did not start", hint=f"what it has to say is in {log}")
        time.sleep(0.05)
    note(f"the agent runs: process {running}; what it has to say is in {log}")
    return 0
