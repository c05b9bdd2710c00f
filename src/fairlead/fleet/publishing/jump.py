"""Whether a version makes things worse: machines that have it against those that have another.

Machines are counted, not calls: one agent that runs against the same wall all day, or one machine that lies,
is one machine. A machine counts as troubled when its share of failures or blocks is above that of nineteen in
twenty of the others, and above a floor, since a share of next to nothing is soon exceeded. A rollout stops
when a quarter of those that have the version are troubled, and three at least, or all where there are fewer:
by chance it is one in twenty. Who falls silent after it took the version is troubled, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairlead.fleet.telling.heartbeat import Counts
from fairlead.model.value import Value

FEWEST_CALLS = 20
"""With fewer, the share of a machine says nothing."""
FEWEST_EVENTS = 3
FLOORS = {"failures": 0.02, "blocks": 0.1}
"""By what is counted: a share below it troubles nobody."""
USUAL = 0.95
STOPS_AT = 0.25
FEWEST_MACHINES = 3


class Seen(Value):
    """A machine since it has the version that it has."""

    counts: Counts = Counts()
    silent: bool = False
    """It was heard with this version, and not for too long since."""


def jump(new: Sequence[Seen], old: Sequence[Seen]) -> str:
    """What got worse, in words; empty when nothing did."""
    for what, floor in FLOORS.items():
        judged = [each for each in new if _tells(each)]
        line = max(_usual(_share(each, what) for each in old if _tells(each)), floor)
        troubled = [
            each for each in judged if _share(each, what) > line and _number(each, what) >= FEWEST_EVENTS
        ]
        if _is_too_many(len(troubled), len(judged)):
            machines = f"{len(troubled)} of {len(judged)} machines that have it"
            return f"{what} are above {line:.0%} of calls on {machines}"
    silent = sum(each.silent for each in new)
    others = sum(each.silent for each in old) / len(old) if old else 0.0
    if _is_too_many(silent, len(new)) and silent / len(new) > 2 * others:
        return f"{silent} of {len(new)} machines that have it fell silent"
    return ""


def _tells(seen: Seen) -> bool:
    return seen.counts.calls >= FEWEST_CALLS


def _number(seen: Seen, what: str) -> int:
    return int(getattr(seen.counts, what))


def _share(seen: Seen, what: str) -> float:
    return min(_number(seen, what) / seen.counts.calls, 1.0)


def _usual(shares: Iterable[float]) -> float:
    """What nineteen in twenty do not exceed."""
    ordered = sorted(shares)
    return ordered[min(int(len(ordered) * USUAL), len(ordered) - 1)] if ordered else 0.0


def _is_too_many(troubled: int, all_of_them: int) -> bool:
    return 0 < min(FEWEST_MACHINES, all_of_them) <= troubled and troubled >= STOPS_AT * all_of_them
