"""`while getopts SPEC NAME; do …; done` over arguments that are known: which options there are, in order."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.value import Value
from fairlead.shell.bounds import MAX_ROUNDS
from fairlead.shell.expansion.values import Scalar
from fairlead.shell.language.syntax_tree import Compound, Simple, WordNode


class ToldOptions(Value):
    """`name` is the variable that gets the letter of each option; with each letter stands its value."""

    name: str
    options: tuple[tuple[str, Scalar], ...]


def told_options(node: Compound, arguments: list[Scalar]) -> ToldOptions | None:
    """None for any other loop, and where a word is not known that may be an option."""
    words = _condition_words(node)
    if len(words) != 3 or words[0] != "getopts" or "\0" in words:
        return None
    found = tuple(_options(words[1], arguments))
    if len(found) > MAX_ROUNDS or any(letter == "" for letter, _ in found):
        return None
    return ToldOptions(words[2], found)


def _condition_words(node: Compound) -> list[str]:
    items = node.condition.items if node.kind == "while" and node.condition is not None else []
    if len(items) != 1 or items[0].rest or len(items[0].first.stages) != 1:
        return []
    (stage,) = items[0].first.stages
    if not isinstance(stage, Simple) or stage.assignments or stage.redirects:
        return []
    return [
        word.plain if isinstance(word, WordNode) and word.plain is not None else "\0" for word in stage.words
    ]


def _options(spec: str, arguments: list[Scalar]) -> Iterator[tuple[str, Scalar]]:
    """An empty letter where it cannot be told."""
    left = list(arguments)
    while left:
        word = left.pop(0)
        if not isinstance(word, str):
            yield "", ""
            return
        if word == "--" or word == "-" or not word.startswith("-"):
            return
        for at in range(1, len(word)):
            letter = word[at]
            if letter == ":" or letter not in spec:
                yield "?", letter
            elif f"{letter}:" not in spec:
                yield letter, ""
            else:
                value = word[at + 1 :] or (left.pop(0) if left else "")
                yield letter, value
                break
