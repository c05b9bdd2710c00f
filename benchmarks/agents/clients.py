"""The real agents that can be driven here, by the names of their programs."""

from __future__ import annotations

from collections.abc import Mapping

CLIENTS = (
    *("claude", "codex", "gemini", "qwen", "copilot", "opencode"),
    *("kimi", "droid", "cline", "auggie", "kilo"),
)
NAMES: Mapping[str, str] = {"droid": "factory"}
"""What we call an agent whose program has another name."""


def agent_of(client: str) -> str:
    return NAMES.get(client, client)
