"""The door as a server of HTTP, a process, and a test as its client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from socket import SHUT_RDWR
from typing import Any

TOKEN = "a-word-that-nobody-can-guess"
PATIENCE = 60
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


class Listener:
    """`port` is where it listens; None for a socket in a folder."""

    def __init__(self, home: Path, url: str, *options: str, where: str = "127.0.0.1:0", **env: str) -> None:
        command = [sys.executable, "-m", "fairlead", "--home", str(home), "mcp"]
        words = ["--name", "small", "--url", url, "--listen", where, *options]
        if "TOKEN" in env:
            words += ["--token-env", "TOKEN"]
        self.process = subprocess.Popen(
            [*command, *words], stderr=subprocess.PIPE, env={**os.environ, **env}, text=True
        )
        assert self.process.stderr
        self.said = self.process.stderr.readline()
        address = self.said.partition("listening at ")[2].partition("/mcp;")[0]
        port = address.rpartition(":")[2]
        self.port = int(port) if port.isdigit() else None
        self.session = ""
        self._open: list[tuple[HTTPResponse, HTTPConnection]] = []

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=PATIENCE)

    def request(self, method: str, body: bytes = b"", path: str = "/mcp", **headers: str) -> HTTPResponse:
        """Names of headers have `_` for `-`; an empty value leaves a header out."""
        connection = HTTPConnection("127.0.0.1", self.port or 0, timeout=PATIENCE)
        given = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        if self.session:
            given["Mcp-Session-Id"] = self.session
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {name: value for name, value in given.items() if value})
        response = connection.getresponse()
        self._open.append((response, connection))
        return response

    def hang_up(self, *responses: HTTPResponse) -> None:
        """All of them, if none is named."""
        for response, connection in self._open:
            if not responses or response in responses:
                with suppress(OSError, AttributeError):
                    connection.sock.shutdown(SHUT_RDWR)
                response.close()
                connection.close()

    def post(self, message: object, **headers: str) -> HTTPResponse:
        return self.request("POST", json.dumps(message).encode(), **headers)

    def ask(self, method: str, id: object = 1, headers: dict[str, str] | None = None, **params: Any) -> Any:
        """The answer, as JSON."""
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        return json.loads(self.post(message, **(headers or {})).read())

    def modern(self, method: str, id: object = 1, **params: Any) -> HTTPResponse:
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": META}}
        headers = {
            "MCP_Protocol_Version": "2026-07-28",
            "Mcp_Method": method,
            "Mcp_Name": params.get("name", ""),
        }
        return self.post(message, **headers)

    def open(self, **capabilities: object) -> Any:
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info}
        response = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        self.session = response.headers["Mcp-Session-Id"]
        answer = json.loads(response.read())
        told = self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert (told.status, told.read()) == (202, b"")
        return answer


def call(tool: str, id: object = 1, **arguments: object) -> dict[str, object]:
    return {
        "jsonrpc": "2.0",
        "id": id,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


def events(response: HTTPResponse) -> Any:
    """Each event as its lines, and its message."""
    lines: list[str] = []
    while line := response.readline():
        if line.strip():
            lines.append(line.decode().rstrip("\n"))
            continue
        data = "".join(each[6:] for each in lines if each.startswith("data: "))
        yield lines, json.loads(data) if data else None
        lines = []
