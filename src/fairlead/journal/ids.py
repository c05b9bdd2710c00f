"""Ids that sort by the time they were made: 48 bits of milliseconds, 80 random bits, as 26 characters."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import lru_cache

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]
_LETTERS = _ALPHABET.encode() * 8
"""For each byte the one that its last five bits spell."""
ID_LENGTH = 26
_AS_PYTHON = str.maketrans(_ALPHABET, "0123456789ABCDEFGHIJKLMNOPQRSTUV")


def new_id(now: float) -> str:
    """`now` is in seconds since the epoch. Crockford's base 32: no letter that reads as a digit."""
    made = int(now * 1000)
    return (
        _PAIRS[made >> 40 & 255]
        + _PAIRS[made >> 30 & 1023]
        + _PAIRS[made >> 20 & 1023]
        + _PAIRS[made >> 10 & 1023]
        + _PAIRS[made & 1023]
        + (next(_stock[0], "") or _sixteen_letters())
    )


_stock: list[Iterator[str]] = [iter(())]


def _sixteen_letters() -> str:
    """Random ones. The kernel is asked for many at a time; a child of fork asks for its own."""
    letters = os.urandom(16 * 64).translate(_LETTERS).decode("ascii")
    stock = iter([letters[start : start + 16] for start in range(0, len(letters), 16)])
    _stock[0] = stock
    return next(stock)


def _forget_stock() -> None:
    _stock[0] = iter(())


os.register_at_fork(after_in_child=_forget_stock)


def floor_of(now: float) -> str:
    """What every id made at `now` or later is greater than, or equal to."""
    return _spelled(min(max(int(now * 1000), 0), (1 << 48) - 1) << 80)


def _spelled(number: int) -> str:
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(120, -1, -10)])


def time_of(line_id: str) -> float:
    """When the id was made, in seconds since the epoch. Raises ValueError for what is no id."""
    if len(line_id) != ID_LENGTH:
        raise ValueError(f"{line_id!r} is not the id of a journal line")
    return int(line_id[:10].translate(_AS_PYTHON), 32) / 1000


def timestamp(now: float) -> str:
    """UTC with microseconds, so that text order is time order."""
    microseconds = int(now * 1_000_000)
    seconds, rest = divmod(microseconds, 1_000_000)
    return f"{_second(seconds)}.{rest:06d}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
