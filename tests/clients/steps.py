"""Several tool calls in one session of a real client: `steps.py RIG < JSON`, which prints what came of each.

The rig is imported in a process of its own, because it moves that process into a network of its own.
"""

from __future__ import annotations

import importlib.util
import json
import sys

PATIENT = {"MCP_CONNECTION_NONBLOCKING": "0", "MCP_TIMEOUT": "120000"}
"""On a busy machine servers start slowly, and Claude Code begins without them unless it is told to wait."""


def main() -> None:
    spec = importlib.util.spec_from_file_location("rig", sys.argv[1])
    assert spec is not None and spec.loader is not None
    rig = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rig)
    asked = json.load(sys.stdin)
    rig.isolate()
    client = rig.CLIENTS[asked["client"]]
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
    last = [request for request in facts["requests"] if request.get("kind") == "model"][-1]
    print(json.dumps({"executed": verdict["executed"], "results": [one["text"] for one in last["results"]]}))


if __name__ == "__main__":
    main()
