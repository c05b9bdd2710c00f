"""The dialects by name. Each is imported when it is asked for: a cold call pays for one, not for all."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from types import ModuleType

from fairlead.dialects.answers.abilities import Can
from fairlead.dialects.setup.description import Setup
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


_FOLDERS = {
    "claude": "claude_family",
    "codex": "claude_family",
    "gemini": "gemini_family",
    "qwen": "claude_family",
    "copilot": "own_answers",
    "opencode": "javascript_plugins",
    "kilo": "javascript_plugins",
    "cursor": "own_answers",
    "vscode": "claude_family",
    "factory": "claude_family",
    "llxprt": "gemini_family",
    "auggie": "claude_family",
    "cline": "own_answers",
    "windsurf": "exit_codes",
    "kiro": "exit_codes",
    "kimi": "exit_codes",
    "amp": "javascript_plugins",
    "antigravity": "own_answers",
    "generic": "exit_codes",
}
"""The folder of each: those that are answered alike stand together."""
AGENTS = tuple(_FOLDERS)
"""Each is the name of its module."""


@lru_cache(maxsize=64)
def canonical_agent(name: str) -> str:
    """The one name that policies, journals and settings use."""
    folded = name.strip().lower().replace("_", "-").replace(" ", "-")
    agent = folded if folded in _FOLDERS else _other_name(folded)
    if agent not in AGENTS:
        raise UsageError(f"there is no agent {name!r}", hint=_nearest(folded))
    return agent


def _nearest(name: str) -> str:
    from fairlead.policy.reading.schema import suggestion

    return suggestion(name, AGENTS, otherwise=f"one of: {', '.join(AGENTS)}")


def _other_name(name: str) -> str:
    from fairlead.policy.reading.schema import (
        canonical_agent as by_other_name,  # hardly any call uses another name
    )

    return by_other_name(name)


@lru_cache(maxsize=64)
def dialect_named(name: str) -> Voice:
    dialect: Voice = module_of(canonical_agent(name)).DIALECT
    return dialect


def setup_of(agent: str) -> Setup:
    setup: Setup = module_of(agent).SETUP
    return setup


def module_of(agent: str) -> ModuleType:
    return import_module(f"fairlead.dialects.agents.{_FOLDERS[agent]}.{agent}")
