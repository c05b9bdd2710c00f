"""Which programs run others, and how. Every command asks, so that no family is imported for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fairlead.model.value import Value
from fairlead.shell.programs.compiled.running import PROGRAMS, SAME
from fairlead.shell.programs.record import Runs, runs_from

RUNNING = frozenset({*PROGRAMS, *SAME})
"""All that run another program, or have a subcommand that does."""


class Running(Value):
    """`itself`: how the program runs another, if it does; `subcommands`: how those do that are told by these
    words; `before`: what may stand before them."""

    itself: Runs | None
    subcommands: Mapping[tuple[str, ...], Runs]
    before: Runs


@cache
def running_of(name: str) -> Running:
    """How the program of that name, which is one of the `RUNNING`, runs others."""
    literal = PROGRAMS[SAME.get(name, name)]
    every = [runs_from(runs) for runs in literal["runs"]]
    itself = next((runs for runs in every if not runs.on), None)
    subcommands = {tuple(on.split()): runs for runs in every for on in runs.on}
    return Running(itself, subcommands, Runs(values=frozenset(literal.get("before", ()))))
