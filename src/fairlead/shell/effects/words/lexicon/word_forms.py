"""Words taken apart: compounds, plurals, and whether a noun names what lasts."""

from __future__ import annotations

from functools import lru_cache

from fairlead.shell.effects.words.lexicon.lasting_nouns import LASTING
from fairlead.shell.lazy_pattern import lazy

_PART = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@lru_cache(maxsize=512)
def parts(text: str) -> tuple[str, ...]:
    """`purge_queue`, `DeleteShard` and `zone-delete` in single words, lower case."""
    return tuple(map(str.lower, _PART.findall(text[:80])))


def singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def lasts(word: str) -> bool:
    return word in LASTING or singular(word) in LASTING
