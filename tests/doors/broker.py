"""A real nats-server on a free loopback port, with its stream on disk, that can be stopped and started."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

BROKER = os.environ.get("FAIRLEAD_NATS_SERVER") or shutil.which("nats-server") or "/usr/sbin/nats-server"
"""The program; `make test-brokers` names one after the other."""


def broker_version() -> tuple[int, ...]:
    words = subprocess.run([BROKER, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"v(\d+)\.(\d+)\.(\d+)", words)
    assert found, words
    return tuple(map(int, found.groups()))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class NatsServer:
    """`config` is what its configuration says besides the port and the stream."""

    def __init__(self, folder: Path, config: str = "") -> None:
        self.program = BROKER
        self.folder = folder
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self._config = folder.with_suffix(".conf")
        self._config.write_text(config)

    def start(self, *, stream: bool = True) -> None:
        words = [self.program, "-a", "127.0.0.1", "-p", str(self.port), "-c", str(self._config)]
        words += ["-js", "-sd", str(self.folder)] if stream else []
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("nats-server did not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None


class BusWorker:
    """`fairlead bus serve` in a process of its own."""

    def __init__(self, home: Path, project: Path, url: str, *options: str) -> None:
        words = ["--home", str(home), "bus", "serve", "--url", url, "--root", str(project), *options]
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-m", "fairlead", *words], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        assert "answering" in line, line

    def kill(self) -> None:
        self.process.kill()
        self._reap()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self._reap()

    def _reap(self) -> None:
        self.process.wait(30)
        assert self.process.stderr is not None
        self.process.stderr.close()
