"""The quickest client there can be, so that what is measured is the way and not its end."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from io import BufferedReader, RawIOBase
from pathlib import Path
from time import perf_counter


class RawClient:
    def __init__(self, command: Sequence[str]) -> None:
        begun = perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert isinstance(self.process.stdout, RawIOBase)
        self._answers = BufferedReader(self.process.stdout, 1 << 20)
        info = {"name": "bench", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        self._send(0, "initialize", params)
        self._answers.readline()
        self.start_seconds = perf_counter() - begun
        self._send(1, "tools/list", {})
        self._answers.readline()
        self._id = 1

    def _send(self, id: int, method: str, params: dict[str, object]) -> None:
        request = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")  # type: ignore[union-attr]

    def call(self, **arguments: object) -> float:
        """Seconds until the answer is there."""
        begun = perf_counter()
        self.begin(arguments)
        self._answers.readline()
        return perf_counter() - begun

    def begin(self, arguments: dict[str, object]) -> None:
        self._id += 1
        self._send(self._id, "tools/call", {"name": "echo", "arguments": arguments})

    def many(self, count: int, flying: int, **arguments: object) -> float:
        """Seconds for so many calls, with so many of them at a time."""
        begun = perf_counter()
        for _ in range(flying):
            self.begin(arguments)
        for number in range(count):
            self._answers.readline()
            if number < count - flying:
                self.begin(arguments)
        return perf_counter() - begun

    @property
    def memory(self) -> int:
        """Kilobytes of the process that was started."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    @property
    def processor_seconds(self) -> float:
        """That the process has taken."""
        spent = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self._answers.close()
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.wait()
