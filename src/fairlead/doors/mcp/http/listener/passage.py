"""One gate between requests of a client and a server, on the loop of the listener."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from time import monotonic

from fairlead.doors.mcp.http.event_stream import Comment, StreamEvent
from fairlead.doors.mcp.http.levels import Level
from fairlead.doors.mcp.http.listener.exchange import Exchange
from fairlead.doors.mcp.http.messages_sent import Sent, listening
from fairlead.doors.mcp.http.remote_session import object_in
from fairlead.doors.mcp.http.upstream import Hearer, Post, Upstream
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.doors.mcp.protocol.messages import encode
from fairlead.doors.mcp.protocol.parts import Judge, T, Wire
from fairlead.doors.mcp.stdio.notes import Notes

BACKLOG = 64
"""Messages of the server that wait for a stream of the client."""

GateOf = Callable[[Wire, Judge], Gate]
UpstreamOf = Callable[[Hearer, Post], Upstream]


class Passage:
    """A wire, and who hears the upstream. What is said while a message of one exchange is looked at is for
    that exchange, also when a judgement took its time."""

    def __init__(
        self,
        name: str,
        loop: AbstractEventLoop,
        pool: Executor,
        *,
        judge: Judge,
        gate: GateOf,
        upstream: UpstreamOf,
    ) -> None:
        self._loop = loop
        self._pool = pool
        self._level = Level()
        self._waiting: dict[str, Exchange] = {}
        self._streams: list[Exchange] = []
        self._backlog: deque[tuple[bytes, StreamEvent | None]] = deque(maxlen=BACKLOG)
        self._current: Exchange | None = None
        self._event: StreamEvent | None = None
        self._given: Mapping[str, str] = {}
        self._notes = Notes(name)
        self.used = monotonic()
        self.is_lost = False
        """The server has forgotten the session."""
        self._judge = judge
        self.gate = gate(self, judge)
        self._upstream = upstream(self, self._post)

    # --- what the listener asks for ---

    def has(self, id: str | int | None) -> bool:
        return str(id) in self._waiting or self.gate.waits_for(id)

    @property
    def is_idle(self) -> bool:
        return not self._waiting and not self._streams

    def take(self, exchange: Exchange, line: bytes) -> None:
        """A message of the client."""
        self._arrived(exchange)
        if exchange.id is not None:
            self._waiting[str(exchange.id)] = exchange
        with self._speaking_to(exchange):
            self.gate.from_client(line)
        if exchange.id is None and not exchange.is_sent_on:
            exchange.end(202)

    def listen(self, exchange: Exchange, last_event: str) -> None:
        self._arrived(exchange)
        self._streams.append(exchange)
        self._upstream.listen(listening(given=exchange.given, of=exchange, last_event=last_event))
        while self._backlog:
            exchange.tell(*self._backlog.popleft())

    def leave(self, exchange: Exchange) -> None:
        """The client has closed it, or has its answer. In the later era the first takes the request back."""
        answered = exchange.is_over
        exchange.abandon()
        if exchange in self._streams:
            self._streams.remove(exchange)
        if self._waiting.get(str(exchange.id)) is exchange:
            del self._waiting[str(exchange.id)]
        if answered:
            return
        if exchange.modern and exchange.id is not None:
            params = {"requestId": exchange.id, "reason": "the stream was closed"}
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
            with self._speaking_to(None):
                self.gate.from_client(encode(cancel))
        else:
            self._upstream.abandon(exchange)

    def tick(self) -> None:
        self.gate.tick()

    def close(self, seconds: float) -> None:
        """From any thread but the loop's."""
        self._level.open_for_good()
        self._upstream.close(seconds)
        self._judge.close()

    def _arrived(self, exchange: Exchange) -> None:
        self.used = monotonic()
        self._given = exchange.given
        exchange.level = self._level

    @contextmanager
    def _speaking_to(self, exchange: Exchange | None, event: StreamEvent | None = None) -> Iterator[None]:
        before = self._current, self._event
        self._current, self._event = exchange, event
        try:
            yield
        finally:
            self._current, self._event = before

    # --- as a wire ---

    def to_client(self, line: bytes) -> None:
        message = object_in(line)
        event, self._event = self._event, None
        if "method" in message:
            self._tell(line, event)
            return
        exchange = self._waiting.pop(str(message.get("id")), None)
        current = self._current
        if current is not None and current in self._streams:  # the client asked again for what it had lost
            current.tell(line, event)
        elif exchange is not None:
            exchange.answer(line, event)
        elif current is not None and message.get("id") is None:
            current.status = max(current.status, 400)
            current.answer(line, event)

    def _tell(self, line: bytes, event: StreamEvent | None) -> None:
        current = self._current
        if (
            current is not None
            and not current.is_over
            and (current.id is not None or current in self._streams)
        ):
            current.tell(line, event)
        elif self._streams:
            self._streams[-1].tell(line, event)
        else:
            self._backlog.append((line, event))

    def to_server(self, line: bytes) -> None:
        sent = Sent(line, given=self._given)
        sent.of = of = self._waiting.get(str(sent.id)) or self._current
        if of is not None:
            sent.given = of.given
            of.is_sent_on = of.is_sent_on or sent.id is None
        name = sent.params.get("name")
        self._upstream.send(sent, self.gate.header_places(name) if isinstance(name, str) else {})

    def work(self, job: Callable[[], T], then: Callable[[T], None]) -> None:
        current, event, self._event = self._current, self._event, None

        def done(future: Future[T]) -> None:
            self._post(lambda: finish(future.result()))

        def finish(result: T) -> None:
            with self._speaking_to(current, event):
                then(result)

        self._pool.submit(job).add_done_callback(done)

    def note(self, text: str) -> None:
        self._notes.tell(text)

    def now(self) -> float:
        return monotonic()

    def _post(self, call: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(call)

    # --- as who hears the upstream ---

    def heard(self, sent: Sent, line: bytes, event: StreamEvent | None) -> None:
        exchange = sent.of if isinstance(sent.of, Exchange) else None
        own = exchange is not None and (sent.id is None or sent.id == exchange.id)
        with self._speaking_to(exchange, event if own else None):
            if line:
                self.gate.from_server(line)
            elif own and exchange is not None and event is not None:
                exchange.mark(event)

    def streams(self, sent: Sent) -> None:
        if isinstance(sent.of, Exchange) and self._is_of(sent):
            sent.of.open_stream()

    def commented(self, sent: Sent, comment: Comment) -> None:
        if isinstance(sent.of, Exchange) and self._is_of(sent):
            sent.of.comment(comment)

    def failed(self, sent: Sent, status: int, headers: Mapping[str, str]) -> None:
        if status == 404 and sent.session:
            self.is_lost = True
        if not isinstance(sent.of, Exchange) or not self._is_of(sent):
            return
        sent.of.status = status or 502
        known = {name.lower(): value for name, value in headers.items()}
        for name in ("WWW-Authenticate", "Retry-After"):
            if name.lower() in known:
                sent.of.more_headers[name] = known[name.lower()]

    def ended(self, sent: Sent) -> None:
        if sent.is_cancelled and sent.modern and isinstance(sent.id, str | int):
            self.gate.forget(sent.id)
        if isinstance(sent.of, Exchange) and sent.of.id is None and self._is_of(sent):
            status = sent.of.status
            sent.of.end(status if status >= 400 else 202 if sent.line else 200)

    def waits_for(self, id: object) -> bool:
        return self.gate.waits_for(id)

    def throttle(self) -> None:
        self._level.wait()

    def _is_of(self, sent: Sent) -> bool:
        """Whether it is what the client said, and not what the gate asked because of it."""
        return isinstance(sent.of, Exchange) and sent.id == sent.of.id
