"""One request of the client: what is said to it, and how, is decided when the first word is there."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fairlead.doors.mcp.http.event_stream import Comment, StreamEvent, written, written_comment
from fairlead.doors.mcp.http.levels import Level

Send = Callable[[dict[str, Any]], Awaitable[None]]
_JSON = {"Content-Type": "application/json"}
_STREAM = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}
_MESSAGE = StreamEvent(b"", ((b"event", b"message"),))


class Exchange:
    """`given` are the headers of the client that are the server's; `id` is that of the request in it."""

    def __init__(
        self, given: Mapping[str, str], *, id: str | int | None = None, modern: bool = False
    ) -> None:
        self.given = given
        self.id = id
        self.modern = modern
        self.status = 200
        self.more_headers: dict[str, str] = {}
        self.is_sent_on = self.is_over = False
        self.level: Level | None = None
        self._is_stream: bool | None = None
        self._waiting: deque[dict[str, Any]] = deque()
        self._changed = asyncio.Event()

    @property
    def is_streaming(self) -> bool:
        return bool(self._is_stream) and not self.is_over

    # --- what is said ---

    def open_stream(self) -> None:
        if self._is_stream is None and not self.is_over:
            self._is_stream = True
            self._head(_STREAM)

    def tell(self, line: bytes, event: StreamEvent | None) -> None:
        """Something that is not the answer."""
        if not self.is_over:
            self.open_stream()
            self._body(written(event or _MESSAGE, line), more=True)

    def comment(self, comment: Comment) -> None:
        if self.is_streaming:
            self._body(written_comment(comment), more=True)

    def mark(self, event: StreamEvent) -> None:
        """An event without a message: a place to begin again from."""
        if self.is_streaming and event.fields:
            self._body(written(event, event.data), more=True)

    def answer(self, line: bytes, event: StreamEvent | None) -> None:
        if self.is_over:
            return
        if self._is_stream:
            self._body(written(event or _MESSAGE, line), more=False)
        else:
            self.end(self.status, line.rstrip(b"\r\n"), _JSON)
        self.is_over = True

    def end(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        """Without more, or with this body where nothing was said yet."""
        if self.is_over:
            return
        if self._is_stream is None:
            self.status = status
            self._head({**(headers or {}), "Content-Length": str(len(body))})
            self._body(body, more=False)
        else:
            self._body(b"", more=False)
        self.is_over = True

    def _head(self, headers: Mapping[str, str]) -> None:
        pairs = [
            (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in {**headers, **self.more_headers}.items()
        ]
        self._put({"type": "http.response.start", "status": self.status, "headers": pairs})

    def _body(self, body: bytes, *, more: bool) -> None:
        if self.level is not None:
            self.level.rise(len(body))
        self._put({"type": "http.response.body", "body": body, "more_body": more})

    def _put(self, message: dict[str, Any]) -> None:
        self._waiting.append(message)
        self._changed.set()

    # --- how it is sent ---

    async def deliver(self, send: Send) -> None:
        """To its end."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._waiting:
                message = self._waiting.popleft()
                await send(message)
                self._sink(message)
                if message["type"] == "http.response.body" and not message["more_body"]:
                    return

    def abandon(self) -> None:
        """Nobody is there any more."""
        self.is_over = True
        while self._waiting:
            self._sink(self._waiting.popleft())

    def _sink(self, message: dict[str, Any]) -> None:
        if self.level is not None:
            self.level.sink(len(message.get("body", b"")))
