"""`fairlead mcp -- COMMAND…`: puts the door together and runs it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.doors.mcp.environment import least
from fairlead.doors.mcp.judging import Judge
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.doors.mcp.stdio.pump import GRACE, Pump
from fairlead.doors.mcp.stdio.server_process import resolved, start
from fairlead.model.value import Value
from fairlead.policy.places import find_places


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
    judge = Judge(find_places(entry.home), entry.name)
    try:
        return pump.run(Gate(pump, server=entry.name, judge=judge, pins=NoPins()))
    finally:
        judge.close()


class Report(Value):
    notices: tuple[Any, ...] = ()
    blocked: Mapping[str, str] = {}


class NoPins:
    def seen(self, found: object, *, complete: bool) -> Report:
        return Report()

    prompts = resources = templates = seen

    def blocked(self, name: str) -> str:
        return ""

    blocked_prompt = blocked

    def instructions(self, text: str) -> None:
        return None


def default_name(vector: Sequence[str]) -> str:
    """Where the configuration gives none."""
    return os.path.basename(vector[0])
