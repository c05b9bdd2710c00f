"""A small server of Streamable HTTP that a test plays: it says what the test wants, and keeps what it got."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from socket import SHUT_RDWR, socket
from threading import Event, Thread
from typing import Any

TOOLS = [
    {"name": "echo", "inputSchema": {"type": "object"}},
    {
        "name": "sent",
        "inputSchema": {
            "type": "object",
            "properties": {
                "region": {"type": "string", "x-mcp-header": "Region"},
                "deep": {
                    "type": "object",
                    "properties": {"count": {"type": "integer", "x-mcp-header": "Count"}},
                },
            },
        },
    },
]


class Asked:
    """One request that arrived."""

    def __init__(self, method: str, headers: Mapping[str, str], body: bytes) -> None:
        self.method = method
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.body = body
        self.message: dict[str, Any] = json.loads(body) if body else {}

    @property
    def id(self) -> Any:
        return self.message.get("id")

    @property
    def tool(self) -> str:
        return str(self.message.get("params", {}).get("name", ""))


class Answer:
    """`parts` are sent one after the other; a callable is called in between, and may wait."""

    def __init__(
        self,
        *parts: bytes | Callable[[], object],
        status: int = 200,
        kind: str = "application/json",
        **headers: str,
    ) -> None:
        self.parts = parts
        self.status = status
        self.headers = {
            "Content-Type": kind,
            **{key.replace("_", "-"): each for key, each in headers.items()},
        }


def says(message: object, **answer: Any) -> Answer:
    return Answer(json.dumps(message).encode(), **answer)


def streams(*parts: bytes | Callable[[], object], **answer: Any) -> Answer:
    return Answer(*parts, kind="text/event-stream", **answer)


def event(message: object, *, id: str = "") -> bytes:
    head = f"id: {id}\n" if id else ""
    return f"{head}event: message\ndata: {json.dumps(message)}\n\n".encode()


def result(asked: Asked, value: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": asked.id, "result": value}


def text(words: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": words}]}


class PlayedServer:
    """`plays` overrides what it says, by tool, method of MCP, or method of HTTP."""

    def __init__(self) -> None:
        self.plays: dict[str, Callable[[Asked], Answer]] = {}
        self.asked: list[Asked] = []
        self.arrivals: SimpleQueue[Asked] = SimpleQueue()
        self.cut_off: SimpleQueue[Asked] = SimpleQueue()
        """Whose client went away while it was answered."""
        self.sessions = 0
        self.over = Event()
        self.connections: list[socket] = []
        played = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                played.connections.append(self.connection)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                asked = Asked(self.command, dict(self.headers), body)
                played.asked.append(asked)
                answer = played.answer(asked)
                played.arrivals.put(asked)
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                try:
                    self.say(answer)
                except OSError:
                    played.cut_off.put(asked)
                    self.close_connection = True

            def say(self, answer: Answer) -> None:
                for part in answer.parts:
                    if isinstance(part, bytes):
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                        self.wfile.flush()
                    elif part() == "end":
                        self.close_connection = True
                        return
                self.wfile.write(b"0\r\n\r\n")

            def do_GET(self) -> None:
                self.do_POST()

            def do_DELETE(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self.url = f"http://127.0.0.1:{self._server.server_port}/mcp"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(SHUT_RDWR)

    def got(self, method: str) -> list[Asked]:
        return [asked for asked in self.asked if method in (asked.message.get("method"), asked.method)]

    def answer(self, asked: Asked) -> Answer:
        method = str(asked.message.get("method", ""))
        for key in (asked.tool, method, asked.method):
            if key in self.plays:
                return self.plays[key](asked)
        if asked.method != "POST":
            return Answer(status=405)
        if method == "initialize":
            self.sessions += 1
            return says(result(asked, self.opening()), Mcp_Session_Id=f"session-{self.sessions}")
        if asked.id is None or "method" not in asked.message:
            return Answer(status=202)
        if method == "tools/list":
            return says(result(asked, {"tools": TOOLS}))
        if method == "tools/call":
            arguments = asked.message["params"].get("arguments", {})
            return says(result(asked, text(json.dumps(arguments))))
        return says(result(asked, {}))

    def opening(self) -> dict[str, object]:
        info = {"name": "played", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
