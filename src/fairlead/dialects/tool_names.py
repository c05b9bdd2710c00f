"""The names that agents give their tools, for whoever writes a matcher.

Imports every dialect: not for a hook call.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.agent_registry import AGENTS, module_of


def known_tools() -> Mapping[str, frozenset[str]]:
    """By name, the agents that have a tool of that name."""
    found: dict[str, set[str]] = {}
    for agent in AGENTS:
        for name in module_of(agent).KINDS:
            found.setdefault(name, set()).add(agent)
    return {name: frozenset(agents) for name, agents in found.items()}
