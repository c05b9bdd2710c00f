"""`fairlead hook AGENT --bus URL`: one call answered here, with the fleet's guard beside the local policy."""

from __future__ import annotations

from fairlead.doors.bus.connection import Broker
from fairlead.doors.bus.fleet import fleet_hooks
from fairlead.doors.hook.cold import parse, run


def main(words: list[str]) -> int:
    arguments = parse(words)
    broker = Broker(arguments.bus, arguments.credentials, *arguments.tls).checked()
    return run(arguments, more_hooks=fleet_hooks(broker))
