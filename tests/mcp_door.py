"""The door as a process, with a server behind it, and a test as its client."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

SERVER = str(Path(__file__).with_name("mcp_server.py"))
PATIENCE = 60


class Door:
    def __init__(self, home: Path, *options: str, server: tuple[str, ...] = (), **popen: Any) -> None:
        command = [sys.executable, "-m", "fairlead", "--home", str(home), "mcp", "--name", "small", *options]
        vector = () if "--url" in options else ("--", *(server or (sys.executable, SERVER)))
        pipe = subprocess.PIPE
        popen = {"stdin": pipe, "stdout": pipe, "stderr": pipe, **popen}
        self.process = subprocess.Popen([*command, *vector], **popen)
        self._rest = b""
        self._ids = 0

    def __enter__(self) -> Door:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

    def send(self, **message: object) -> None:
        self.send_line(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.read_line())
        return message

    def read_line(self) -> bytes:
        """Empty at the end."""
        assert self.process.stdout
        descriptor = self.process.stdout.fileno()
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            ready, _, _ = select.select([descriptor], [], [], PATIENCE)
            assert ready, "the door says nothing"
            part = os.read(descriptor, 1 << 20)
            if not part:
                break
            parts.append(part)
        line, end, self._rest = b"".join(parts).partition(b"\n")
        return line + end

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """The answer to a request; what comes meanwhile is lost."""
        self._ids += 1
        self.send(id=self._ids, method=method, params=params)
        while True:
            message = self.read()
            if message.get("id") == self._ids and "method" not in message:
                return message

    def call(self, tool: str, **arguments: object) -> str:
        """The text of the result."""
        text: str = self.ask("tools/call", name=tool, arguments=arguments)["result"]["content"][0]["text"]
        return text

    def open(self, **capabilities: object) -> dict[str, Any]:
        info = {"name": "test", "version": "1"}
        opened = self.ask(
            "initialize", protocolVersion="2025-11-25", capabilities=capabilities, clientInfo=info
        )
        self.send(method="notifications/initialized")
        return opened

    def close(self) -> int:
        """The client says no more; the exit code of the door."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(PATIENCE)
