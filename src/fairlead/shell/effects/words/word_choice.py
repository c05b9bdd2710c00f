"""One word out of several, as the tables write it: `stop|disable`, `delete-*`, `*secret*`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import repeat


class WordChoice:
    """Most choices are plain words and a star at an end, which need no regular expression."""

    def __init__(self, pattern: str) -> None:
        choices = pattern.split("|")
        self.words = frozenset(choice for choice in choices if not _is_glob(choice))
        self._starred = tuple(tuple(choice.split("*")) for choice in choices if _has_only_stars(choice))
        self._others = tuple(choice for choice in choices if "?" in choice or "[" in choice)

        self.is_plain = len(self.words) == len(choices)

    def __contains__(self, word: str) -> bool:
        if word in self.words or self.is_plain:
            return word in self.words
        if self._starred and any(map(_follows, self._starred, repeat(word))):
            return True
        return bool(self._others) and any(fnmatchcase(word, choice) for choice in self._others)


def _is_glob(choice: str) -> bool:
    return "*" in choice or "?" in choice or "[" in choice


def _has_only_stars(choice: str) -> bool:
    return "*" in choice and "?" not in choice and "[" not in choice


def _follows(pieces: tuple[str, ...], word: str) -> bool:
    """Whether the word is these pieces in this order, with anything between them."""
    first, last = pieces[0], pieces[-1]
    if not word.startswith(first) or not word.endswith(last):
        return False
    place, end = len(first), len(word) - len(last)
    for piece in pieces[1:-1]:
        found = word.find(piece, place, end)
        if found < 0:
            return False
        place = found + len(piece)
    return place <= end


@lru_cache(maxsize=1 << 14)
def choice_of(pattern: str) -> WordChoice:
    """Bounded, for the patterns may be those that a stranger's project teaches."""
    return WordChoice(pattern)
