"""The pages that are made from code and data, by their path below `docs/`."""

from __future__ import annotations

from handbook.agents import agent_pages
from handbook.commands import commands_page
from handbook.events import events_page
from handbook.library import library_page
from handbook.policy_keys import policy_page
from handbook.rules import rules_page


def generated_pages() -> dict[str, str]:
    return {
        "reference/commands.md": commands_page(),
        "reference/events.md": events_page(),
        "reference/library.md": library_page(),
        "reference/policy.md": policy_page(),
        "reference/rules.md": rules_page(),
        **agent_pages(),
    }
