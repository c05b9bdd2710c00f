from __future__ import annotations

import pytest

from fairlead.dialects import agent_registry
from fairlead.model.event_name import EventName
from fairlead.model.hook import HookType
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.schema import (
    AGENTS,
    VENDORS,
    agents_of,
    canonical_agent,
    known_providers,
    suggestion,
)


def test_every_agent_of_the_dialects_is_a_provider_by_every_name_that_it_has() -> None:
    assert sorted(AGENTS) == sorted(agent_registry.AGENTS)
    for name in known_providers():
        if name not in VENDORS:
            assert canonical_agent(name) == agent_registry.canonical_agent(name)


def test_vendors_cover_agents_that_exist() -> None:
    assert {agent for covered in VENDORS.values() for agent in covered} <= set(AGENTS)
    assert not set(VENDORS) & set(known_providers()[len(VENDORS) :])


@pytest.mark.parametrize("agent", sorted(agent_registry.AGENTS))
def test_a_section_named_like_an_agent_changes_that_agent(agent: str) -> None:
    entry = Entry("x", HookType.SAFETY, EventName.BEFORE_TOOL, "user", providers={agent: {"timeout": 7.0}})
    assert entry.for_agent(agent).timeout == 7.0
    assert agents_of(agent) == (agent,)


def test_a_suggestion_is_near_or_nothing() -> None:
    assert suggestion("tiemout", ["timeout", "type"]) == "did you mean 'timeout'?"
    assert suggestion("zzz", ["timeout"], otherwise="read the manual") == "read the manual"
