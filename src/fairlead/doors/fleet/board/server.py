"""The dashboard of a fleet as a web app on the loopback address, behind the gate of the other dashboard."""

from __future__ import annotations

import os
from asyncio import Semaphore
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fairlead.doors.dashboard.gate import Gate
from fairlead.doors.dashboard.server import STATIC as SHARED
from fairlead.doors.fleet.board import decisions
from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.machines import machines, one_machine
from fairlead.doors.fleet.collecting.database import Database, DatabaseError
from fairlead.errors import FairleadError

STATIC = os.path.join(os.path.dirname(__file__), "static")
_AT_ONCE = 8
"""Answers, and so connections to the database."""
Reading = Callable[[Database, Asked], object]
_READS: dict[str, Reading] = {
    "/api/fleet/overview": decisions.overview,  # ?span=24h&group=&zone=
    "/api/fleet/machines": machines,  # ?group= state= version= bundle= mode= text= offset= limit=
    "/api/fleet/decisions": decisions.decisions,  # ?group= machine= rule= only= before= ...
    "/api/fleet/rollouts": decisions.rollouts,  # ?span=
}


def make_app(database: Database, port: int) -> Gate:
    """The whole app, behind its gate. It only reads."""
    turns = Semaphore(_AT_ONCE)

    async def answered(read: Callable[[], object]) -> Response:
        async with turns:
            return await _answered(read)

    async def about(request: Request) -> Response:
        from fairlead import __version__

        return JSONResponse({"version": __version__, "database": database.shown, "writable": False})

    async def one(request: Request) -> Response:
        name = request.path_params["machine"]
        return await answered(lambda: one_machine(database, Asked(request.query_params), name))

    def reading(read: Reading) -> Callable[[Request], Any]:
        async def handle(request: Request) -> Response:
            return await answered(lambda: read(database, Asked(request.query_params)))

        return handle

    routes = [
        Route("/", _page),
        Route("/api/about", about),
        *(Route(path, reading(read)) for path, read in _READS.items()),
        Route("/api/fleet/machines/{machine}", one),
        Mount("/static", StaticFiles(directory=SHARED)),
        Mount("/fleet", StaticFiles(directory=STATIC)),
    ]
    return Gate(Starlette(routes=routes, exception_handlers={500: _broken}), port)


async def _answered(read: Callable[[], object]) -> Response:
    try:
        return JSONResponse(await run_in_threadpool(read))
    except DatabaseError as error:
        return JSONResponse({"error": error.message, "hint": error.hint}, status_code=503)
    except FairleadError as error:
        return JSONResponse({"error": error.message, "hint": error.hint}, status_code=400)


async def _page(request: Request) -> Response:
    return FileResponse(os.path.join(STATIC, "index.html"), media_type="text/html; charset=utf-8")


async def _broken(request: Request, error: Exception) -> Response:
    said = "something broke; the terminal of `fairlead fleet dashboard` shows it"
    return JSONResponse({"error": said}, status_code=500)
