"""The dashboard of a fleet as a web app on the loopback address, behind the gate of the other dashboard."""

from __future__ import annotations

import json
import os
from asyncio import Semaphore
from collections.abc import Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fairlead.doors.dashboard.gate import Gate
from fairlead.doors.dashboard.shell import Handler, Shell, behind_gate, told
from fairlead.doors.fleet.board import questions
from fairlead.doors.fleet.board.alarms import alarms
from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre, Reading
from fairlead.doors.fleet.board.decisions import decisions
from fairlead.doors.fleet.board.listing import machines, one_machine
from fairlead.doors.fleet.board.overview import overview
from fairlead.doors.fleet.board.plain import plain
from fairlead.doors.fleet.board.rollouts import rollouts
from fairlead.doors.fleet.collecting.database import DatabaseError
from fairlead.errors import FairleadError

_STATIC = os.path.join(os.path.dirname(__file__), "static")
_SHELL = Shell("Fleet", "fairlead fleet dashboard", "/fleet/app.js", ("/fleet/fleet.css",))
_AT_ONCE = 8
"""Answers, and so connections to the database."""
_MOST_BYTES = 16 * 1024
"""Of an answer to a question."""
_READS: Mapping[str, Reading] = {
    "/api/about": questions.about,
    "/api/fleet/overview": overview,  # ?span=24h&group=&zone=
    "/api/fleet/machines": machines,  # ?list= group= state= version= bundle= mode= text= offset= limit=
    "/api/fleet/decisions": decisions,  # ?group= machine= rule= only= before= ...
    "/api/fleet/rollouts": rollouts,  # ?span= text= offset=
    "/api/fleet/alarms": alarms,  # ?span= text= kind= offset=
    "/api/fleet/asks": questions.open_questions,  # ?text=
    "/api/fleet/asks/count": questions.waiting,
}


def make_app(centre: Centre, port: int) -> Gate:
    """The whole app, behind its gate. It only reads, but for the answers to questions."""
    turns = Semaphore(_AT_ONCE)

    async def answered(read: Callable[[], object]) -> Response:
        async with turns:
            return await _answered(read)

    async def one(request: Request) -> Response:
        name = request.path_params["machine"]
        return await answered(lambda: one_machine(centre, Asked(request.query_params), name))

    def reading(read: Reading) -> Handler:
        async def handle(request: Request) -> Response:
            return await answered(lambda: read(centre, Asked(request.query_params)))

        return handle

    async def answer(request: Request) -> Response:
        given = await _body(request)
        if given is None:
            return JSONResponse({"error": "this is no object of JSON, or a very large one"}, status_code=400)
        asked = request.path_params["request"]
        return await answered(lambda: questions.answer(centre, asked, given))

    routes = [
        *(Route(path, reading(read)) for path, read in _READS.items()),
        Route("/api/fleet/machines/{machine}", one),
        Route("/api/fleet/asks/{request}", answer, methods=["POST"]),
        Mount("/fleet", StaticFiles(directory=_STATIC)),
    ]
    return behind_gate(_SHELL, routes, port)


async def _answered(read: Callable[[], object]) -> Response:
    try:
        return JSONResponse(await run_in_threadpool(lambda: plain(read())))
    except DatabaseError as error:
        return told(error, 503)
    except FairleadError as error:
        return told(error)


async def _body(request: Request) -> Mapping[str, object] | None:
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > _MOST_BYTES:
            return None
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None
