"""The dashboard as a web app on the loopback address."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette

from fairlead.doors.dashboard.api import Api
from fairlead.doors.dashboard.feed import Feed
from fairlead.doors.dashboard.gate import Gate
from fairlead.doors.dashboard.shell import Shell, behind_gate
from fairlead.doors.dashboard.sources import Health, Sources, unknown_health
from fairlead.policy.places import Places
from fairlead.store.writer import IndexWriter

_SHELL = Shell("Fairlead", "fairlead ui", "/static/app.js")
_CONNECTIONS = 256


def make_app(
    places: Places, root: str, port: int, *, writable: bool = False, health: Health = unknown_health
) -> Gate:
    """The whole app, behind its gate."""
    sources = Sources(places, root, writable=writable, health=health)
    IndexWriter(sources.index, sources.journal).close()  # readers need the file to be there
    feed = Feed(sources.index, sources.journal)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        feed.start()
        yield
        feed.stop()

    return behind_gate(_SHELL, Api(sources, feed).routes(), port, lifespan)


def listen(port: int) -> socket.socket:
    """A socket on the loopback address alone; who connects before the server is up waits."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(128)
    return listening


def serve(gate: Gate, listening: socket.socket) -> None:
    """Until interrupted."""
    config = uvicorn.Config(
        gate,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listening])
