"""What the bus costs: the same request directly, over the local bus and over NATS, in one run."""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.warm import machine
from fairlead.assembly import build, policy_for
from fairlead.doors.bus.connection import Broker
from fairlead.doors.bus.local_bus import LocalBus
from fairlead.doors.bus.messages import REQUEST, RESPONSE, HookExecutionRequest
from fairlead.doors.bus.nats_bus import Asker
from fairlead.doors.bus.responder import Responder
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.model.event_name import EventName
from fairlead.policy.places import find_places

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "doors"))

from broker import BROKER, BusWorker, NatsServer

RESULTS = Path(__file__).parents[1] / "results" / "bus.json"
BESIDE = "direct, a bus beside it"
MOST = 1.05
"""What the existence of the bus may cost who does not use it."""
GIVEN = {"tool_name": "Bash", "tool_input": {"command": "git status && npm test"}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-bus-") as folder:
        measured = measure(Path(folder), given.rounds)
    RESULTS.write_text(json.dumps(measured, indent=1) + "\n")
    for name, row in measured["paths"].items():
        print(f"{name:<28} {row['median_us']:>9.1f} us  {row['ratio']:>6.2f} x  {row['per_second']:>8.0f}/s")
    ratio = measured["paths"][BESIDE]["ratio"]
    kept = ratio <= MOST
    met = "ok" if kept else "MISSED"
    print(f"a direct call beside a bus: {ratio:.2f} x one without, at most {MOST} x: {met}")
    sys.exit(0 if kept else 1)


def measure(folder: Path, rounds: int) -> dict[str, Any]:
    project = folder / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    system = build(policy_for(find_places(str(folder / "home")), str(project), ""))
    handler = HookEventHandler(system, Surroundings("bench", str(project)))
    other = HookEventHandler(system, Surroundings("bench", str(project)))
    bus = LocalBus()
    answers: SimpleQueue[object] = SimpleQueue()
    bus.subscribe(RESPONSE, answers.put)
    Responder(bus, other)
    body = HookExecutionRequest(EventName.BEFORE_TOOL, GIVEN, "x").as_json()
    times = interleaved(
        {
            "direct": lambda: handler.fire(EventName.BEFORE_TOOL, GIVEN),
            BESIDE: lambda: other.fire(EventName.BEFORE_TOOL, GIVEN),
            "local bus": lambda: (bus.publish(REQUEST, body), answers.get(timeout=60)),
        },
        rounds,
    )
    times |= over_nats(folder, project, rounds)
    base = median(times["direct"])
    paths = {
        name: {
            "median_us": round(median(taken) * 1e6, 1),
            "ratio": round(median(taken) / base, 3),
            "per_second": round(1 / (sum(taken) / len(taken))),
        }
        for name, taken in times.items()
    }
    return {"machine": machine.describe(), "rounds": rounds, "paths": paths}


def interleaved(paths: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Each round in another order: who comes first finds the caches cold."""
    times: dict[str, list[float]] = {name: [] for name in paths}
    order = list(paths.items())
    for _ in range(rounds):
        order.append(order.pop(0))
        for name, call in order:
            started = perf_counter()
            call()
            times[name].append(perf_counter() - started)
    return times


def over_nats(folder: Path, project: Path, rounds: int) -> dict[str, list[float]]:
    if not Path(BROKER).exists():
        print("NO nats-server: the bus on NATS is not measured", file=sys.stderr)
        return {}
    server = NatsServer(folder / "stream")
    server.start()
    workers = [BusWorker(folder / "home", project, server.url) for _ in range(2)]
    try:
        one = asyncio.run(ask(server.url, rounds, at_once=1, prefix="a"))
        many = asyncio.run(ask(server.url, rounds, at_once=32, prefix="b"))
    finally:
        for worker in workers:
            worker.stop()
        server.stop()
    return {"NATS, one at a time": one, "NATS, 32 at once, 2 workers": many}


async def ask(url: str, rounds: int, *, at_once: int, prefix: str) -> list[float]:
    """The time of each call; of many at once, the share that each has in the whole."""
    asker = Asker(Broker(url))
    await asker.open(patience=10)
    free = asyncio.Semaphore(at_once)
    times: list[float] = []

    async def one(number: int) -> None:
        request = HookExecutionRequest(EventName.BEFORE_TOOL, GIVEN, f"{prefix}{number}")
        async with free:
            started = perf_counter()
            await asker.ask(request, seconds=30)
            times.append(perf_counter() - started)

    started = perf_counter()
    await asyncio.gather(*(one(number) for number in range(rounds)))
    whole = perf_counter() - started
    await asker.close()
    return times if at_once == 1 else [whole / rounds] * rounds


if __name__ == "__main__":
    main()
