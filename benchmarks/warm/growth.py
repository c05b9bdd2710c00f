"""How the cost of a decision grows: with the command, with hooks that match, with hooks that do not.

The least of many rounds counts: what else the machine did meanwhile grows with nothing of ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.warm.driver import Driver
from benchmarks.warm.place import Place
from fairlead.model.matching.matcher import matcher_from
from fairlead.testing import hook, shell_event, system_of

LENGTHS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
HOOKS = (1, 10, 100, 1_000)


def by_length(place: Place) -> list[tuple[int, float]]:
    """Milliseconds through the socket for a command of so many bytes."""
    driver = Driver(place)
    points = []
    for length in LENGTHS:
        command = "echo " + "word " * (length // 5)
        payload = place.payload(command[:length])
        rounds = 200 if length < 10_000 else 15
        points.append((length, _milliseconds(lambda payload=payload: driver.call(payload, 1), rounds)))  # type: ignore[misc]
    return points


def by_hooks(*, matching: bool) -> list[tuple[int, float]]:
    """Milliseconds inside the engine for one event, with so many no-op hooks besides one that matches."""
    points = []
    for count in HOOKS:
        matcher = matcher_from("Bash" if matching else "NoSuchTool")
        many = [hook(_silent, id=f"hook-{number}", matcher=matcher) for number in range(count)]
        system = system_of([hook(_silent, id="one"), *many])
        event = shell_event("ls")
        points.append((count, _milliseconds(lambda: system.fire(event), 2000 // count + 20)))  # noqa: B023
    return points


def _silent(event: object, config: object, previous: object) -> None:
    return None


def _milliseconds(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return round(min(times) * 1000, 4)
