"""MCP servers that were seen here, and the clients that start them."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.doors.cli.given.name import Name
from fairlead.doors.cli.output import Session


def _servers(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.doors.mcp.pins.store import PinStore

    for key in PinStore(session.places).servers():
        yield key.name, key.scope


def _clients(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.doors.mcp.setup.clients import known_clients

    for name, client in known_clients().items():
        yield name, client.title


SERVER = Name("server", _servers)
CLIENT = Name("client", _clients)
