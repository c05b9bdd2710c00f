"""`fairlead mcp -- COMMAND…`: puts the door together and runs it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from fairlead.assembly import policy_for
from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.environment import least
from fairlead.doors.mcp.judging import AGENT, Judge
from fairlead.doors.mcp.pins.door_pins import pins_of_command
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.doors.mcp.stdio.pump import GRACE, Pump
from fairlead.doors.mcp.stdio.server_process import resolved, start
from fairlead.model.value import Value
from fairlead.policy.places import Places, find_places


class Entry(Value):
    """A server as its client is configured to start it."""

    name: str
    vector: tuple[str, ...]
    listed: tuple[str, ...] = ()
    """Names of variables that it gets besides the base."""
    grace: float = GRACE
    home: str = ""


def run(entry: Entry) -> int:
    """Until the server has ended; its exit code. Raises CannotStartError."""
    environment = least(os.environ, entry.listed)
    program = resolved(entry.vector[0], environment)
    server = start(program, entry.vector, environment)
    pump = Pump(server, name=entry.name, grace=entry.grace)
    places = find_places(entry.home)
    judge = Judge(places, entry.name)
    try:
        pins = _pins(places, entry, environment)
        for notice in pins.opening.notices:
            pump.note(notice.text)
        return pump.run(Gate(pump, server=entry.name, judge=judge, pins=pins))
    finally:
        judge.close()


def _pins(places: Places, entry: Entry, environment: Mapping[str, str]) -> Pins:
    cwd = os.getcwd()
    mode = policy_for(places, git_root(cwd), AGENT).mode
    return pins_of_command(places, entry.name, entry.vector, cwd=cwd, environment=environment, mode=mode)


def default_name(vector: Sequence[str]) -> str:
    """Where the configuration gives none."""
    return os.path.basename(vector[0])
