"""The dialects by name. Each is imported when it is asked for: a cold call pays for one, not for all."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from fairlead.dialects.abilities import Can
from fairlead.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from fairlead.interfaces import Dialect

    class Voice(Dialect, Protocol):
        """A dialect that can also say what it can say."""

        events: tuple[str, ...]

        def abilities(self, native_event: str) -> Can: ...
else:
    Voice = object


AGENTS = (
    "claude",
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "opencode",
    "kilo",
    "cursor",
    "vscode",
    "factory",
    "llxprt",
    "auggie",
    "cline",
    "windsurf",
    "kiro",
    "kimi",
    "amp",
    "antigravity",
    "generic",
)
"""Each is the name of its module."""

_ALIASES = {
    "claude-code": "claude",
    "codex-cli": "codex",
    "gemini-cli": "gemini",
    "qwen-code": "qwen",
    "copilot-cli": "copilot",
    "github-copilot": "copilot",
    "vs-code": "vscode",
    "open-code": "opencode",
    "kilo-code": "kilo",
    "kilocode": "kilo",
    "factory-droid": "factory",
    "droid": "factory",
    "kimi-cli": "kimi",
    "augment": "auggie",
}


@lru_cache(maxsize=64)
def canonical_agent(name: str) -> str:
    """The one name that policies, journals and settings use."""
    folded = name.strip().lower().replace("_", "-").replace(" ", "-")
    agent = _ALIASES.get(folded, folded)
    if agent not in AGENTS:
        raise UsageError(f"no agent is named {name!r}", hint=f"one of: {', '.join(AGENTS)}")
    return agent


@lru_cache(maxsize=64)
def dialect_named(name: str) -> Voice:
    module = import_module(f"fairlead.dialects.{canonical_agent(name)}")
    dialect: Voice = module.DIALECT
    return dialect
