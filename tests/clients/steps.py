"""Several tool calls in one session of a real client: `steps.py RIG < JSON`, which prints what came of each.

The rig is imported in a process of its own, because it moves that process into a network of its own.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import server_tools

PATIENT = {"MCP_CONNECTION_NONBLOCKING": "0", "MCP_TIMEOUT": "120000"}
"""On a busy machine servers start slowly, and Claude Code begins without them unless it is told to wait."""
SHOWN = 20_000
"""Letters of a result: some have millions."""


def main() -> None:
    spec = importlib.util.spec_from_file_location("rig", sys.argv[1])
    assert spec is not None and spec.loader is not None
    rig = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rig)
    asked = json.load(sys.stdin)
    rig.isolate()
    client = rig.CLIENTS[asked["client"]]
    server_tools.teach(client)
    if asked.get("kill_at"):
        Thread(target=kill_client, args=(Path(asked["kill_at"]),), daemon=True).start()
    verdict, facts, _ = rig.one(
        client,
        asked["clients"],
        tools=[step for step in asked["steps"] if step["kind"] != "read" or client.reads_first],
        home=asked["home"],
        project=asked["project"],
        configure=False,
        no_trust=client.name == "codex",
        shims=asked["shims"],
        model=asked.get("model"),
        limit=asked["limit"],
        extra_env=PATIENT,
    )
    requests = [request for request in facts["requests"] if request.get("kind") == "model"]
    print(json.dumps({"executed": verdict["executed"], "left": facts["left_running"], **told(requests)}))


def told(requests: list[dict[str, Any]]) -> dict[str, Any]:
    """What the model was told: of each call, and of the tools that there are."""
    results = [one["text"] for one in requests[-1]["results"]] if requests else []
    first = json.dumps(requests[0]["body"]) if requests else ""
    return {"results": [text[:SHOWN] for text in results], "lengths": [*map(len, results)], "first": first}


def kill_client(sign: Path) -> None:
    """All that runs for this session but the doors, as soon as the sign is there."""
    while not sign.exists():
        time.sleep(0.05)
    for pid in reversed(below(os.getpid())):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def below(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += [int(child) for child in (thread / "children").read_text().split()]
    return [each for child in found if not is_door(child) for each in (child, *below(child))]


def is_door(pid: int) -> bool:
    try:
        return b"\0mcp\0--name\0" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


if __name__ == "__main__":
    main()
