"""One GET, bounded in bytes and in time whatever the server does.

`http.client` is used as it is: it follows no redirect, asks no variable for a proxy, and sends nothing that
was not given to it. What it lacks is an end: a server that drips one byte now and then keeps it waiting. So
it runs in a thread, and whoever waits for it hangs up when the time is over.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from fairlead.doors.fleet.sources.source import SourceError
from fairlead.errors import UsageError
from fairlead.model.value import Value

SECONDS = 30.0
_SILENCE = 10.0
"""Seconds for each step of it: to connect, or to be sent the next bytes."""
_PIECE = 64 * 1024
_ETAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e]{0,250}"', re.ASCII)
_TRUST = "`tls_ca` in fleet.yaml names who signed its certificate; look at its name and its dates, too"
_PORT = "is that the port for https?"
_UP = "is it up, and does this machine reach it? `proxy` in fleet.yaml names a way out"
_PROXY = "`proxy` in fleet.yaml names it: is it up, and does it let us through to there?"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Web(Value):
    """A server, and how it is reached. `proxy` is one that tunnels, as in http://proxy.example:3128."""

    base: str
    authorization: str = ""
    ca: str = ""
    proxy: str = ""

    def checked(self) -> Web:
        """What is signed cannot be forged, but who reads along knows our rules: so TLS, or this machine."""
        parts = urlsplit(self.base)
        here = parts.scheme == "http" and parts.hostname in LOOPBACK
        if not parts.hostname or not (parts.scheme == "https" or here):
            hint = "write https://host/path; http is for this machine alone"
            raise UsageError(f"{self.shown!r} is no address of a web server", hint=hint)
        if self.proxy and not urlsplit(self.proxy).hostname:
            raise UsageError("the proxy has no address", hint="write http://host:port")
        return self

    @property
    def shown(self) -> str:
        parts = urlsplit(self.base)
        return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"


class Answer(Value):
    """`etag` is empty where the server gave none that could be sent back to it."""

    status: int
    etag: str
    body: bytes


async def get(
    web: Web, path: str, *, limit: int, headers: Mapping[str, str] | None = None, seconds: float = SECONDS
) -> Answer:
    """Raises SourceError."""
    exchange = _Exchange(web, limit, seconds)
    working = asyncio.ensure_future(asyncio.to_thread(exchange.run, path, dict(headers or {})))
    try:
        return await asyncio.wait_for(asyncio.shield(working), seconds)
    except TimeoutError:
        raise SourceError(f"{web.shown} was not done within {seconds:g} s") from None
    except HTTPException as error:
        raise SourceError(f"{web.shown} speaks no HTTP: {type(error).__name__}") from error
    except ssl.SSLCertVerificationError as error:
        raise SourceError(f"{web.shown} cannot be trusted: {error.verify_message}", hint=_TRUST) from error
    except ssl.SSLError as error:
        said = (error.reason or type(error).__name__).lower().replace("_", " ")
        raise SourceError(f"{web.shown} speaks no TLS that we know: {said}", hint=_PORT) from error
    except (OSError, ValueError) as error:
        through = f" through {web.proxy}" if web.proxy else ""
        hint = _PROXY if web.proxy else _UP
        raise SourceError(f"{web.shown} cannot be reached{through}: {error}", hint=hint) from error
    finally:
        exchange.hang_up()
        working.add_done_callback(_forget)


def _forget(working: asyncio.Future[Answer]) -> None:
    """What became of it after nobody waited any more."""
    if not working.cancelled():
        working.exception()


class _Exchange:
    def __init__(self, web: Web, limit: int, seconds: float) -> None:
        self._web = web
        self._limit = limit
        self._deadline = monotonic() + seconds
        self._connection: HTTPConnection | None = None
        self._over = False

    def run(self, path: str, headers: dict[str, str]) -> Answer:
        parts = urlsplit(self._web.base)
        self._connection = connection = self._connect(parts)
        if self._web.authorization:
            headers["Authorization"] = self._web.authorization
        try:
            connection.connect()
            if self._over:
                raise TimeoutError("there was no time left")
            connection.request("GET", f"{parts.path.rstrip('/')}/{path}", headers=headers)
            with connection.getresponse() as response:  # one that is refused half-read keeps its socket
                return self._answer(response)
        finally:
            connection.close()

    def hang_up(self) -> None:
        """Wakes the thread out of whatever it waits for."""
        self._over = True
        if self._connection is not None and isinstance(self._connection.sock, socket.socket):
            with suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)

    def _connect(self, parts: SplitResult) -> HTTPConnection:
        host = parts.hostname or ""
        if parts.scheme == "http":
            return HTTPConnection(host, parts.port, timeout=_SILENCE)
        context = _context(self._web.ca)
        if not self._web.proxy:
            return HTTPSConnection(host, parts.port, timeout=_SILENCE, context=context)
        proxy = urlsplit(self._web.proxy)
        through = HTTPSConnection(proxy.hostname or "", proxy.port or 3128, timeout=_SILENCE, context=context)
        through.set_tunnel(host, parts.port or 443)
        return through

    def _answer(self, response: HTTPResponse) -> Answer:
        if response.status in (304, 404):
            return Answer(response.status, "", b"")
        if response.status != 200:
            moved = f" and points to {response.getheader('Location')!r}, which is not followed"
            told = moved if 300 <= response.status < 400 else ""
            raise SourceError(f"{self._web.shown} answered {response.status}{told}")
        if (response.getheader("Content-Encoding") or "identity").lower() != "identity":
            raise SourceError(f"{self._web.shown} sent something packed that was not asked for")
        mark = response.getheader("ETag") or ""
        return Answer(200, mark if _ETAG.fullmatch(mark) else "", self._body(response))

    def _body(self, response: HTTPResponse) -> bytes:
        promised = response.length
        if promised is not None and promised > self._limit:
            raise SourceError(
                f"{self._web.shown} would send {promised} bytes, where {self._limit} are allowed"
            )
        body = bytearray()
        while piece := response.read1(_PIECE):
            body += piece
            if len(body) > self._limit:
                raise SourceError(f"{self._web.shown} sends more than {self._limit} bytes")
            if monotonic() > self._deadline:
                raise TimeoutError("it is too slow")
        if promised is not None and len(body) != promised:
            raise SourceError(f"{self._web.shown} promised {promised} bytes and sent {len(body)}")
        return bytes(body)


def _context(ca: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca or None)
    except OSError as error:
        why = error.strerror or "it holds no certificate"
        hint = "`tls_ca` in fleet.yaml names a file with certificates in PEM form"
        raise SourceError(f"{ca} cannot be used: {why}", hint=hint) from error
