"""What the pages ask for, as JSON: the table of addresses, and how each is answered.

Reading is free; changing needs a dashboard that a human opened for it. Every answer is bounded.
"""

from __future__ import annotations

from asyncio import Queue
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from fairlead.doors.dashboard import asks, calls, exceptions, overview, pins, policies, replaying, saves
from fairlead.doors.dashboard.feed import Feed, events
from fairlead.doors.dashboard.prometheus import exposition
from fairlead.doors.dashboard.shell import told
from fairlead.doors.dashboard.sources import Sources
from fairlead.errors import FairleadError
from fairlead.store.query import Query
from fairlead.store.reader import Call
from fairlead.store.statistics import statistics

Reading = Callable[[Sources, Request], object]
Changing = Callable[[Sources, Request, Mapping[str, object]], object]
Handler = Callable[[Request], Any]


def about(sources: Sources, request: Request) -> object:
    from fairlead import __version__

    return {"version": __version__, "root": sources.root, "writable": sources.writable}


READS: Mapping[str, Reading] = {
    "/api/about": about,
    "/api/overview": overview.overview,  # ?span=24h&zone=60
    "/api/health": overview.health,
    "/api/calls": calls.calls,  # ?agent= tool= decision= rule= root= text= since= before= ...
    "/api/facets": calls.facets_of_calls,  # the same
    "/api/calls/{id}": calls.one_call,
    "/api/calls/{id}/judge": replaying.judge_call,  # ?policy=
    "/api/sessions": calls.sessions,
    "/api/hooks": policies.hooks,
    "/api/rules": policies.rules,
    "/api/policies": replaying.known_policies,
    "/api/asks": asks.open_questions,
    "/api/saves/{id}": saves.look_at_save,
    "/api/pins": pins.waiting_pins,
}
CHANGES: Mapping[str, Changing] = {
    "/api/calls/{id}/exception": exceptions.except_call,  # {for}
    "/api/hooks/{id}": policies.switch_hook,  # {enabled}
    "/api/asks/{code}": asks.answer,  # {answer, for}
    "/api/saves/{id}": saves.bring_back,  # {}
    "/api/pins": pins.let_through,  # {server, project, id, seen}
}


class Api:
    """And three more: `/api/compare` in lines, `/api/stream` as events, `/metrics` for Prometheus."""

    def __init__(self, sources: Sources, feed: Feed) -> None:
        self._sources = sources
        self._feed = feed

    def routes(self) -> list[Route]:
        return [
            *(Route(path, self._read(reading)) for path, reading in READS.items()),
            *(Route(path, self._change(changing), methods=["POST"]) for path, changing in CHANGES.items()),
            Route("/api/compare", self.compare),
            Route("/api/stream", self.stream),
            Route("/metrics", self.metrics),
        ]

    def _read(self, reading: Reading) -> Handler:
        async def handle(request: Request) -> Response:
            try:
                return JSONResponse(await run_in_threadpool(reading, self._sources, request))
            except FairleadError as error:
                return told(error)

        return handle

    def _change(self, changing: Changing) -> Handler:
        async def handle(request: Request) -> Response:
            if not self._sources.writable:
                refusal = {"error": "this dashboard only shows", "hint": "start `fairlead ui --writable`"}
                return JSONResponse(refusal, status_code=403)
            try:
                body = await request.json()
                given = body if isinstance(body, dict) else {}
                return JSONResponse(await run_in_threadpool(changing, self._sources, request, given))
            except ValueError:
                return JSONResponse({"error": "this is not JSON"}, status_code=400)
            except FairleadError as error:
                return told(error)

        return handle

    async def compare(self, request: Request) -> Response:
        lines = replaying.compare(self._sources, request)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def stream(self, request: Request) -> Response:
        queue = self._feed.join()
        if queue is None:
            return JSONResponse({"error": "too many pages are open"}, 503, headers={"retry-after": "10"})
        return _Stream(self._feed, queue)

    async def metrics(self, request: Request) -> Response:
        def found() -> str:
            with self._sources.reader() as reader:
                return exposition(statistics(reader, Query()))

        return PlainTextResponse(await run_in_threadpool(found), media_type="text/plain; version=0.0.4")


class _Stream(StreamingResponse):
    """Gives its place at the feed back however it ends, even before its first byte."""

    def __init__(self, feed: Feed, queue: Queue[Call]) -> None:
        super().__init__(events(queue), media_type="text/event-stream")
        self._feed = feed
        self._queue = queue

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._feed.leave(self._queue)
