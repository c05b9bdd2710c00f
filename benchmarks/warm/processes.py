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
    helper: Callable[[], float] = lambda: 0.0
    """The processor time so far of another process that works for it."""
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def run(self, number: int) -> None:
        stdin = os.open(self.payload(number), os.O_RDONLY)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        actions = [
            (os.POSIX_SPAWN_DUP2, stdin, 0),
            (os.POSIX_SPAWN_DUP2, nowhere, 1),
            (os.POSIX_SPAWN_DUP2, nowhere, 2),
        ]
        helped, started = self.helper(), time.perf_counter()
        child = os.posix_spawn(self.words[0], self.words, self.environment, file_actions=actions)
        used = os.wait4(child, 0)[2]
        self.seconds.append(time.perf_counter() - started)
        self.cpu.append(used.ru_utime + used.ru_stime + self.helper() - helped)
        os.close(stdin)
        os.close(nowhere)

    def summary(self, unit: Contestant) -> dict[str, object]:
        return {
            "name": self.name,
            "median_ms": round(median(self.seconds) * 1000, 3),
            "p95_ms": round(quantile(self.seconds, 0.95) * 1000, 3),
            "fastest_ms": round(min(self.seconds) * 1000, 3),
            "cpu_ms": round(median(self.cpu) * 1000, 3),
            "ratio_median": ratio(self.seconds, unit.seconds, median),
            "ratio_p95": ratio(self.seconds, unit.seconds, lambda times: quantile(times, 0.95)),
            "ratio_fastest": ratio(self.seconds, unit.seconds, min),
            "ratio_cpu": ratio(self.cpu, unit.cpu, median),
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


def ratio(
    these: Sequence[float], those: Sequence[float], measure: Callable[[Sequence[float]], float]
) -> float:
    return round(measure(these) / measure(those), 2)


def cpu_seconds(process: int) -> float:
    """All threads together, as the scheduler counted them: in nanoseconds, not in ticks."""
    total = 0
    for task in os.scandir(f"/proc/{process}/task"):
        with open(f"{task.path}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9
