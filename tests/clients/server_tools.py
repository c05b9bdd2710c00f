"""How the scripted model of the rig calls any tool of any MCP server in each client: a step
`{"kind": "server", "server": S, "tool": T, "arguments": {...}}`.

`yield_after` is how many milliseconds Codex waits for it. Before a step with `after` the model waits until
these files are there, and before one with `listed` until the servers with these logs were asked for tools.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

Call = tuple[str, dict[str, Any] | str, bool]


def teach(client: Any) -> None:
    known = client.call

    def call(step: dict[str, Any], offered: list[str], body: object) -> Call | None:
        while not is_time(step):
            time.sleep(0.05)
        if step["kind"] == "server":
            return in_words_of(client.name, step, offered)
        found: Call | None = known(step, offered, body)
        return found

    client.call = call


def is_time(step: dict[str, Any]) -> bool:
    if not all(os.path.exists(file) for file in step.get("after", [])):
        return False
    logs = [Path(file) for file in step.get("listed", [])]
    return all(log.exists() and "tools/list" in log.read_text() for log in logs)


def in_words_of(client: str, step: dict[str, Any], offered: list[str]) -> Call:
    server, tool, arguments = step["server"], step["tool"], step["arguments"]
    name = f"mcp__{server}__{tool}"
    if "functions/exec" in offered:
        return "exec", in_code(name, arguments, step.get("yield_after", 30_000)), True
    same = re.compile(rf".*{re.escape(server)}[_/-]+{re.escape(tool)}")
    listed = next((each for each in offered if each and same.fullmatch(each)), None)
    if listed is None and client == "qwen":  # its tools of servers go through one of its own
        return "tool_call", {"name": name, "arguments": arguments}, False
    return listed or name, arguments, False


def in_code(name: str, arguments: dict[str, Any], yield_after: int) -> str:
    """For a client whose model writes JavaScript. A tool that is not there is said to be none."""
    names = json.dumps([name, name.replace("-", "_")])
    return (
        f'// @exec: {{"yield_time_ms": {yield_after}}}\n'
        f"try {{ const name = {names}.find(each => tools[each]); "
        f"const r = name ? await tools[name]({json.dumps(arguments)}) : 'there is no tool {name}'; "
        "text(typeof r === 'string' ? r : JSON.stringify(r)) } "
        "catch (e) { text('exec failed: ' + String((e && e.message) || e)) }"
    )
