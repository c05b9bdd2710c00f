"""Which programs run others or code, and how. Every command asks, so that no family is imported for it.

In the tables of the compiled module, the other names of a program have its name as their value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fairlead.model.value import Value
from fairlead.shell.programs.compiled.running import (
    FETCHES,
    FOLLOWED,
    INTERPRETS,
    LOADS,
    RECIPE_READERS,
    RUNS,
    SHELLS,
)
from fairlead.shell.programs.record import Fetches, Interprets, Loads, Runs, value_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "FETCHES",
    "FOLLOWED",
    "INTERPRETS",
    "LOADS",
    "RECIPE_READERS",
    "RUNS",
    "SHELLS",
    "fetches_of",
    "followed_as",
    "interprets_of",
    "loads_of",
    "recipe_readers_of",
    "running_of",
]


class Running(Value):
    """`itself`: how the program runs another, if it does; `subcommands`: how those do that are told by these
    words; `before`: what may stand before them."""

    itself: Runs | None
    subcommands: Mapping[tuple[str, ...], Runs]
    before: Runs


@cache
def running_of(name: str) -> Running:
    """How the program of that name, which is one of `RUNS`, runs others."""
    literal = _literal(RUNS, name)
    every = [value_from(Runs, runs) for runs in literal["runs"]]
    itself = next((runs for runs in every if not runs.on), None)
    subcommands = {tuple(on.split()): runs for runs in every for on in runs.on}
    return Running(itself, subcommands, Runs(values=frozenset(literal.get("before", ()))))


@cache
def interprets_of(name: str) -> Interprets:
    """How the program of that name, which is one of `INTERPRETS`, is given code."""
    return value_from(Interprets, _literal(INTERPRETS, name))


@cache
def fetches_of(name: str) -> Fetches:
    """What the program of that name, which is one of `FETCHES`, brings."""
    return value_from(Fetches, _literal(FETCHES, name))


@cache
def loads_of(name: str) -> Loads:
    """Which files the program of that name, which is one of `LOADS`, runs."""
    return value_from(Loads, _literal(LOADS, name))


def recipe_readers_of(name: str) -> tuple[str, ...]:
    """Which functions read the recipes of that program, which is one of the `RECIPE_READERS`."""
    told: tuple[str, ...] = _literal(RECIPE_READERS, name)
    return told


def followed_as(name: str) -> tuple[str, ...]:
    """Under which key the record of that program, which is one of `FOLLOWED`, says what it runs, and what."""
    told: tuple[str, ...] = _literal(FOLLOWED, name)
    return told


def _literal(table: Mapping[str, Any], name: str) -> Any:
    found = table[name]
    return table[found] if isinstance(found, str) else found
