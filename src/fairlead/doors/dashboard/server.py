"""The dashboard as a web app on the loopback address."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fairlead.doors.dashboard.api import Api
from fairlead.doors.dashboard.feed import Feed
from fairlead.doors.dashboard.gate import Gate
from fairlead.doors.dashboard.sources import Health, Sources, unknown_health
from fairlead.policy.places import Places
from fairlead.store.writer import IndexWriter

STATIC = os.path.join(os.path.dirname(__file__), "static")
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

    api = Api(sources, feed)
    routes = [
        Route("/", _page),
        *api.routes(),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={500: _broken})
    return Gate(app, port)


async def _page(request: Request) -> Response:
    return FileResponse(os.path.join(STATIC, "index.html"), media_type="text/html; charset=utf-8")


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "something broke; the terminal of `fairlead ui` shows it"}, status_code=500)


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
