"""The functions of make that do nothing but text."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping
from types import MappingProxyType

TextFunction = Callable[[list[str]], str]


def matches(pattern: str, word: str) -> str | None:
    """What `%` stands for where the pattern fits the word; None where it does not."""
    before, percent, after = pattern.partition("%")
    if not percent:
        return "" if pattern == word else None
    if len(word) >= len(before) + len(after) and word.startswith(before) and word.endswith(after):
        return word[len(before) : len(word) - len(after)]
    return None


def substituted(pattern: str, replacement: str, text: str) -> str:
    return " ".join(_replaced(pattern, replacement, word) for word in text.split())


def _replaced(pattern: str, replacement: str, word: str) -> str:
    stem = matches(pattern, word)
    return word if stem is None else replacement.replace("%", stem, 1) if "%" in pattern else replacement


def _number(text: str) -> int:
    return int(text) if text.strip().isdecimal() and len(text) < 10 else 0


def _filter(given: list[str], *, wanted: bool) -> str:
    patterns = given[0].split()[:50]
    return " ".join(
        word
        for word in given[1].split()
        if any(matches(each, word) is not None for each in patterns) is wanted
    )


def _word_list(given: list[str]) -> str:
    first, last = _number(given[0]), _number(given[1])
    return " ".join(given[2].split()[max(first - 1, 0) : last])


def _at(text: str, index: int) -> str:
    words = text.split()
    return words[index] if -len(words) <= index < len(words) else ""


def _each(change: Callable[[str], str]) -> TextFunction:
    return lambda given: " ".join(change(word) for word in given[0].split())


def _joined(given: list[str]) -> str:
    first, second = given[0].split(), given[1].split()
    longest = max(len(first), len(second))
    pairs = zip(first + [""] * (longest - len(first)), second + [""] * (longest - len(second)), strict=True)
    return " ".join(one + other for one, other in pairs)


def _directory(word: str) -> str:
    return word[: word.rindex("/") + 1] if "/" in word else "./"


TEXT_FUNCTIONS: Mapping[str, tuple[int, TextFunction]] = MappingProxyType(
    {
        "subst": (3, lambda given: given[2].replace(given[0], given[1]) if given[0] else given[2]),
        "patsubst": (3, lambda given: substituted(given[0].strip(), given[1].strip(), given[2])),
        "strip": (1, lambda given: " ".join(given[0].split())),
        "findstring": (2, lambda given: given[0] if given[0] in given[1] else ""),
        "filter": (2, lambda given: _filter(given, wanted=True)),
        "filter-out": (2, lambda given: _filter(given, wanted=False)),
        "sort": (1, lambda given: " ".join(sorted(set(given[0].split())))),
        "word": (2, lambda given: _at(given[1], _number(given[0]) - 1) if _number(given[0]) else ""),
        "wordlist": (3, _word_list),
        "words": (1, lambda given: str(len(given[0].split()))),
        "firstword": (1, lambda given: _at(given[0], 0)),
        "lastword": (1, lambda given: _at(given[0], -1)),
        "dir": (1, _each(_directory)),
        "notdir": (1, _each(lambda word: word.rsplit("/", 1)[-1])),
        "suffix": (1, _each(lambda word: os.path.splitext(word)[1])),
        "basename": (1, _each(lambda word: os.path.splitext(word)[0])),
        "addsuffix": (2, lambda given: " ".join(word + given[0] for word in given[1].split())),
        "addprefix": (2, lambda given: " ".join(given[0] + word for word in given[1].split())),
        "join": (2, _joined),
        "wildcard": (1, lambda given: given[0]),
        "info": (1, lambda given: ""),
        "warning": (1, lambda given: ""),
        "error": (1, lambda given: ""),
    }
)
"""How many arguments they take, and what they make of them. What a pattern of files stands for, the shell
finds by the same pattern."""
