"""A client on our own stdin and stdout, a server at an address, and the gate between them.

The gate is called on one thread, which takes what others bring: one reads the client, one writes to it, and
those of the upstream speak with the server.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from fairlead.doors.mcp.http.event_stream import Comment, StreamEvent
from fairlead.doors.mcp.http.levels import Level
from fairlead.doors.mcp.http.messages_sent import Sent
from fairlead.doors.mcp.http.upstream import Hearer, Post, Upstream
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.doors.mcp.protocol.lines import Lines, TooLong
from fairlead.doors.mcp.protocol.parts import T
from fairlead.doors.mcp.stdio.notes import Notes
from fairlead.doors.mcp.stdio.workers import Workers

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_STDIN, _STDOUT = 0, 1
_CHUNK = 1 << 16
_LAST_SECONDS = 2.0
"""That the end of the session at the server may take, and what is still to be written to the client."""


class StdioClient:
    """A wire, and who hears the upstream."""

    def __init__(self, *, name: str, grace: float) -> None:
        self._grace = grace
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._out: SimpleQueue[bytes | None] = SimpleQueue()
        self._to_be_read, self._to_be_sent = Level(), Level()
        self._workers = Workers(lambda: self._calls.put(self._workers.collect))
        self._notes = Notes(name)
        self._deadline: float | None = None
        self._code: int | None = None
        self._gate: Gate
        self._upstream: Upstream

    # --- as a wire ---

    def to_client(self, line: bytes) -> None:
        self._to_be_read.rise(len(line))
        self._out.put(line)

    def to_server(self, line: bytes) -> None:
        sent = Sent(line, given={})
        self._to_be_sent.rise(len(line))
        name = sent.params.get("name")
        places = self._gate.header_places(name) if isinstance(name, str) else {}
        self._upstream.send(sent, places)

    def work(self, job: Callable[[], T], then: Callable[[T], None]) -> None:
        self._workers.do(job, then)

    def note(self, text: str) -> None:
        self._notes.tell(text)

    def now(self) -> float:
        return monotonic()

    # --- as who hears the upstream ---

    def heard(self, sent: Sent, line: bytes, event: StreamEvent | None) -> None:
        if line:
            self._gate.from_server(line)

    def streams(self, sent: Sent) -> None:
        pass

    def commented(self, sent: Sent, comment: Comment) -> None:
        pass

    def failed(self, sent: Sent, status: int, headers: Mapping[str, str]) -> None:
        pass

    def ended(self, sent: Sent) -> None:
        self._to_be_sent.sink(len(sent.line))
        if sent.is_cancelled and isinstance(sent.id, str | int):
            self._gate.forget(sent.id)

    def waits_for(self, id: object) -> bool:
        return self._gate.waits_for(id)

    def throttle(self) -> None:
        self._to_be_read.wait()

    # --- the loop ---

    def run(self, gate: Gate, upstream: Callable[[Hearer, Post], Upstream]) -> int:
        """Until the client has ended, or a signal came; the exit code."""
        self._gate = gate
        self._upstream = upstream(self, self._calls.put)
        writer = Thread(target=self._write, daemon=True, name="stdout")
        writer.start()
        Thread(target=self._read, daemon=True, name="stdin").start()
        for number in ENDING:
            signal.signal(number, lambda number, _: self._calls.put(partial(self._end, 128 + number)))
        while not self._is_over():
            with suppress(Empty):
                self._calls.get(timeout=self._patience())()
            gate.tick()
        self._upstream.close(_LAST_SECONDS)
        self._out.put(None)
        writer.join(_LAST_SECONDS)
        return self._code or 0

    def _is_over(self) -> bool:
        if self._code is None:
            return False
        overdue = self._deadline is not None and monotonic() >= self._deadline
        return overdue or not (self._gate.busy or self._upstream.busy or self._workers.open)

    def _patience(self) -> float | None:
        times = [time for time in (self._deadline, self._gate.next_tick) if time is not None]
        return max(0.0, min(times) - monotonic()) + 0.001 if times else None

    def _end(self, code: int) -> None:
        """What the client said before is still answered, if that takes no longer than a server's end may."""
        self._code = code
        self._deadline = monotonic() + (self._grace if code == 0 else 0)

    # --- threads ---

    def _read(self) -> None:
        lines = Lines()
        while chunk := _read_some():
            self._calls.put(partial(self._said, lines.feed(chunk)))
            self._to_be_sent.wait()
        self._calls.put(partial(self._said, lines.end()))
        self._calls.put(partial(self._end, 0))

    def _said(self, lines: list[bytes | TooLong]) -> None:
        for line in lines:
            if isinstance(line, TooLong):
                self._gate.too_long_from_client(line)
            else:
                self._gate.from_client(line)

    def _write(self) -> None:
        while (line := self._out.get()) is not None:
            try:
                rest = memoryview(line)
                while rest:
                    rest = rest[os.write(_STDOUT, rest) :]
            except OSError:  # nobody reads any more
                self._to_be_read.open_for_good()
                self._calls.put(partial(self._end, 0))
                return
            self._to_be_read.sink(len(line))


def _read_some() -> bytes:
    try:
        return os.read(_STDIN, _CHUNK)
    except OSError:
        return b""
