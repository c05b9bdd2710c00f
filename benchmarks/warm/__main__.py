"""`make bench`: the budget table with measured values, `results/warm.json`, and the plot of the docs."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.warm import machine, plot
from benchmarks.warm.budgets import Budget, show
from benchmarks.warm.decisions import decisions
from benchmarks.warm.driver import throughput
from benchmarks.warm.files import FilesProject, file_decisions
from benchmarks.warm.growth import by_hooks, by_length
from benchmarks.warm.middleware import middleware_cost
from benchmarks.warm.place import ROOT, Place, corpus
from benchmarks.warm.processes import Contestant, cpu_seconds, race

RESULTS = ROOT / "benchmarks" / "results" / "warm.json"
MEMORY = ROOT / "benchmarks" / "results" / "memory.json"
PLOT = ROOT / "docs" / "performance.svg"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--calls", type=int, default=100_000, help="through the socket, for rate and memory")
    given = parser.parse_args()
    place = Place(Path(tempfile.mkdtemp(prefix="bench-")))
    try:
        measured = measure(place, given.rounds, given.calls)
    finally:
        place.close()
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(measured, indent=1) + "\n")
    draw(measured)
    show(measured)


def draw(measured: dict[str, Any]) -> None:
    """With the memory of the longest run that there is."""
    curves = [measured["throughput"]["resident_curve"]]
    if MEMORY.exists():
        curves.append(json.loads(MEMORY.read_text())["resident_curve"])
    PLOT.write_text(plot.draw(measured, max(curves, key=lambda curve: curve[-1][0])))


def measure(place: Place, rounds: int, calls: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"machine": machine.describe()}
    warm = warm_race(place, rounds)
    project = FilesProject(place)
    alone = alone_race(place, project, rounds)
    cold = cold_race(place, max(10, rounds // 10))
    facts["warm"] = [one.summary(warm[0]) for one in warm]
    facts["alone"] = [one.summary(alone[0]) for one in alone]
    facts["cold"] = [one.summary(cold[0]) for one in cold]
    commands = corpus(1000)
    place.stop()
    shutil.rmtree(place.places.state)
    facts["throughput"] = throughput(place, commands, calls)
    facts["decision"] = decisions(place, commands)
    facts["files"] = file_decisions(project)
    facts["middleware"] = middleware_cost(place)
    facts["growth"] = {
        "command_bytes": by_length(place),
        "matching_hooks": by_hooks(matching=True),
        "other_hooks": by_hooks(matching=False),
    }
    facts["budgets"] = [budget.as_dict() for budget in budgets(facts)]
    return facts


def warm_race(place: Place, rounds: int) -> list[Contestant]:
    """All in one interleaved run, `/bin/true` first."""
    simple, mixed, pure = hooks(place, rounds)
    node = shutil.which("node")
    contestants = [
        Contestant("/bin/true", ["/bin/true"]),
        Contestant("sh -c true", ["/bin/sh", "-c", "true"]),
        Contestant("python3 -I -S -c pass", [sys.executable, "-ISc", "pass"]),
        Contestant("python3 -c pass", [sys.executable, "-c", "pass"]),
        *([Contestant("node -e 0", [node, "-e", "0"])] if node else []),
        simple,
        mixed,
        pure,
    ]
    race(contestants, rounds)
    return contestants


def alone_race(place: Place, project: FilesProject, rounds: int) -> list[Contestant]:
    """Nothing heavy runs in between that would take the processor's caches."""
    simple, mixed, _ = hooks(place, rounds)
    files = Contestant(
        "fairlead-hook, ten files",
        place.hook("native"),
        lambda _: project.file,
        project.environment(),
        simple.helper,
    )
    contestants = [Contestant("/bin/true", ["/bin/true"]), simple, mixed, files]
    race(contestants, rounds)
    return contestants


def hooks(place: Place, rounds: int) -> list[Contestant]:
    daemon = place.warm_up()["pid"]
    files = [place.write_payload(f"corpus-{n}", command) for n, command in enumerate(corpus(rounds))]

    def hook(name: str, kind: str, payload: Callable[[int], str]) -> Contestant:
        helper = partial(cpu_seconds, daemon)
        return Contestant(f"fairlead-hook, {name}", place.hook(kind), payload, place.environment(), helper)

    return [
        hook("one command", "native", lambda _: place.simple),
        hook("corpus", "native", lambda number: files[number % len(files)]),
        hook("in Python", "pure", lambda _: place.simple),
    ]


def cold_race(place: Place, rounds: int) -> list[Contestant]:
    command = [
        sys.executable,
        "-I",
        "-m",
        "fairlead",
        "--home",
        str(place.home),
        "hook",
        "claude",
        "PreToolUse",
    ]
    environment = place.environment()
    contestants = [
        Contestant("python3 -c pass", [sys.executable, "-c", "pass"]),
        Contestant("fairlead hook", command, lambda _: place.simple, environment),
        Contestant("fairlead-hook without daemon", place.hook("native"), lambda _: place.simple, environment),
    ]
    with place.without_daemon():
        race(contestants, rounds)
    return contestants


def budgets(facts: dict[str, Any]) -> list[Budget]:
    warm = {row["name"]: row for row in facts["warm"]}
    simple, mixed = warm["fairlead-hook, one command"], warm["fairlead-hook, corpus"]
    _, simple_alone, mixed_alone, files_alone = facts["alone"]
    cold = facts["cold"][1]
    rate = facts["throughput"]
    curve = [size for _, size in rate["resident_curve"]]
    growth = facts["growth"]
    return [
        Budget("warm hook call, one command, median, in /bin/true", 1.5, simple["ratio_median"]),
        Budget("warm hook call, guard's corpus, median, in /bin/true", 2.0, mixed["ratio_median"]),
        Budget("warm hook call, one command, p95, in /bin/true", 2.5, simple["ratio_p95"]),
        Budget("the same, one command, /bin/true alone between", 1.5, simple_alone["ratio_median"]),
        Budget("the same, guard's corpus, /bin/true alone between", 2.0, mixed_alone["ratio_median"]),
        Budget("the same, a call that runs ten project files", 3.0, files_alone["ratio_median"]),
        Budget("cold call, in python3 -c pass", 8.0, cold["ratio_median"]),
        Budget("decision over the corpus, median, ms of processor", 0.5, facts["decision"]["median_ms"]),
        Budget("decision over the corpus, p99, ms of processor", 2.0, facts["decision"]["p99_ms"]),
        Budget("decision with ten files known, p99, ms of processor", 3.0, facts["files"]["known_p99_ms"]),
        Budget("decisions per second of one core", 1000, rate["per_second_of_cpu"], at_least=True),
        Budget("resident memory of the daemon, MB", 80, rate["resident_mb"]),
        Budget(
            "its growth over the last half of the calls, %",
            2,
            round(100 * (curve[-1] / curve[len(curve) // 2] - 1), 2),
        ),
        Budget("a warm middleware file more, ms", 0.5, facts["middleware"]["more_ms"]),
        Budget("cost per byte at 100 kB against 10 kB", 1.5, _per_unit(growth["command_bytes"], 4, 3)),
        Budget("cost per matching hook at 1,000 against 100", 1.5, _per_unit(growth["matching_hooks"], 3, 2)),
        Budget(
            "cost with 1,000 hooks that do not match against 1",
            1.5,
            round(growth["other_hooks"][3][1] / growth["other_hooks"][0][1], 2),
        ),
    ]


def _per_unit(points: list[tuple[int, float]], more: int, less: int) -> float:
    (many, slow), (few, quick) = points[more], points[less]
    return round((slow / many) / (quick / few), 2)


if __name__ == "__main__":
    main()
