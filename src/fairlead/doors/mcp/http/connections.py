"""HTTP to one address and to no other: connections that are kept, TLS that is checked, no redirect elsewhere.

The standard library's client, in threads: it sends what it is given and hands out bytes as they come. The
door starts in a tenth of a second because it imports little, and httpx alone would take that time again.
"""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from fairlead.doors.mcp.http.address import PORTS, Address, is_loopback
from fairlead.errors import FairleadError

if TYPE_CHECKING:
    import ssl

CONNECT_SECONDS = 30.0
_KEPT = 8
_REDIRECTS = 3
_SAME_METHOD = (307, 308)
_CHUNK = 1 << 16


Body = bytes | None
Written = Callable[[Callable[[], None]], None]


def _ignore(_: Callable[[], None]) -> None:
    pass


def _break_off(sock: socket.socket) -> None:
    """From any thread: who reads gets the end."""
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


class UnreachableError(FairleadError):
    """No answer came; why is said without path, query or headers."""


class Reply:
    """An answer whose body is still to come."""

    def __init__(self, response: HTTPResponse, connection: HTTPConnection, pool: Connections) -> None:
        self.status = response.status
        self.reason = response.reason
        self.headers = response.headers
        self._response, self._connection, self._pool = response, connection, pool

    @property
    def kind(self) -> str:
        return (self.headers.get("Content-Type") or "").partition(";")[0].strip().lower()

    def read(self) -> bytes:
        """What has come by now; empty at the end. Raises UnreachableError."""
        try:
            return self._response.read1(_CHUNK)
        except (OSError, HTTPException, ValueError, AttributeError) as error:
            raise UnreachableError(f"{self._pool.address.shown} has broken off: {_words(error)}") from error

    def read_all(self, most: int) -> bytes | None:
        """None if it is longer. Raises UnreachableError."""
        parts, size = [], 0
        while part := self.read():
            size += len(part)
            if size > most:
                return None
            parts.append(part)
        return b"".join(parts)

    def done(self) -> None:
        """The connection may serve the next one, if this answer has come to its end."""
        if self._response.length == 0:
            self._response.read()  # so that it knows that it is over
        if self._response.isclosed() and not self._response.will_close:
            self._pool.keep(self._connection)
        else:
            self._connection.close()

    def drop(self) -> None:
        """Whatever was still to come of it."""
        self._response.close()
        self._connection.close()


class Connections:
    def __init__(self, address: Address) -> None:
        self.address = address
        self._idle: list[HTTPConnection] = []
        self._lock = Lock()
        self._context = _verifying() if address.scheme == "https" else None

    def ask(
        self, method: str, headers: Mapping[str, str], body: Body = None, *, written: Written = _ignore
    ) -> Reply:
        """Follows redirects that stay at this server and keep the method. `written` gets what breaks the
        exchange off, once the request has left. Raises UnreachableError."""
        target = self.address.target
        for _ in range(_REDIRECTS + 1):
            connection = self._connection()
            self._write(connection, method, target, headers, body)
            written(partial(_break_off, connection.sock))
            reply = self._reply(connection)
            if reply.status // 100 != 3 or reply.status == 304:
                return reply
            target = self._redirected(reply, target)
        raise UnreachableError(f"{self.address.shown} sends from one address to the next without an end")

    def _write(
        self,
        connection: HTTPConnection,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> None:
        try:
            connection.request(method, target, body, dict(headers))
        except (OSError, HTTPException, ValueError) as error:
            raise self._unreachable(connection, error) from error

    def _reply(self, connection: HTTPConnection) -> Reply:
        try:
            return Reply(connection.getresponse(), connection, self)
        except (OSError, HTTPException, ValueError) as error:
            raise self._unreachable(connection, error) from error

    def _unreachable(self, connection: HTTPConnection, error: Exception) -> UnreachableError:
        connection.close()
        return UnreachableError(f"{self.address.shown} cannot be reached: {_words(error)}")

    def _redirected(self, reply: Reply, target: str) -> str:
        """Credentials are for the server that a person named, and for no other."""
        reply.drop()
        here = self.address
        bracketed = f"[{here.host}]" if ":" in here.host else here.host
        url = urljoin(f"{here.scheme}://{bracketed}:{here.port}{target}", reply.headers.get("Location", ""))
        try:
            parts = urlsplit(url)
            there = (parts.scheme, (parts.hostname or "").lower(), parts.port or PORTS.get(parts.scheme, 0))
        except ValueError:
            there = ("", "", 0)
        if there != here.origin or reply.status not in _SAME_METHOD:
            where = there[1] if there != here.origin else "another method"
            raise UnreachableError(
                f"{here.shown} redirects to {where or 'nowhere'} ({reply.status}), where nothing is sent",
                hint="if that is right, give the new address as --url",
            )
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def _connection(self) -> HTTPConnection:
        with self._lock:
            while self._idle:
                connection = self._idle.pop()
                if _is_open(connection):
                    return connection
                connection.close()
        return self._opened()

    def _opened(self) -> HTTPConnection:
        here = self.address
        proxy = _proxy_for(here)
        host, port = proxy or (here.host, here.port)
        connection: HTTPConnection
        if self._context is None:
            connection = HTTPConnection(host, port, timeout=CONNECT_SECONDS)
        else:
            connection = HTTPSConnection(host, port, timeout=CONNECT_SECONDS, context=self._context)
            if proxy:
                connection.set_tunnel(here.host, here.port)
        try:
            connection.connect()
        except (OSError, HTTPException, ValueError) as error:
            raise self._unreachable(connection, error) from error
        connection.sock.settimeout(None)  # a tool takes the time that it takes
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return connection

    def keep(self, connection: HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _is_open(connection: HTTPConnection) -> bool:
    """One that can be read has ended, or says what nobody asked for: then a request could be lost on it."""
    if connection.sock is None:
        return False
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return not poll.poll(0)


def _proxy_for(address: Address) -> tuple[str, int] | None:
    """Of `https_proxy` and `no_proxy`, for TLS alone: nothing in between can read it."""
    if address.scheme != "https" or is_loopback(address.host):
        return None
    if not (os.environ.get("https_proxy") or os.environ.get("HTTPS_PROXY")):
        return None
    from urllib.request import getproxies_environment, proxy_bypass  # only where there is one

    if proxy_bypass(address.shown):
        return None
    parts = urlsplit(getproxies_environment()["https"])
    if parts.scheme not in ("http", "") or not parts.hostname:
        raise UnreachableError("the proxy of HTTPS_PROXY is not understood", hint="http://HOST:PORT")
    return parts.hostname, parts.port or 80


def _verifying() -> ssl.SSLContext:
    import ssl  # takes time to load, and local servers speak without it

    return ssl.create_default_context()


def _words(error: Exception) -> str:
    """Of the system alone: what a library says may quote a header."""
    if isinstance(error, OSError):
        return error.strerror or getattr(error, "verify_message", "") or type(error).__name__
    return type(error).__name__
