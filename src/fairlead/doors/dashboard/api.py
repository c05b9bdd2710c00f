"""What the pages ask for, as JSON. Reading is free; changing needs a dashboard opened for it by a human."""

from __future__ import annotations

import os
import time
from asyncio import Queue
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from fairlead.assembly import policy_for
from fairlead.doors.dashboard.asks import answer, open_questions
from fairlead.doors.dashboard.feed import Feed, events
from fairlead.doors.dashboard.pins import let_through, waiting_pins
from fairlead.doors.dashboard.prometheus import exposition
from fairlead.doors.dashboard.saves import bring_back, look_at_save
from fairlead.doors.hook.replay import Change, Replay
from fairlead.errors import FairleadError, UsageError
from fairlead.model.decision import DECISION_WORDS
from fairlead.policy.entry import Entry
from fairlead.policy.places import Places
from fairlead.policy.switch import switch
from fairlead.store.effect import effect_of
from fairlead.store.entry import summary_of
from fairlead.store.query import Query
from fairlead.store.reader import Call, IndexReader, SessionLine
from fairlead.store.statistics import statistics

_MOST = 500
_REPLAYED = 5000
Handler = Callable[[Request], Any]


class Api:
    """`writable` is set by `fairlead ui --writable`, behind the human gate."""

    def __init__(self, places: Places, root: str, feed: Feed, *, writable: bool) -> None:
        self._places = places
        self._root = root
        self._feed = feed
        self._writable = writable
        self._journal = os.path.join(places.state, "journal")
        self._index = os.path.join(places.state, "index", "index.sqlite3")

    def routes(self) -> list[Route]:
        return [
            Route("/api/about", self._json(self.about)),
            Route("/api/calls", self._json(self.calls)),
            Route("/api/calls/{id}", self._json(self.call)),
            Route("/api/stats", self._json(self.stats)),
            Route("/api/sessions", self._json(self.sessions)),
            Route("/api/hooks", self._json(self.hooks)),
            Route("/api/hooks/{id}", self._change(self.switch_hook), methods=["POST"]),
            Route("/api/asks", self._json(self.asks)),
            Route("/api/asks/{code}", self._change(self.answer_ask), methods=["POST"]),
            Route("/api/saves/{id}", self._json(self.save)),
            Route("/api/saves/{id}", self._change(self.bring_back), methods=["POST"]),
            Route("/api/pins", self._json(self.pins)),
            Route("/api/pins", self._change(self.let_through), methods=["POST"]),
            Route("/api/replay", self._json(self.replay)),
            Route("/api/stream", self.stream),
            Route("/metrics", self.metrics),
        ]

    @contextmanager
    def _reader(self) -> Iterator[IndexReader]:
        reader = IndexReader(self._index, self._journal)
        try:
            yield reader
        finally:
            reader.close()

    def _json(self, handler: Callable[[Request], object]) -> Handler:
        async def handle(request: Request) -> Response:
            try:
                return JSONResponse(await run_in_threadpool(handler, request))
            except FairleadError as error:
                return JSONResponse({"error": error.message, "hint": error.hint}, status_code=400)

        return handle

    def _change(self, handler: Callable[[Request, Mapping[str, object]], object]) -> Handler:
        async def handle(request: Request) -> Response:
            if not self._writable:
                refusal = {"error": "this dashboard only shows", "hint": "start `fairlead ui --writable`"}
                return JSONResponse(refusal, status_code=403)
            try:
                body = await request.json()
                given = body if isinstance(body, dict) else {}
                return JSONResponse(await run_in_threadpool(handler, request, given))
            except ValueError:
                return JSONResponse({"error": "this is not JSON"}, status_code=400)
            except FairleadError as error:
                return JSONResponse({"error": error.message, "hint": error.hint}, status_code=400)

        return handle

    def about(self, request: Request) -> object:
        from fairlead import __version__

        return {"version": __version__, "root": self._root, "writable": self._writable, "now": time.time()}

    def calls(self, request: Request) -> object:
        with self._reader() as reader:
            return [call.as_json() for call in reader.calls(query_of(request))]

    def call(self, request: Request) -> object:
        with self._reader() as reader:
            record = reader.record(request.path_params["id"])
            if record is None:
                raise UsageError("there is no such call")
            effect = effect_of(reader, record)
            return {**record, "effect": effect.as_json() if effect else None}

    def stats(self, request: Request) -> object:
        with self._reader() as reader:
            return statistics(reader, query_of(request)).as_json()

    def sessions(self, request: Request) -> object:
        with self._reader() as reader:
            found = reader.sessions(query_of(request))
        return [{field: getattr(line, field) for field in SessionLine._fields} for line in found]

    def hooks(self, request: Request) -> object:
        policy = policy_for(self._places, self._root, "", ())
        with self._reader() as reader:
            shares = {share.name: share.as_json() for share in statistics(reader, Query()).hooks}
        return {
            "root": self._root,
            "policy": policy.hash,
            "problems": [str(problem) for problem in policy.problems],
            "hooks": [_hook_json(entry, shares.get(entry.id)) for entry in policy.entries],
        }

    def switch_hook(self, request: Request, given: Mapping[str, object]) -> object:
        enabled = given.get("enabled")
        if not isinstance(enabled, bool):
            raise UsageError("`enabled` is true or false")
        policy = policy_for(self._places, self._root, "", ())
        entries = [entry for entry in policy.entries if entry.id == request.path_params["id"]]
        if not entries:
            raise UsageError(f"there is no hook {request.path_params['id']!r}")
        if any(entry.locked or not entry.trusted for entry in entries):
            raise UsageError("this hook is locked, or its project is not trusted")
        switch(entries, enabled=enabled, config=self._places.config)
        return {"id": entries[0].id, "enabled": enabled}

    def asks(self, request: Request) -> object:
        return open_questions(self._places)

    def answer_ask(self, request: Request, given: Mapping[str, object]) -> object:
        code, word, length = request.path_params["code"], str(given.get("answer")), given.get("for", "once")
        return answer(self._places, code, word, str(length))

    def pins(self, request: Request) -> object:
        return waiting_pins(self._places)

    def let_through(self, request: Request, given: Mapping[str, object]) -> object:
        return let_through(self._places, given)

    def save(self, request: Request) -> object:
        return look_at_save(self._places, request.path_params["id"])

    def bring_back(self, request: Request, given: Mapping[str, object]) -> object:
        return bring_back(self._places, request.path_params["id"])

    def replay(self, request: Request) -> object:
        """What the policy of now would decide otherwise of the newest calls."""
        folder = request.query_params.get("policy", "")
        replay = Replay(self._places, [folder] if folder else [])
        counts: dict[str, int] = {}
        changed: list[dict[str, object]] = []
        with self._reader() as reader:
            newest = reader.calls(Query(limit=_REPLAYED))
            query = Query(since=newest[-1].ts if newest else None, limit=_REPLAYED)
            for record in islice(reader.records(query), _REPLAYED):
                found = replay.judge(record)
                counts[found.change] = counts.get(found.change, 0) + 1
                if found.change is not Change.SAME and len(changed) < _MOST:
                    facts = record.get("facts")
                    shown = {field: getattr(found, field) for field in ("id", "was_rule", "now_rule", "why")}
                    shown |= {"change": str(found.change), "was": found.was.word, "now": found.now.word}
                    changed.append({**shown, "summary": summary_of(facts if isinstance(facts, dict) else {})})
        return {"counts": counts, "changed": changed}

    async def stream(self, request: Request) -> Response:
        queue = self._feed.join()
        if queue is None:
            return JSONResponse({"error": "too many pages are open"}, 503, headers={"retry-after": "10"})
        return _Stream(self._feed, queue)

    async def metrics(self, request: Request) -> Response:
        def found() -> str:
            with self._reader() as reader:
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


def query_of(request: Request) -> Query:
    """The filters of an address; what is no filter is passed over."""
    given = request.query_params
    words = ("agent", "event", "rule", "hook", "tool", "session", "root", "text", "before", "after")
    decisions = [DECISION_WORDS[word] for word in given.getlist("decision") if word in DECISION_WORDS]
    return Query(
        decision=tuple(int(decision) for decision in decisions),
        since=_number(given.get("since")),
        until=_number(given.get("until")),
        troubled=given.get("trouble") == "1",
        canaries=given.get("canaries") == "1",
        would=given.get("would") == "1",
        summaries=(),
        limit=int(min(max(_number(given.get("limit")) or 100, 1), _MOST)),
        **{word: given.get(word, "")[:300] for word in words},
    )


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text else None
    except ValueError:
        raise UsageError(f"{text!r} is no number") from None
    return number if number is None or -1e12 < number < 1e12 else None


def _hook_json(entry: Entry, share: Mapping[str, object] | None) -> dict[str, object]:
    return {
        "id": entry.id,
        "event": str(entry.event),
        "type": str(entry.type),
        "enabled": entry.enabled,
        "broken": entry.broken.message if entry.broken else "",
        "runs": entry.runs_as,
        "origin": entry.origin,
        "locked": entry.locked,
        "mode": entry.mode,
        "stats": share,
    }
