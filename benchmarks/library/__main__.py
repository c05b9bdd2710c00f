"""`make bench-library`: one interleaved run of all contestants, least CPU time, ratios to closures."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.library import chains
from fairlead import journal_of

COUNTS = (1, 5, 20)
RESULTS = Path(__file__).parents[1] / "results" / "library.json"
TARGET_NS = 2_000_000
"""How long one measurement lasts at least, so that the clock's steps do not matter."""


class Contestant:
    def __init__(self, name: str, run: Any, *, awaited: bool) -> None:
        self.name, self.run, self.awaited = name, run, awaited
        self.times: list[float] = []
        self.repeats = 1
        while self._measure(self.repeats) * self.repeats < TARGET_NS and self.repeats < 20_000:
            self.repeats *= 2

    def once(self) -> None:
        self.times.append(self._measure(self.repeats))

    def _measure(self, repeats: int) -> float:
        gc.disable()
        began = time.process_time_ns()
        if self.awaited:
            asyncio.run(chains.repeat_async(self.run, repeats))
        else:
            chains.repeat(self.run, repeats)
        spent = time.process_time_ns() - began
        gc.enable()
        return spent / repeats


def contestants(count: int, journal: str) -> list[Contestant]:
    tell = journal_of(journal)
    found = [
        Contestant("closures", chains.closures(count), awaited=False),
        Contestant("closures async", chains.closures_async(count), awaited=True),
        Contestant("fairlead", chains.ours(count), awaited=False),
        Contestant("fairlead async", chains.ours_async(count), awaited=True),
        Contestant("fairlead, journal on", chains.ours(count, tell), awaited=False),
        Contestant("fairlead async, journal on", chains.ours_async(count, tell), awaited=True),
        Contestant("pluggy", chains.pluggy_hooks(count), awaited=False),
    ]
    if find_spec("langchain"):
        host = chains.LangChain()
        found += [
            Contestant("langchain layers", host.layers(count), awaited=False),
            Contestant("langchain layers async", host.layers_async(count), awaited=True),
            Contestant("fairlead in one langchain layer", host.hosting(count), awaited=False),
            Contestant("fairlead in one langchain layer async", host.hosting_async(count), awaited=True),
        ]
    if find_spec("agent_framework"):
        found.append(Contestant("agent framework async", chains.agent_framework(count), awaited=True))
    return found


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """The least CPU nanoseconds per call, by number of hooks and contestant."""
    measured: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in COUNTS:
            found = contestants(count, f"{folder}/{count}")
            for _ in range(rounds):
                for contestant in random.sample(found, len(found)):
                    contestant.once()
            measured[str(count)] = {each.name: round(min(each.times)) for each in found}
    return measured


def verdicts(measured: dict[str, dict[str, float]]) -> list[tuple[str, float, str, bool]]:
    rows = []
    for count, times in measured.items():
        for kind in ("", " async"):
            ratio = times[f"fairlead{kind}"] / times[f"closures{kind}"]
            rows.append((f"{count} hooks{kind}: of a closure chain", ratio, "<= 3", ratio <= 3))
        faster = times["pluggy"] / times["fairlead"]
        rows.append((f"{count} hooks: faster than pluggy", faster, ">= 2", faster >= 2))
    many = measured["20"]
    for kind in ("", " async"):
        if f"langchain layers{kind}" in many:
            cheaper = many[f"langchain layers{kind}"] / many[f"fairlead in one langchain layer{kind}"]
            rows.append(
                (f"20 hooks in one LangChain layer{kind}: cheaper by", cheaper, ">= 15", cheaper >= 15)
            )
    return rows


def show(measured: dict[str, dict[str, float]]) -> bool:
    names = list(measured["1"])
    print(f"{'CPU ns per call':<40}" + "".join(f"{f'{count} hooks':>12}" for count in measured))
    for name in names:
        print(f"{name:<40}" + "".join(f"{times[name]:>12,.0f}" for times in measured.values()))
    print()
    rows = verdicts(measured)
    for what, value, budget, kept in rows:
        print(f"{what:<52}{value:>8.2f} x   budget {budget:<6} {'ok' if kept else 'MISSED'}")
    return all(kept for *_, kept in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    measured = measure(given.rounds)
    RESULTS.write_text(json.dumps(measured, indent=1) + "\n")
    raise SystemExit(0 if show(measured) else 1)


if __name__ == "__main__":
    main()
