"""Stands where a real server would, starts it, and writes down what it is told: `mcp_tap.py LOG COMMAND…`.

Two calls are for it: one that says DIE-NOW kills the server, and one that says CHANGE-NOW has the first text
of LOG.swap (a JSON list) said as the second from then on, also at later starts.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

DIE, CHANGE = b"DIE-NOW", b"CHANGE-NOW"
CHANGED = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


def main() -> int:
    log, command = Path(sys.argv[1]), sys.argv[2:]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    signal.signal(signal.SIGTERM, lambda *_: (server.terminate(), os._exit(143)))
    write(log, {"door": os.getppid(), "tap": os.getpid(), "server": server.pid})
    Thread(target=tell, args=(server, log), daemon=True).start()
    assert server.stdout is not None
    for line in server.stdout:
        sys.stdout.buffer.write(swapped(line, log))
        sys.stdout.buffer.flush()
    return server.wait()


def tell(server: subprocess.Popen[bytes], log: Path) -> None:
    """What the client says, to its end."""
    assert server.stdin is not None
    for line in sys.stdin.buffer:
        write(log, {"got": json.loads(line)})
        if DIE in line:
            server.kill()
            os.kill(os.getpid(), signal.SIGKILL)
        if CHANGE in line:
            log.with_suffix(".changed").touch()
            sys.stdout.buffer.write(json.dumps(CHANGED).encode() + b"\n")
            sys.stdout.buffer.flush()
        server.stdin.write(line)
        server.stdin.flush()
    server.stdin.close()


def swapped(line: bytes, log: Path) -> bytes:
    if not log.with_suffix(".changed").exists():
        return line
    one, other = json.loads(log.with_suffix(".swap").read_text())
    return line.replace(one.encode(), other.encode())


def write(log: Path, facts: object) -> None:
    with log.open("a") as file:
        file.write(json.dumps(facts) + "\n")


if __name__ == "__main__":
    sys.exit(main())
