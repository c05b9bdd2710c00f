"""A pattern that finds out fast whether a text holds any of many short ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

_RARE = "zxq=_w.y-g:kbpcs"
"""What a text has few of, the fewest first: a search that begins with one of these skips most of the text."""


def any_of(sought: Iterable[str]) -> str:
    return _either([(_from_rarest(text), text) for text in sought])


def _from_rarest(text: str) -> str:
    """The end of a text that begins with the rarest of its letters."""
    return next((text[text.index(letter) :] for letter in _RARE if letter in text), text)


def _either(ends: list[tuple[str, str]]) -> str:
    """A pattern for any of these ends, each behind the rest of its text; what they share is read once."""
    branches = [f"(?<={re.escape(text)})" for end, text in ends if not end]
    longer = sorted((end, text) for end, text in ends if end)
    for first, group in groupby(longer, key=lambda pair: pair[0][0]):
        branches.append(re.escape(first) + _either([(end[1:], text) for end, text in group]))
    return f"(?:{'|'.join(branches)})"
