"""Who may ask: this machine, this page, and whoever was shown the address.

A page elsewhere can make a browser send requests here (DNS rebinding, cross-site forms), so the Host must be
ours, an Origin must be ours, and a cookie that no other site can send must be there.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_LOCKED = "Open the address that `{0}` printed. It works once; start `{0}` again for another."


class Gate:
    """Stands before the app. `token` opens it once; what the browser gets for it is another secret."""

    def __init__(self, app: App, port: int, command: str) -> None:
        self._app = app
        self._locked = _LOCKED.format(command)
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self._cookie = f"fairlead_{port}"
        self._session = secrets.token_urlsafe(32)
        self.token = secrets.token_urlsafe(32)
        self.scrape_token = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _answer(send, *refusal)
        elif self._is_opening(scope):
            await self._open(scope, headers, send)
        elif not self._is_known(scope, headers):
            await _answer(send, 403, self._locked)
        else:
            await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            return 421, "This is not the address of the dashboard."
        if origin is not None and origin != f"http://{host}":
            return 403, "Another site asked for this."
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "Another site asked for this."
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "Only GET and POST are answered."
        if scope["method"] == "POST":
            if origin is None:
                return 403, "A change needs the Origin of this page."
            if headers.get("content-type", "").split(";")[0].strip() != "application/json":
                return 415, "A change is sent as JSON."
        return None

    def _is_opening(self, scope: Scope) -> bool:
        return scope["path"] == "/" and b"token=" in scope["query_string"]

    async def _open(self, scope: Scope, headers: Mapping[str, str], send: Send) -> None:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self.token and secrets.compare_digest(given.encode(), self.token.encode()):
            self.token = ""
        elif not self._is_known(scope, headers):
            await _answer(send, 403, self._locked)
            return
        cookie = f"{self._cookie}={self._session}; HttpOnly; SameSite=Strict; Path=/"
        await _answer(send, 303, "", {"location": "/", "set-cookie": cookie})

    def _is_known(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        cookies = {name: value for name, _, value in pairs}
        if secrets.compare_digest(cookies.get(self._cookie, "").encode(), self._session.encode()):
            return True
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        return scope["path"] == "/metrics" and secrets.compare_digest(
            bearer.encode(), self.scrape_token.encode()
        )


async def _answer(send: Send, status: int, text: str, more: Mapping[str, str] | None = None) -> None:
    headers = {**HEADERS, "content-type": "text/plain; charset=utf-8", **(more or {})}
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": f"{text}\n".encode() if text else b""})


def _with_headers(send: Send) -> Send:
    async def wrapped(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            ours = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            names = {name for name, _ in ours}
            message["headers"] = [pair for pair in message["headers"] if pair[0].lower() not in names] + ours
        await send(message)

    return wrapped
