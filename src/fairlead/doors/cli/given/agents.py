"""Agents, by the one name that policies, journals and settings use, or by another that people know."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.doors.cli.given.name import Name
from fairlead.doors.cli.output import Session


def _known(session: Session) -> Iterator[str]:
    from fairlead.dialects.agent_registry import AGENTS

    yield from AGENTS


def _canonical(session: Session, word: str) -> str:
    """Raises UsageError for what is no agent's name."""
    from fairlead.dialects.agent_registry import canonical_agent

    return canonical_agent(word)


AGENT = Name("agent", _known, find=_canonical)
