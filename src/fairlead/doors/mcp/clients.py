"""Which agent a client is, by what it says of itself."""

from __future__ import annotations

_AGENTS = {
    "claude-code": "claude",
    "codex-mcp-client": "codex",
    "codex": "codex",
    "gemini-cli-mcp-client": "gemini",
    "gemini-cli": "gemini",
    "qwen-cli-mcp-client": "qwen",
    "qwen-code": "qwen",
    "github-copilot-developer": "copilot",
    "copilot-cli": "copilot",
    "opencode": "opencode",
    "cursor-vscode": "cursor",
    "cursor": "cursor",
    "visual studio code": "vscode",
    "windsurf-client": "windsurf",
    "windsurf": "windsurf",
    "cline": "cline",
    "kiro": "kiro",
    "amp": "amp",
}


def agent_of(name: str) -> str:
    """Empty for one that no policy has a name for. Some put their version or a server's name behind it."""
    words = name.strip().lower()
    if words in _AGENTS:
        return _AGENTS[words]
    return next(
        (
            agent
            for known, agent in _AGENTS.items()
            if words.startswith((f"{known} ", f"{known}-", f"{known}/"))
        ),
        "",
    )
