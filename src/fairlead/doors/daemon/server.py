"""Answers calls on a listening socket, several at a time.

Every worker waits in `accept()` itself: a call is then never handed from one thread to another. There is
always a worker to spare until the bound is reached; above it, clients are not acknowledged and answer cold.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from socket import AF_UNIX, SO_SNDTIMEO, SOCK_STREAM, SOL_SOCKET, SocketType
from time import monotonic, sleep

from fairlead.doors.daemon.wire import (
    GO_COLD,
    PONG,
    Intake,
    WireError,
    acknowledgement,
    frame,
    kernel_time,
    read_request,
    reply_frame,
)
from fairlead.doors.hook.hook_call import Acknowledge, HookCall
from fairlead.model.value import Value
from fairlead.model.verdict import Reply
from fairlead.platforms import here

WORKERS = 128
SPARE_WORKERS = 8
INTAKE_SECONDS = 2.0
_QUICK = 8 * 1024
"""A payload of this size, when nothing else is to do, is judged in a moment: the answer itself is soon there,
and to acknowledge the call before would only wake the client twice."""
_PEER = struct.Struct("3i")
_FITS = 64 * 1024
"""So much goes into the socket at once, whether the client reads it or not."""

Judge = Callable[[HookCall, Acknowledge | None], tuple[Reply, Callable[[], None] | None]]
"""Answers a call, and says what is left to do once the answer is out.

The second value acknowledges the call, where that has not been done: before anything that may take long.
"""


class RefusedError(WireError):
    """The call is sound, but somebody else has to answer it."""


class Rules(Value):
    """What a server needs to know of the world around it."""

    judge: Judge
    status: Callable[[], bytes]
    log: Callable[[str], None]
    outdated: Callable[[], bool]
    """Whether the code that runs here is no longer what is installed."""
    retire: Callable[[str], None]
    workers: int = WORKERS
    intake_seconds: float = INTAKE_SECONDS


class Server:
    """`listener` is bound and listening. A stuck hook does not keep a retired process alive."""

    def __init__(self, listener: socket.socket, rules: Rules) -> None:
        self.calls = 0
        self.last_call = monotonic()
        self._listener = listener
        self._accept: Callable[[], tuple[int, object]] = listener._accept  # type: ignore[attr-defined]
        """What accept() itself calls, before it looks up again what kind of socket this is."""
        self._rules = rules
        self._lock = threading.Lock()
        self._total = 0
        self._idle = 0
        self._closed = False
        self._patience = kernel_time(rules.intake_seconds)
        self._uid = os.getuid()
        self._root = here.name_of_root()
        self._namespace = here.namespace_of("self")

    def start(self) -> None:
        with self._lock:
            self._hire()

    def close(self) -> None:
        """No new calls. Those that were not accepted yet see the end of the connection, and go cold."""
        self._closed = True
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the workers
        self._listener.close()

    @property
    def busy(self) -> int:
        return self._total - self._idle

    @property
    def workers(self) -> int:
        return self._total

    def _hire(self) -> None:
        self._total += 1
        self._idle += 1
        threading.Thread(target=self._work, daemon=True, name="worker").start()

    def _work(self) -> None:
        try:
            while not self._closed and self._serve_next():
                pass
        finally:
            with self._lock:
                self._total -= 1
                self._idle -= 1

    def _serve_next(self) -> bool:
        """One call; False when this worker is one too many."""
        try:
            descriptor, _ = self._accept()
        except OSError as error:
            return self._starved(error)
        connection = SocketType(AF_UNIX, SOCK_STREAM, 0, descriptor)
        self._leave_for_work()
        try:
            try:
                afterwards = self._answer(connection)
            finally:
                connection.close()
            if afterwards is not None:
                afterwards()
        except Exception as error:  # noqa: BLE001 - one broken call must not take a worker from the others
            self._rules.log(f"a call broke: {_place_of(error)}")
        return self._come_back()

    def _leave_for_work(self) -> None:
        with self._lock:
            self._idle -= 1
            self.last_call = monotonic()
            if self._idle == 0 and self._total < self._rules.workers and not self._closed:
                try:
                    self._hire()
                except RuntimeError:
                    self._total -= 1
                    self._idle -= 1

    def _come_back(self) -> bool:
        with self._lock:
            self._idle += 1
            self.last_call = monotonic()
            return self._idle <= SPARE_WORKERS

    def _starved(self, error: OSError) -> bool:
        if self._closed:
            return False
        self._rules.log(f"cannot accept: {error.strerror}")
        sleep(0.05)  # no descriptors: the client goes cold meanwhile, and a busy loop would help nobody
        return True

    def _answer(self, connection: SocketType) -> Callable[[], None] | None:
        try:
            process, user = here.peer(connection)
            if user != self._uid:
                raise RefusedError(f"user {user} is not the daemon's")
            request = read_request(Intake(connection, self._rules.intake_seconds), process)
            if request is None:
                connection.sendall(frame(PONG, self._rules.status()))
                return None
            call, root = request
            self._check(process, root)
            with self._lock:
                self.calls += 1
            acknowledge: Acknowledge | None = partial(_acknowledge, connection, call)
            if self._total - self._idle > 1 or len(call.payload) > _QUICK:
                _acknowledge(connection, call)
                acknowledge = None
            reply, afterwards = self._rules.judge(call, acknowledge)
            answer = reply_frame(reply)
            if len(answer) > _FITS:
                connection.setsockopt(SOL_SOCKET, SO_SNDTIMEO, self._patience)
            connection.sendall(answer)
            return afterwards
        except WireError as error:
            self._rules.log(f"refused a call: {error.message}")
            _tell(connection, frame(GO_COLD, error.message.encode("utf-8", "replace")))
        except OSError:
            pass  # the client is gone, and has answered by itself or cold
        return None

    def _check(self, process: int, root: str) -> None:
        """Whether this daemon may answer: it has to see the client's files, and to be what is installed."""
        if not self._sees_files_of(process, root):
            raise RefusedError("the client sees other files than the daemon")
        if self._rules.outdated():
            self._rules.retire("another build is installed")
            raise RefusedError("another build is installed")

    def _sees_files_of(self, process: int, root: str) -> bool:
        if root and self._root:
            return root == self._root
        return here.namespace_of(process) == self._namespace


def _acknowledge(connection: SocketType, call: HookCall) -> None:
    connection.sendall(acknowledgement(call.seconds))


def _tell(connection: SocketType, words: bytes) -> None:
    with suppress(OSError):  # it may not have waited for the reason
        connection.sendall(words)


def _place_of(error: Exception) -> str:
    """Type and place only: a message may quote a payload or a variable."""
    _, _, trace = sys.exc_info()
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{place}"
