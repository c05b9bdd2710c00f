"""The real clients of MCP that the rig drives: their files, and what is written there to have servers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

FILES = {
    "claude": (".claude.json", "mcpServers"),
    "codex": (".codex/config.toml", "mcp_servers"),
    "gemini": (".gemini/settings.json", "mcpServers"),
    "qwen": (".qwen/settings.json", "mcpServers"),
    "copilot": (".copilot/mcp-config.json", "mcpServers"),
    "opencode": (".config/opencode/opencode.jsonc", "mcp"),
}
"""The user's own file of each, and the name of the list in it."""
IDS = {"claude": "claude-code"}
MODELS = {"codex": "gpt-6-sol"}
"""The one that is given the tools of servers without a search for them."""
_MORE = {
    "claude": '"type": "stdio", ',
    "copilot": '"type": "local", "tools": ["*"], ',
    "gemini": '"trust": true, ',
    "qwen": '"trust": true, ',
}


def write_servers(
    client: str,
    home: Path,
    servers: Mapping[str, Sequence[str]],
    environment: Mapping[str, Mapping[str, str]] | None = None,
) -> Path:
    """The file as somebody has it who knows nothing of the door, with comments where they may be."""
    name, top = FILES[client]
    given = environment or {}
    entry = _toml if client == "codex" else _json
    entries = [entry(client, server, vector, given.get(server, {})) for server, vector in servers.items()]
    file = home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if client == "codex":
        file.write_text("# mine\n" + "".join(entries))
    else:
        file.write_text(f'{{\n  "{top}": {{\n' + ",\n".join(entries) + "\n  }\n}\n")
    return file


def _toml(client: str, server: str, vector: Sequence[str], environment: Mapping[str, str]) -> str:
    command, args = json.dumps(vector[0]), json.dumps(vector[1:])
    given = ", ".join(f"{name} = {json.dumps(value)}" for name, value in environment.items())
    env = f"env = {{ {given} }}\n" if given else ""
    return f"[mcp_servers.{server}]\ncommand = {command} # here\nargs = {args}\n{env}"


def _json(client: str, server: str, vector: Sequence[str], environment: Mapping[str, str]) -> str:
    given = json.dumps(dict(environment))
    if client == "opencode":
        words = json.dumps(list(vector))
        return (
            f'    "{server}": {{"type": "local", /* mine */ "command": {words}, '
            f'"environment": {given}, "enabled": true}}'
        )
    words = f'"command": {json.dumps(vector[0])}, "args": {json.dumps(list(vector[1:]))}'
    return f'    "{server}": {{{_MORE.get(client, "")}{words}, "env": {given}}}'
