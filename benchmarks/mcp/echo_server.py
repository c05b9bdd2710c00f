"""A server that answers as soon as it can: with what it was given, or as many bytes as it was asked for."""

from __future__ import annotations

import json
import sys

_SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}, "size": {"type": "integer"}}}


def main() -> None:
    large: dict[int, str] = {}
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" not in message:
            continue
        params = message.get("params", {})
        result: dict[str, object] = {}
        if message["method"] == "initialize":
            result = {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "echo", "version": "1"},
            }
        elif message["method"] == "tools/list":
            result = {"tools": [{"name": "echo", "description": "Echo.", "inputSchema": _SCHEMA}]}
        elif message["method"] == "tools/call":
            given = params["arguments"]
            size = given.get("size", 0)
            text = large.setdefault(size, "a line of plain text\n" * (size // 21)) if size else given["text"]
            result = {"content": [{"type": "text", "text": text}]}
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
