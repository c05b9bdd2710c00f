"""The dialects by name. Each is imported when it is asked for: a cold call pays for one, not for all."""

from __future__ import annotations

from importlib import import_module

from fairlead.errors import UsageError
from fairlead.interfaces import Dialect

_PLACES = {
    "claude": "claude:ClaudeDialect",
}

_ALIASES = {
    "claude-code": "claude",
}

AGENTS = tuple(_PLACES)


def canonical_agent(name: str) -> str:
    """The one name that policies, journals and settings use."""
    folded = name.strip().lower().replace("_", "-").replace(" ", "-")
    agent = _ALIASES.get(folded, folded)
    if agent not in _PLACES:
        raise UsageError(f"no agent is named {name!r}", hint=f"one of: {', '.join(AGENTS)}")
    return agent


def dialect_named(name: str) -> Dialect:
    module, _, cls = _PLACES[canonical_agent(name)].partition(":")
    dialect: Dialect = getattr(import_module(f"fairlead.dialects.{module}"), cls)()
    return dialect
