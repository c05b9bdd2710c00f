"""The requests of clients, as ASGI brings them: bytes in, bytes out, and nothing is parsed that need not be.

No framework: Starlette would be of use for its routes, and there is one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from fairlead.doors.mcp.http import headers as names
from fairlead.doors.mcp.http.listener.checks import Refusal, Rules, check, check_headers_of
from fairlead.doors.mcp.http.listener.exchange import Exchange, Send
from fairlead.doors.mcp.http.listener.passage import Passage
from fairlead.doors.mcp.http.listener.sessions import Sessions
from fairlead.doors.mcp.http.remote_session import object_in
from fairlead.doors.mcp.protocol.refusals import error

PATH = "/mcp"
LARGEST = 4 << 20
"""Bytes of a request."""
Receive = Callable[[], Awaitable[dict[str, Any]]]


class Front:
    def __init__(self, rules: Rules, sessions: Sessions, *, largest: int = LARGEST) -> None:
        self._rules = rules
        self._sessions = sessions
        self._largest = largest

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        pairs = [
            (name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]
        ]
        try:
            passed = check(self._rules, pairs)
            if scope["path"] != PATH:
                raise Refusal(404, f"the server is at {PATH}")
            await self._serve(scope["method"], dict(pairs), passed, receive, send)
        except Refusal as refusal:
            exchange = Exchange({})
            exchange.more_headers = refusal.headers
            body = error(None, refusal.code, f"Fairlead: {refusal}").rstrip()
            exchange.end(refusal.status, body, {"Content-Type": "application/json"})
            await exchange.deliver(send)

    async def _serve(
        self, method: str, headers: Mapping[str, str], passed: Mapping[str, str], receive: Receive, send: Send
    ) -> None:
        """Raises Refusal."""
        if method == "POST":
            await self._post(headers, passed, receive, send)
        elif method == "GET":
            passage = self._sessions.find(headers.get("mcp-session-id"))
            exchange = Exchange(passed)
            passage.listen(exchange, headers.get("last-event-id", ""))
            await self._deliver(passage, exchange, receive, send)
        elif method == "DELETE":
            await self._sessions.end(headers.get("mcp-session-id"))
            exchange = Exchange(passed)
            exchange.end(204)
            await exchange.deliver(send)
        else:
            raise Refusal(405, f"{method} means nothing here", Allow="DELETE, GET, POST")

    async def _post(
        self, headers: Mapping[str, str], passed: Mapping[str, str], receive: Receive, send: Send
    ) -> None:
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "a message is application/json")
        line = _one_line(await self._body(headers, receive))
        message = object_in(line)
        version = names.version_of(message)
        id = message.get("id") if "method" in message else None
        exchange = Exchange(
            passed,
            id=id if isinstance(id, str) or type(id) is int else None,
            modern=bool(version) or _is_modern(headers.get("mcp-protocol-version", "")),
        )
        if exchange.modern and message.get("method") == "notifications/cancelled":
            raise Refusal(202, "there, a request is taken back by closing its stream")
        passage = self._passage(exchange, message, headers)
        passage.take(exchange, line)
        await self._deliver(passage, exchange, receive, send)

    def _passage(
        self, exchange: Exchange, message: Mapping[str, object], headers: Mapping[str, str]
    ) -> Passage:
        if not exchange.modern:
            if message.get("method") == "initialize":
                session, passage = self._sessions.open()
                exchange.more_headers[names.SESSION] = session
                return passage
            passage = self._sessions.find(headers.get("mcp-session-id"))
            if exchange.id is not None and passage.has(exchange.id):
                raise Refusal(400, "this id is in use")
            return passage
        passage = self._sessions.without_session(exchange.id)
        if exchange.id is not None:
            params = message.get("params")
            name = params.get("name") if isinstance(params, Mapping) else None
            places = passage.gate.header_places(name) if isinstance(name, str) else {}
            check_headers_of(message, headers, places)
        return passage

    async def _body(self, headers: Mapping[str, str], receive: Receive) -> bytes:
        parts, size = [], 0
        declared = headers.get("content-length", "0")
        more = True
        while more:
            if size > self._largest or (declared.isdigit() and int(declared) > self._largest):
                raise Refusal(413, f"a message of more than {self._largest} bytes")
            part = await receive()
            if part["type"] == "http.disconnect":
                raise Refusal(400, "the message has no end")
            parts.append(part.get("body", b""))
            size += len(parts[-1])
            more = part.get("more_body", False)
        return b"".join(parts)

    async def _deliver(self, passage: Passage, exchange: Exchange, receive: Receive, send: Send) -> None:
        delivering = asyncio.ensure_future(exchange.deliver(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((delivering, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in (delivering, leaving):
                each.cancel()
                with suppress(asyncio.CancelledError, OSError):
                    await each
            passage.leave(exchange)
            self._sessions.forget_lost(passage)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _is_modern(version: str) -> bool:
    return version >= "2026"


def _one_line(body: bytes) -> bytes:
    return body.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"
