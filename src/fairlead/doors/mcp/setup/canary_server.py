"""A server of our own that does nothing: `fairlead doctor` puts it behind the door, to see what gets through.

`python -m fairlead.doors.mcp.setup.canary_server` speaks MCP on stdin and stdout, in the version that it is
asked for, and answers every call of a tool with how many it has had.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

TOOL = "run"
"""It says that it runs a command, and never does."""
_TOOLS = [
    {
        "name": TOOL,
        "description": "Does nothing, and says how often it was called.",
        "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}},
    }
]


def answer_to(request: Mapping[str, object], calls: int) -> dict[str, object]:
    """The result of one request."""
    method = request.get("method")
    if method == "initialize":
        params = request.get("params")
        version = params.get("protocolVersion") if isinstance(params, dict) else None
        server = {"name": "fairlead-canary", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        return {"tools": _TOOLS}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": str(calls)}]}
    return {}


def main() -> None:
    calls = 0
    for line in sys.stdin:
        request = json.loads(line)
        calls += request.get("method") == "tools/call"
        if "id" in request:
            answer = {"jsonrpc": "2.0", "id": request["id"], "result": answer_to(request, calls)}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
