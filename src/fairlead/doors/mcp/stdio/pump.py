"""The pump: a client on our own stdin and stdout, a server as a child, and the gate between them.

One loop on one thread moves all bytes. Whoever does not read is written to later; judgements that take time
are made in other threads.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.doors.mcp.protocol.lines import Lines, TooLong
from fairlead.doors.mcp.protocol.parts import T
from fairlead.doors.mcp.stdio.notes import Notes
from fairlead.doors.mcp.stdio.outlet import Outlet
from fairlead.doors.mcp.stdio.server_process import ServerProcess
from fairlead.doors.mcp.stdio.workers import Workers

FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
LAST_CALLS = 30.0
"""Seconds in which calls are still judged and passed on that the client made before it went."""
_CHUNK = 1 << 16
"""As much as a pipe holds. Of more the C library asks the kernel anew each time, which takes 10 us."""
_FULL = 16 << 20
"""Bytes that wait for a side that does not read; from then on the other side is not read either."""
_STDIN, _STDOUT = 0, 1


class Pump:
    """A wire."""

    def __init__(self, server: ServerProcess, *, name: str, grace: float) -> None:
        self._server = server
        self._grace = grace
        self._client_out = Outlet.of_standard(_STDOUT)
        self._server_in = Outlet(server.stdin)
        self._client_lines, self._server_lines = Lines(), Lines()
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)
        self._workers = Workers(self._wake)
        self._poll = select.poll()
        self._watched: dict[int, int] = {}
        self._seen: tuple[bool, ...] = ()
        self._notes = Notes(name)
        self._client_gone = self._server_quiet = self._stdin_closed = self._overdue = False
        self._code: int | None = None
        self._deadline: float | None = None
        self._last_calls: float | None = None
        self._steps = iter((signal.SIGTERM, signal.SIGKILL))
        self._gate: Gate

    # --- as a wire ---

    def to_client(self, line: bytes) -> None:
        self._client_out.send(line)

    def to_server(self, line: bytes) -> None:
        self._server_in.send(line)

    def work(self, job: Callable[[], T], then: Callable[[T], None]) -> None:
        self._workers.do(job, then)

    def note(self, text: str) -> None:
        self._notes.tell(text)

    def now(self) -> float:
        return monotonic()

    # --- the loop ---

    def run(self, gate: Gate) -> int:
        """Until the server has ended; its exit code."""
        self._gate = gate
        self._catch_signals()
        handlers = {
            _STDIN: self._read_client,
            self._server.stdout: self._read_server,
            self._woken: self._read_wakes,
            self._client_out.descriptor: self._client_out.flush,
            self._server_in.descriptor: self._server_in.flush,
        }
        self._reap()
        while not self._over():
            self._watch()
            for descriptor, _ in self._poll.poll(self._patience()):
                handlers[descriptor]()
            self._keep_time()
        return self._code or 0

    def _over(self) -> bool:
        if self._code is None or self._client_out.waiting:
            return False
        return self._overdue or (self._server_quiet and not self._workers.open)

    def _watch(self) -> None:
        to_client, to_server = self._client_out.waiting, self._server_in.waiting
        reads_client = not self._client_gone and to_client <= _FULL and to_server <= _FULL
        reads_server = not self._server_quiet and to_client <= _FULL
        seen = reads_client, reads_server, to_client > 0, to_server > 0
        if seen == self._seen:
            return
        self._seen = seen
        wanted = {
            _STDIN: select.POLLIN if reads_client else 0,
            self._server.stdout: select.POLLIN if reads_server else 0,
            self._woken: select.POLLIN,
            self._client_out.descriptor: select.POLLOUT if to_client else 0,
            self._server_in.descriptor: select.POLLOUT if to_server else 0,
        }
        for descriptor, events in wanted.items():
            if events:
                self._poll.register(descriptor, events)
            elif self._watched.get(descriptor):
                self._poll.unregister(descriptor)
        self._watched = wanted

    def _patience(self) -> float | None:
        """Milliseconds until something has to be done though nothing happens."""
        ends = (self._deadline, self._last_calls, self._gate.next_tick)
        times = [time for time in ends if time is not None]
        return max(0.0, min(times) - monotonic()) * 1000 + 1 if times else None

    def _keep_time(self) -> None:
        self._gate.tick()
        if self._client_out.broken:
            self._lose_client()
        if self._last_calls is not None:
            self._close_stdin(hurry=self._client_out.broken or monotonic() >= self._last_calls)
        if self._deadline is not None and monotonic() >= self._deadline:
            self._next_step()

    # --- bytes ---

    def _read_client(self) -> None:
        chunk = _read(_STDIN)
        if chunk is None:
            return
        for line in self._client_lines.feed(chunk) if chunk else self._client_lines.end():
            if isinstance(line, TooLong):
                self._gate.too_long_from_client(line)
            else:
                self._gate.from_client(line)
        if not chunk:
            self._lose_client()

    def _read_server(self) -> None:
        chunk = _read(self._server.stdout)
        if chunk is None:
            return
        for line in self._server_lines.feed(chunk) if chunk else self._server_lines.end():
            if isinstance(line, TooLong):
                self._gate.too_long_from_server(line)
            else:
                self._gate.from_server(line)
        if not chunk:
            self._server_quiet = True
            self._close_stdin(hurry=True)

    def _read_wakes(self) -> None:
        numbers = _read(self._woken) or b""
        self._workers.collect()
        for number in set(numbers):
            if number == signal.SIGCHLD:
                self._reap()
            elif number:
                self._pass_signal(number)

    def _wake(self) -> None:
        with suppress(BlockingIOError):
            os.write(self._waker, b"\0")

    # --- ends ---

    def _lose_client(self) -> None:
        if not self._client_gone:
            self._client_gone = True
            self._last_calls = monotonic() + LAST_CALLS

    def _close_stdin(self, *, hurry: bool = False) -> None:
        """Once everything is said to the server that the client wanted to say."""
        if self._stdin_closed:
            return
        said = not self._gate.busy and not self._server_in.waiting
        if said or hurry or self._server_in.broken or self._code is not None:
            self._stdin_closed, self._last_calls = True, None
            self._server_in.close()
            self._set_deadline()

    def _set_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = monotonic() + self._grace

    def _next_step(self) -> None:
        """The server had its time. When it has ended, nobody waits for its children or for a hook."""
        self._deadline = None
        if self._code is not None:
            self._overdue = True
            return
        step = next(self._steps, None)
        if step is signal.SIGKILL:
            self._server.kill()
        elif step is not None:
            self._server.signal(step)
            self._set_deadline()

    def _reap(self) -> None:
        if self._code is None:
            self._code = self._server.ended()
        if self._code is not None:
            self._deadline = monotonic() + self._grace

    def _catch_signals(self) -> None:
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        for number in (*FORWARDED, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)

    def _pass_signal(self, number: int) -> None:
        if self._code is None:
            self._server.signal(number)
        if number == signal.SIGTERM:
            next(self._steps, None)
            self._set_deadline()


def _read(descriptor: int) -> bytes | None:
    """Empty at its end; None if nothing is there after all."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
