"""Words that a shell computes with: `a[$(command)]` among them runs the command, in some shells in any of these."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TESTS = frozenset(("test", "["))
_COMPARES = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
_PRINTS_NUMBERS = re.compile(r"%[^%A-Za-z]*[diouxXeEfFgGaA]")
_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]*")


def computed_word(words: Sequence[str]) -> str:
    """The first that is no number where a number is expected; empty where all are."""
    if words[0] in _TESTS:
        places = [place for place, word in enumerate(words) if word in _COMPARES]
        beside = [word for place in places for word in words[max(place - 1, 0) : place + 2 : 2]]
    elif words[0] == "printf" and len(words) > 1 and _PRINTS_NUMBERS.search(words[1]):
        beside = list(words[2:])
    else:
        return ""
    return next((word for word in beside if not _NUMBER.fullmatch(word)), "")
