"""A model on loopback that `doctor` plays: it asks for a few commands, one after the other, and is done."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

from fairlead.doors.cli.live.model_apis import Api, Body, Said, ToolUse, api_at, streams

Shells = Mapping[str, Callable[[str], Mapping[str, object]]]
"""By the name of an agent's shell tool: its arguments for a command."""
_BOUND = 64 * 1024 * 1024
_COUNTED = json.dumps({"input_tokens": 1, "totalTokens": 1}).encode()


class PlayedModel:
    """Serves until it is closed. `results` is what the agent said came of each command."""

    def __init__(
        self, commands: Sequence[str], shells: Shells, service: Mapping[str, object] | None = None
    ) -> None:
        self._service = service or {}
        """What else the vendor's service would answer, by the end of the address."""
        self.results: tuple[str, ...] = ()
        self.asked = 0
        """How many of the commands it has asked for."""
        self.requests = 0
        self.done = Event()
        """Set when every command has its result."""
        self._commands, self._shells = tuple(commands), shells
        self._lock = Lock()
        self._server = _Server(self)
        self._thread = Thread(target=self._server.serve_forever, daemon=True, name="played model")
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> PlayedModel:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: Body) -> tuple[str, bytes] | None:
        """The type and the content of the answer; None for an address that no model API has."""
        if path.endswith(("/count_tokens", ":countTokens")):
            return "application/json", _COUNTED
        api = api_at(path)
        if api is None:
            known = (said for end, said in self._service.items() if path.endswith(end))
            return next((("application/json", json.dumps(said).encode()) for said in known), None)
        document = api.document(body, self._say(api, body))
        if streams(path, body):
            return "text/event-stream", api.stream(document).encode()
        return "application/json", json.dumps(document).encode()

    def _say(self, api: Api, body: Body) -> Said:
        """The next command, to whoever offers a shell: titles and summaries are asked for without one."""
        turn = api.read(body)
        shell = next((name for name in turn.tools if name in self._shells), None)
        with self._lock:
            self.requests += 1
            if len(turn.results) > len(self.results):
                self.results = turn.results
            at = len(turn.results)
            if at >= len(self._commands) and shell is not None:
                self.done.set()
            if shell is None or self.done.is_set():
                return "done"
            self.asked = max(self.asked, at + 1)
        arguments = self._shells[shell](self._commands[at])
        return ToolUse(f"canary_{self.requests}_{at}", shell, arguments)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: PlayedModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model

    def handle_error(self, *_: Any) -> None:
        """An agent that ends leaves connections half read; that is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        """What an agent sends is nobody's business."""

    def do_POST(self) -> None:
        raw = self._body()
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        path = self.path.split("?")[0]
        found = self.server.model.answer(path, body) if isinstance(body, dict) and path[0] == "/" else None
        self._send(*(found or ("application/json", b"{}")), status=200 if found else 404)

    def do_GET(self) -> None:
        self._send("application/json", b'{"data": [], "models": []}', 200 if self._lists() else 404)

    do_HEAD = do_GET  # noqa: N815 - the base class has these names

    def do_CONNECT(self) -> None:
        """It is also named as the proxy, so that nothing else is reached."""
        self.close_connection = True
        self._send("text/plain", b"", 403)

    def _lists(self) -> bool:
        return self.path.split("?")[0].endswith("/models")

    def _body(self) -> bytes:
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            raw = b"".join(iter(self._chunk, b""))
        else:
            raw = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), _BOUND))
        if self.headers.get("Content-Encoding") == "gzip":
            with suppress(OSError, EOFError):
                return gzip.decompress(raw)
        return raw

    def _chunk(self) -> bytes:
        size = int(self.rfile.readline().split(b";")[0].strip() or b"0", 16)
        chunk = self.rfile.read(min(size, _BOUND))
        self.rfile.readline()
        return chunk

    def _send(self, kind: str, content: bytes, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
