"""The pins of a server that a door starts, by what its client configured."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.pins.pins import Pins, rules_of
from fairlead.doors.mcp.pins.server_identity import identity_of_command, identity_of_url
from fairlead.doors.mcp.pins.server_record import ServerKey
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.policy.mode import Mode
from fairlead.policy.places import Places


def pins_of_command(
    places: Places,
    name: str,
    vector: Sequence[str],
    *,
    cwd: str,
    environment: Mapping[str, str],
    mode: Mode,
) -> Pins:
    """`environment` is what the server gets; `mode` what the policy says of everything."""
    identity = identity_of_command(vector, cwd=cwd, environment=environment)
    return Pins(PinStore(places), ServerKey(name, scope_of(cwd)), identity, rules=rules_of(mode))


def pins_of_url(places: Places, name: str, url: str, *, cwd: str, mode: Mode) -> Pins:
    key = ServerKey(name, scope_of(cwd))
    return Pins(PinStore(places), key, identity_of_url(url), rules=rules_of(mode))


def scope_of(cwd: str) -> str:
    """The project that the client was started in. Whether its own file or the user's names the server nobody
    says; the same server has the same pins in every project."""
    return os.path.realpath(git_root(cwd))
