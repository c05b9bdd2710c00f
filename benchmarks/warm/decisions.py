"""What a decision costs inside the daemon: the engine alone, in processor time, over the guard's corpus."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median

from benchmarks.warm.place import Place
from benchmarks.warm.processes import quantile
from fairlead.dialects.payloads.caller_detection import dialect_for
from fairlead.doors.daemon.process import warm_up
from fairlead.doors.hook.systems import Systems

_ROUNDS = 3


def decisions(place: Place, commands: Sequence[str]) -> dict[str, float]:
    """The least of three rounds for each command: what the machine does besides is not the engine's."""
    systems = Systems(place.places, lasting=True)
    warm_up(systems)
    times = [_cost(systems, place, command) * 1000 for command in commands]
    systems.close()
    return {
        "median_ms": round(median(times), 3),
        "p99_ms": round(quantile(times, 0.99), 3),
        "slowest_ms": round(max(times), 3),
        "commands": len(times),
    }


def _cost(systems: Systems, place: Place, command: str) -> float:
    """A new event each time, in another folder, so that nothing is remembered of the round before."""
    root = str(place.project)
    compiled = systems.compiled(root, "claude")
    costs = []
    for number in range(_ROUNDS):
        payload = place.payload(command, number)
        dialect = dialect_for("claude", payload, {})
        event = dialect.decode(payload, native_event="PreToolUse", environment={})
        event = event.replace(root=root, cwd=f"{root}/{number}")
        started = time.thread_time()
        compiled.fire(event)
        costs.append(time.thread_time() - started)
    return min(costs)
