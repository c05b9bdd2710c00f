"""Deeds that the words of a tool's name tell. What is in no table may still be told by the arguments."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.deed_table import DEEDS
from fairlead.packs.foreign.deeds.told import Told
from fairlead.packs.foreign.deeds.unlisted_deletions import EDITORS, erases


def _by_verb() -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, deed in enumerate(DEEDS):
        for verb in deed.verbs:
            places.setdefault(verb, []).append(place)
    return places


_BY_VERB = _by_verb()
"""Where in the list the deeds of a verb stand: most tools have none of them in their names."""


def named_deed(told: Told) -> str:
    """Of the first that fits."""
    places = [place for verb in told.tool for place in _BY_VERB.get(verb, ()) if DEEDS[place].fits(told)]
    found = DEEDS[min(places)].effect if places else ""
    if found == "by-name" and not told.known.isdisjoint(EDITORS):
        return ""
    return found or ("by-name" if erases(told) else "")
