"""What a call of a foreign tool is told, in the words that its deeds are found by."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value
from fairlead.packs.foreign.foreign_names import given_of, words_of
from fairlead.packs.foreign.given_texts import Given, given_texts, key_of
from fairlead.packs.identity_memory import once_for_each

_LONGEST = 80
_WORD = re.compile(r"[a-z0-9]+")


class Told(Value):
    """`tool` and `known` are words of the tool's name, `known` has those of its server as well; `said` has those of
    its short values; `states` are its keys that are no texts, at any depth, with what they are set to."""

    tool: frozenset[str]
    known: frozenset[str]
    texts: tuple[Given, ...]
    states: tuple[tuple[str, object], ...]

    @property
    def said(self) -> frozenset[str]:
        short = (each.text.lower() for each in self.texts if len(each.text) <= _LONGEST)
        return frozenset(word for text in short for word in _WORD.findall(text))


@once_for_each(2)
def told_by(call: ToolCall) -> Told:
    server, tool = words_of(call)
    states = tuple(_states(given_of(call), 4))
    return Told(frozenset(tool), frozenset((*server, *tool)), given_texts(call), states)


def _states(given: Mapping[str, object], depth: int) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for key, value in given.items():
        if isinstance(value, Mapping) and depth:
            found += _states({str(name): inner for name, inner in value.items()}, depth - 1)
        elif not isinstance(value, (list, Mapping)):
            found.append((key_of(key), value))
    return found
