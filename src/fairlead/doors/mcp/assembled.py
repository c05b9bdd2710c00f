"""The door of one server: its judge, its pins, the gate and the pump."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping

from fairlead.assembly import policy_for
from fairlead.doors.hook.canaries import Canaries
from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.door import Entry
from fairlead.doors.mcp.judging import AGENT, Judge
from fairlead.doors.mcp.pins.door_pins import pins_of_command
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.doors.mcp.stdio.pump import Pump
from fairlead.doors.mcp.stdio.server_process import ServerProcess
from fairlead.policy.mode import Mode
from fairlead.policy.places import Places, find_places


def stand_before(server: ServerProcess, entry: Entry, environment: Mapping[str, str]) -> int:
    """Until the server has ended; its exit code."""
    pump = Pump(server, name=entry.name, grace=entry.grace)
    places = find_places(entry.home)
    judge = Judge(places, entry.name)
    try:
        pins = _pins(places, entry, environment)
        for notice in pins.opening.notices:
            pump.note(notice.text)
        gate = Gate(pump, server=entry.name, judge=judge, pins=pins)
        gc.freeze()  # what was loaded stays to the end, and need not be looked through
        return pump.run(gate)
    finally:
        judge.close()


def _pins(places: Places, entry: Entry, environment: Mapping[str, str]) -> Pins:
    """What `fairlead doctor` tries is pinned in its own folder, and goes with it."""
    cwd = os.getcwd()
    root = git_root(cwd)
    tried = Canaries(places).has_project(root)
    mode = Mode() if tried else policy_for(places, root, AGENT).mode
    kept = places.replace(state=os.path.join(root, "state")) if tried else places
    return pins_of_command(kept, entry.name, entry.vector, cwd=cwd, environment=environment, mode=mode)
