"""Makes a text as small and as meaningless as it can be while something about it stays true."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from time import monotonic

Keeps = Callable[[str], bool]
Known = Callable[[str], bool]
"""Whether a word is everybody's, such as the name of a program: it stays as it is, or goes."""
TRIES = 3000
SECONDS = 10.0
_COMMANDS = re.compile(r"(\s*(?:&&|\|\||[;|&\n])\s*)")
_WORDS = re.compile(r"(\s+)")
_WHOLE_WORDS = re.compile(r"(\S+)")
_STEPS = re.compile(r"(/)")
_RUNS = re.compile(r"(\w+)")
_NEUTRAL = ("x", "1")
"""What says nothing about anybody."""


class Reducer:
    """Tries smaller texts, and no more than it may. `exhausted` says that it wanted to try more."""

    def __init__(self, keeps: Keeps, known: Known, *, tries: int = TRIES, seconds: float = SECONDS) -> None:
        self._keeps = keeps
        self._known_word = known
        self._known: dict[str, bool] = {}
        self._left = tries
        self._end = monotonic() + seconds
        self.exhausted = False

    def keeps(self, text: str) -> bool:
        if text not in self._known:
            if not self._left or monotonic() > self._end:
                self.exhausted = True
                return False
            self._left -= 1
            self._known[text] = self._keeps(text)
        return self._known[text]

    def reduced(self, text: str) -> str:
        """By commands, words, steps of paths, and what words are made of.

        A word that matters keeps its form: `.env.md` becomes `.env.x` and never `.env`, or the example of a
        false alarm would end as one of a true alarm.
        """
        before = ""
        while text != before and not self.exhausted:
            before = text
            for pattern in (_COMMANDS, _WORDS):
                text = self._without(_pieces(pattern, text), text)
            text = self._neutral(_WHOLE_WORDS, text)
            text = self._without(_pieces(_STEPS, text), text)
            text = self._neutral(_RUNS, text)
            text = self._shorter_neutral_words(text)
        return text

    def _shorter_neutral_words(self, text: str) -> str:
        """Character by character, where no word is left that matters."""
        for word in text.split():
            if not set(_RUNS.findall(word)) - {*_NEUTRAL}:
                before, _, after = text.partition(word)
                text = self._without(list(word), word, before, after)
        return text

    def _without(self, pieces: list[str], text: str, before: str = "", after: str = "") -> str:
        """Delta debugging: large parts are left out first, then smaller ones; what is around them stays."""
        found = f"{before}{text}{after}"
        size = len(pieces) // 2
        while size:
            start = 0
            while start < len(pieces):
                fewer = pieces[:start] + pieces[start + size :]
                candidate = f"{before}{''.join(fewer)}{after}".strip()
                if fewer and self.keeps(candidate):
                    pieces, found = fewer, candidate
                else:
                    start += size
            size //= 2
        return found

    def _neutral(self, pattern: re.Pattern[str], text: str) -> str:
        pieces = pattern.split(text)
        for place in (place for place in range(1, len(pieces), 2) if not self._known_word(pieces[place])):
            for neutral in _NEUTRAL:
                candidate = [*pieces[:place], neutral, *pieces[place + 1 :]]
                if pieces[place] == neutral or self.keeps("".join(candidate)):
                    pieces = candidate
                    break
        return "".join(pieces)


def _pieces(pattern: re.Pattern[str], text: str) -> list[str]:
    """The parts, each with what joins it to the next."""
    parts = pattern.split(text)
    return ["".join(parts[place : place + 2]) for place in range(0, len(parts), 2)]


def masked(text: str, known: Known) -> str:
    """Every word that is not `known` as `x`: for what could not be reduced."""
    return "".join(_masked(text, known))


def _masked(text: str, known: Known) -> Iterator[str]:
    for place, piece in enumerate(_RUNS.split(text)):
        yield piece if not place % 2 or known(piece) else "x"
