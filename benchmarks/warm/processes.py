"""Programs raced against each other: every round starts each of them once, in a new order."""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass
class Contestant:
    """`payload` names the file that is its stdin in a given round; `prepare` runs before the clock starts."""

    name: str
    words: list[str]
    payload: Callable[[int], str] = lambda _: os.devnull
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    seconds: list[float] = field(default_factory=list)

    def run(self, number: int) -> None:
        stdin = os.open(self.payload(number), os.O_RDONLY)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        actions = [
            (os.POSIX_SPAWN_DUP2, stdin, 0),
            (os.POSIX_SPAWN_DUP2, nowhere, 1),
            (os.POSIX_SPAWN_DUP2, nowhere, 2),
        ]
        started = time.perf_counter()
        child = os.posix_spawn(self.words[0], self.words, self.environment, file_actions=actions)
        os.waitpid(child, 0)
        self.seconds.append(time.perf_counter() - started)
        os.close(stdin)
        os.close(nowhere)

    def summary(self, unit: Contestant) -> dict[str, object]:
        return {
            "name": self.name,
            "median_ms": round(median(self.seconds) * 1000, 3),
            "p95_ms": round(quantile(self.seconds, 0.95) * 1000, 3),
            "fastest_ms": round(min(self.seconds) * 1000, 3),
            "ratio_median": ratio(self, unit, median),
            "ratio_p95": ratio(self, unit, lambda times: quantile(times, 0.95)),
            "ratio_fastest": ratio(self, unit, min),
        }


def race(contestants: Sequence[Contestant], rounds: int) -> None:
    order = list(contestants)
    shuffled = random.Random(7)
    for number in range(rounds):
        shuffled.shuffle(order)
        for contestant in order:
            contestant.run(number)


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def ratio(one: Contestant, unit: Contestant, measure: Callable[[Sequence[float]], float]) -> float:
    return round(measure(one.seconds) / measure(unit.seconds), 2)
