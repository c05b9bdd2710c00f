"""The server at an address: lines go there as requests, and what it answers comes back as lines.

Messages leave in the order in which they came, and each has a thread that reads its answer. What comes is
handed over where the gate is called (`post`); each method says
where it runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from fairlead.doors.mcp.http import headers as names
from fairlead.doors.mcp.http.connections import Connections, Reply, UnreachableError
from fairlead.doors.mcp.http.event_stream import Comment, EventReader, EventTooLongError, StreamEvent
from fairlead.doors.mcp.http.messages_sent import Sent, listening
from fairlead.doors.mcp.http.remote_session import JSON, STREAM, RemoteSession, object_in
from fairlead.doors.mcp.protocol.lines import LONGEST
from fairlead.doors.mcp.protocol.messages import encode
from fairlead.doors.mcp.protocol.refusals import REFUSED, error

MOST = 256
"""Requests and streams that are open at a time."""
_TRIES = 5
_ORDER_SECONDS = 60.0
"""How long what comes after an opening waits for it."""
_ERROR_BYTES = 1 << 20
LIST_CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'


class Hearer(Protocol):
    """Called where the gate is called; `throttle` alone on a thread of ours, and it may wait."""

    def heard(self, sent: Sent, line: bytes, event: StreamEvent | None) -> None: ...

    def streams(self, sent: Sent) -> None:
        """What comes now is a stream."""

    def commented(self, sent: Sent, comment: Comment) -> None: ...

    def failed(self, sent: Sent, status: int, headers: Mapping[str, str]) -> None:
        """The server has refused it with this status; 0: it could not be reached. A line follows, if somebody
        waits for one."""

    def ended(self, sent: Sent) -> None: ...

    def waits_for(self, id: object) -> bool: ...

    def throttle(self) -> None: ...

    def note(self, text: str) -> None: ...


Post = Callable[[Callable[[], None]], None]


class Upstream:
    """`renews`: a session that the server has forgotten is opened anew, because the client knows of none."""

    def __init__(
        self, connections: Connections, hearer: Hearer, post: Post, *, fixed: Mapping[str, str], renews: bool
    ) -> None:
        self._connections = connections
        self._hearer = hearer
        self._post = post
        self._renews = renews
        self._queue: SimpleQueue[Sent | None] = SimpleQueue()
        self._open: set[Sent] = set()
        self._session = RemoteSession(connections, fixed)
        self._closed = False
        Thread(target=self._dispatch, daemon=True, name="upstream").start()

    @property
    def busy(self) -> bool:
        """Whether a message has not arrived, or an answer is still to come."""
        return any(sent.line for sent in self._open)

    # --- where the gate is called ---

    def send(self, sent: Sent, places: names.Places) -> None:
        if sent.method == "notifications/cancelled" and self._session.modern_version:
            self.cancel(sent.params.get("requestId"))
            self._later(partial(self._hearer.ended, sent))
            return
        if len(self._open) >= MOST:
            self._later(partial(self._refuse, sent, f"{MOST} requests have no answer yet", 503))
            return
        self._session.prepare(sent, places)
        self._begin(sent)

    def listen(self, sent: Sent) -> None:
        """Opens a stream for what the server says by itself."""
        self._begin(sent)

    def cancel(self, id: object) -> None:
        """In the later era, a request is taken back by closing its stream."""
        for sent in list(self._open):
            if sent.id is not None and str(sent.id) == str(id):
                sent.cancel()

    def abandon(self, of: object) -> None:
        """Nobody reads any more what comes for it; the server may keep it for who asks again."""
        for sent in list(self._open):
            if sent.of is of:
                sent.cancel()

    def close(self, seconds: float) -> None:
        """Ends the session at the server, if that takes no longer."""
        self._closed = True
        for sent in list(self._open):
            sent.cancel()
        self._queue.put(None)
        thread = Thread(target=self._session.end, daemon=True, name="end")
        thread.start()
        thread.join(seconds)
        self._connections.close()

    def _begin(self, sent: Sent) -> None:
        self._open.add(sent)
        self._queue.put(sent)

    def _later(self, call: Callable[[], None]) -> None:
        self._post(call)

    def _hear(self, sent: Sent, line: bytes, event: StreamEvent | None) -> None:
        self._session.heard(sent, line)
        self._hearer.heard(sent, line, event)
        if sent.id is not None and not self._hearer.waits_for(sent.id):
            sent.settled.set()

    def _refuse(self, sent: Sent, why: str, status: int, headers: Mapping[str, str] | None = None) -> None:
        if sent.is_cancelled:
            self._finish(sent)
            return
        self._hearer.failed(sent, status, headers or {})
        if isinstance(sent.id, str | int) and self._hearer.waits_for(sent.id):
            self._hear(sent, error(sent.id, REFUSED, why), None)
        elif sent.id is None and sent.method:
            self._hearer.note(f"{sent.method} did not arrive: {why}")
        self._finish(sent)

    def _finish(self, sent: Sent) -> None:
        self._open.discard(sent)
        sent.settled.set()
        self._hearer.ended(sent)
        if sent.method == "notifications/initialized" and self._renews and not self._closed:
            self.listen(listening(given=sent.given))

    def _end_of_stream(self, sent: Sent) -> None:
        """What was not answered is asked for again where the server says how; else its client is told."""
        waited_for = not sent.line or self._hearer.waits_for(sent.id)
        resumes = bool(sent.last_event) if sent.line else self._renews
        if self._closed or sent.is_cancelled or not waited_for:
            self._finish(sent)
        elif resumes and sent.tries < _TRIES and not sent.modern:
            Thread(target=self._listen, args=(sent,), daemon=True, name="resume").start()
        elif sent.id is None:
            self._finish(sent)
        else:
            self._refuse(sent, "the server's stream ended without an answer", 502)

    # --- threads ---

    def _dispatch(self) -> None:
        """One message after the other leaves; what follows an opening waits for its answer."""
        while (sent := self._queue.get()) is not None:
            target = self._exchange if sent.line else self._listen
            Thread(target=target, args=(sent,), daemon=True, name="exchange").start()
            if sent.method in ("initialize", "notifications/initialized"):
                sent.settled.wait(_ORDER_SECONDS)
            elif sent.line:
                sent.out.wait(_ORDER_SECONDS)

    def _exchange(self, sent: Sent) -> None:
        try:
            self._answer(sent, self._session.post(sent))
        except UnreachableError as problem:
            self._lost(sent, str(problem))
        except EventTooLongError as problem:
            self._lost(sent, f"the server's answer is too long to be judged: {problem}")
        finally:
            sent.out.set()

    def _answer(self, sent: Sent, reply: Reply) -> None:
        if reply.status == 404 and self._is_anew(sent):
            reply.drop()
            self._later(partial(self._reopened, sent))
            self._answer(sent, self._session.post(sent))
        elif reply.status >= 400:
            self._refused(sent, reply)
        elif reply.kind == STREAM:
            self._read_stream(sent, reply)
        else:
            self._read_body(sent, reply)

    def _is_anew(self, sent: Sent) -> bool:
        """The server has forgotten the session, and there is another one now."""
        if not sent.session or not self._renews or sent.is_repeated:
            return False
        sent.is_repeated = True
        return self._session.renewed(sent)

    def _reopened(self, sent: Sent) -> None:
        self._hearer.note("the server has forgotten the session; a new one is open")
        self._hearer.heard(sent, LIST_CHANGED, None)
        self.listen(listening(given=sent.given))

    def _read_body(self, sent: Sent, reply: Reply) -> None:
        body = reply.read_all(LONGEST)
        reply.done()
        if body is None:
            self._lost(sent, f"the server's answer of more than {LONGEST} bytes is too long to be judged")
        elif body.strip() and reply.kind == JSON:
            self._later(partial(self._hear, sent, _one_line(body), None))
            self._later(partial(self._end_of_stream, sent))
        elif sent.id is not None:
            self._lost(sent, f"the server answered {reply.status} without a message")
        else:
            self._later(partial(self._finish, sent))

    def _read_stream(self, sent: Sent, reply: Reply) -> None:
        self._later(partial(self._hearer.streams, sent))
        reader = EventReader()
        try:
            while part := reply.read():
                self._hearer.throttle()
                for found in reader.feed(part):
                    self._event(sent, found)
        except UnreachableError:
            pass  # the end of the stream, as far as anybody can tell
        reply.done()
        self._later(partial(self._end_of_stream, sent))

    def _event(self, sent: Sent, found: StreamEvent | Comment) -> None:
        if isinstance(found, Comment):
            self._later(partial(self._hearer.commented, sent, found))
            return
        sent.tries = 0
        if found.id is not None:
            sent.last_event = found.id.decode("utf-8", "replace")
        if found.retry is not None:
            sent.pause = min(found.retry, 60.0)
        line = found.line if found.data.strip() and found.name == b"message" else b""
        self._later(partial(self._hear, sent, line, found))

    def _listen(self, sent: Sent) -> None:
        """For the first time, or again after it broke off."""
        if sent.tries or sent.line:
            time.sleep(sent.pause * 2 ** max(0, sent.tries - 1))
        sent.tries += 1
        try:
            reply = self._session.get(sent)
            if reply.status == 200 and reply.kind == STREAM:
                self._read_stream(sent, reply)
            else:
                self._refused(sent, reply)
        except UnreachableError:
            self._later(partial(self._end_of_stream, sent))
        except EventTooLongError as problem:
            self._lost(sent, f"the server's answer is too long to be judged: {problem}")

    def _refused(self, sent: Sent, reply: Reply) -> None:
        body = reply.read_all(_ERROR_BYTES)
        reply.done()
        if isinstance(sent.id, str | int) and (line := _error_line(body or b"", sent.id)):
            self._later(partial(self._hearer.failed, sent, reply.status, dict(reply.headers)))
            self._later(partial(self._hear, sent, line, None))
            self._later(partial(self._end_of_stream, sent))
            return
        why = f"the server answered {reply.status} {reply.reason}".rstrip()
        if reply.status in (401, 403):
            why += "; if it wants authorization: --header-env Authorization=VARIABLE"
        self._later(partial(self._refuse, sent, why, reply.status, dict(reply.headers)))

    def _lost(self, sent: Sent, why: str) -> None:
        self._later(partial(self._refuse, sent, why, 0))


def _error_line(body: bytes, id: str | int) -> bytes:
    """Of an error that belongs to the request, or to none; empty for all else."""
    message = object_in(body)
    problem = message.get("error")
    if not isinstance(problem, dict) or message.get("id") not in (None, id, "server-error"):
        return b""
    if message.get("id") == id:
        return _one_line(body)
    try:
        return encode({"jsonrpc": "2.0", "id": id, "error": problem})
    except (ValueError, RecursionError):
        return b""


def _one_line(body: bytes) -> bytes:
    return body.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"
