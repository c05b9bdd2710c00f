"""Whether an imported matcher matches what it matched: asked of both, over many names."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from fairlead.dialects.tool_names import known_tools
from fairlead.errors import FairleadError
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.matching.matcher import matcher_from
from fairlead.model.tool_call import ToolCall
from fairlead.profiles.matching import matches_tool

_RANDOM_NAMES = 1_000
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. "


def prove_matching(agent: str, matchers: Iterable[str]) -> int:
    """How many names each was tried on. Raises FairleadError for the first that differs."""
    texts = list(matchers)
    names = names_to_try(agent, texts)
    event = Event(EventName.BEFORE_TOOL, agent=agent)
    for text in texts:
        ours = matcher_from({agent: text})
        for name in names:
            if ours.matches(ToolCall(name), event) is not original_matches(agent, text, name):
                raise FairleadError(
                    f"the matcher {text!r} would not match {name!r} as {agent} does",
                    hint="keep the hook in the agent's settings, and tell us about it",
                )
    return len(names)


def original_matches(agent: str, text: str, name: str) -> bool:
    """Claude Code takes what has only the signs of a list for one; both ask JavaScript about the rest."""
    if agent == "claude" and all(sign.isascii() and (sign.isalnum() or sign in "_- ,|") for sign in text):
        return text in ("", "*") or name in {word.strip() for word in text.replace(",", "|").split("|")}
    return matches_tool(text, name)


def names_to_try(agent: str, texts: Sequence[str]) -> list[str]:
    """The agent's own, those of MCP servers, what the matchers themselves say, and random ones."""
    own = [name for name, agents in known_tools().items() if agent in agents]
    servers = [f"mcp__{server}__{tool}" for server in ("github", "x_y", "a-b") for tool in ("get", "do__it")]
    said = [piece for text in texts for piece in (text, *text.replace("|", ",").split(","))]
    chance = random.Random(1)  # noqa: S311 - the same names each time
    made = ["".join(chance.choices(_LETTERS, k=chance.randint(1, 24))) for _ in range(_RANDOM_NAMES)]
    seeds = [*own, *servers, *said] or [""]
    changed = [_changed(chance.choice(seeds), chance) for _ in range(_RANDOM_NAMES)]
    return list(dict.fromkeys([*own, *servers, *said, *made, *changed]))


def _changed(name: str, chance: random.Random) -> str:
    """With a letter more, or less, or in another case: near misses show more than noise."""
    at = chance.randint(0, len(name))
    return chance.choice(
        (
            name[:at] + chance.choice(_LETTERS) + name[at:],
            name[:at] + name[at + 1 :],
            name.swapcase(),
            name * 2,
        )
    )
