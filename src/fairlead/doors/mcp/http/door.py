"""`fairlead mcp --url URL`: puts the door before an address together and runs it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from fairlead.assembly import policy_for
from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.door import GRACE
from fairlead.doors.mcp.http.address import Address
from fairlead.doors.mcp.http.connections import Connections
from fairlead.doors.mcp.http.stdio_client import StdioClient
from fairlead.doors.mcp.http.upstream import Upstream
from fairlead.doors.mcp.judging import AGENT, Judge
from fairlead.doors.mcp.pins.door_pins import pins_of_url
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.model.value import Value
from fairlead.policy.places import Places, find_places


class RemoteEntry(Value):
    """A server as its client is configured to call it."""

    name: str
    url: str
    address: Address
    headers: Mapping[str, str]
    """Sent to that address and to no other."""
    grace: float = GRACE
    home: str = ""


def run_on_stdio(entry: RemoteEntry) -> int:
    """Until the client has ended; the exit code."""
    client = StdioClient(name=entry.name, grace=entry.grace)
    places = find_places(entry.home)
    judge = Judge(places, entry.name)
    try:
        pins = remote_pins(places, entry)
        for notice in pins.opening.notices:
            client.note(notice.text)
        gate = Gate(client, server=entry.name, judge=judge, pins=pins)
        connections = Connections(entry.address)
        return client.run(
            gate, lambda hearer, post: Upstream(connections, hearer, post, fixed=entry.headers, renews=True)
        )
    finally:
        judge.close()


def remote_pins(places: Places, entry: RemoteEntry) -> Pins:
    cwd = os.getcwd()
    mode = policy_for(places, git_root(cwd), AGENT).mode
    return pins_of_url(places, entry.name, entry.url, cwd=cwd, mode=mode)
