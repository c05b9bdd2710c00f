"""Numbers as they are printed, read out and typed: groups of four letters, each with one that is wrong where
the others were misheard. There is no `O`, `I`, `L` and `U`; who types one means `0`, `1`, `1` or a slip."""

from __future__ import annotations

import re
from hashlib import sha256

from fairlead.errors import UsageError

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LETTERS = 4
"""Of a group, without the one that checks it."""
_HEARD_AS = str.maketrans("OIL", "011")


def letters_of(number: int, count: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(count))


def number_of(letters: str) -> int:
    return sum(ALPHABET.index(letter) << 5 * place for place, letter in enumerate(letters))


def in_groups(letters: str) -> list[str]:
    parts = (letters[at : at + LETTERS] for at in range(0, len(letters), LETTERS))
    return [part + _check(part, place) for place, part in enumerate(parts)]


def count_letters(text: str) -> int:
    return len(_plain(text))


def typed_groups(text: str, count: int, what: str, *, first: int = 0) -> list[str]:
    """The groups as they were printed, however they were typed; `first` is the place of the first of them.
    Raises UsageError that says which is wrong."""
    letters, size = _plain(text), LETTERS + 1
    if len(letters) != count * size:
        raise UsageError(
            f"{what} has {count} groups of {size} letters and digits, and this has {len(letters)}",
            hint="type it as it was read out: 7Q2M4-Z9KXA-...",
        )
    groups = [letters[at : at + size] for at in range(0, len(letters), size)]
    for place, group in enumerate(groups, start=first):
        if set(group) - set(ALPHABET) or group[-1] != _check(group[:-1], place):
            raise UsageError(
                f"group {place - first + 1} of {what} is mistyped", hint="have it read out again"
            )
    return groups


def without_checks(groups: list[str]) -> str:
    return "".join(group[:-1] for group in groups)


def _plain(text: str) -> str:
    return re.sub(r"[\s.-]+", "", text.upper()).translate(_HEARD_AS)


def _check(group: str, place: int) -> str:
    """Its place goes in, so that groups in another order are seen."""
    return ALPHABET[sha256(f"{place}{group}".encode()).digest()[0] & 31]
