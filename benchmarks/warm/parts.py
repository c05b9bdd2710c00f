"""What the parts of a decision cost, with warm caches and with cold ones: `python -m benchmarks.warm.parts`.

A hook call comes after a program that the agent ran, so the daemon finds little of itself in the processor's
caches. Here a walk through much memory stands for that program.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks.warm.place import SIMPLE, Place, corpus
from fairlead.dialects.payloads.caller_detection import dialect_for
from fairlead.doors.daemon.process import warm_up
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.journal.line import record_of

ROUNDS = 200
_OTHERS = bytearray(48 << 20)
Result = TypeVar("Result")


class Parts:
    """The stations of one call, each with its own clock."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.systems = Systems(place.places, lasting=True)
        self.times: dict[str, list[float]] = {}
        warm_up(self.systems)

    def timed(self, part: str, run: Callable[[], Result]) -> Result:
        started = time.perf_counter()
        result = run()
        self.times.setdefault(part, []).append(time.perf_counter() - started)
        return result

    def call(self, number: int) -> None:
        payload, environment = self.place.payload(SIMPLE, number), self.place.environment()
        systems = self.systems
        dialect = self.timed("whose dialect", lambda: dialect_for("claude", payload, environment))
        event = self.timed(
            "payload to event",
            lambda: dialect.decode(payload, native_event="PreToolUse", environment=environment),
        )
        request = self.timed(
            "seen before?",
            lambda: systems.request_of(event, door="claude", request=f"{number:032x}"),
        )
        event = event.replace(root=systems.root_of(event), request=request)
        compiled = self.timed("policy unchanged?", lambda: systems.compiled(event.root, "claude"))
        verdict = self.timed("engine and guards", lambda: compiled.fire(event, environment=environment))
        reply = self.timed("verdict to answer", lambda: dialect.render(event, verdict))
        record = self.timed("journal line", lambda: record_of(event, verdict, reply))
        self.timed("written", lambda: systems.journal.write(record))


def measure(*, cold: bool) -> dict[str, float]:
    place = Place(Path(tempfile.mkdtemp(prefix="bench-")) / "place")
    try:
        parts = Parts(place)
        for number in range(ROUNDS):
            if cold:
                _OTHERS.find(b"\1")
            parts.call(number)
        return {part: median(times) * 1e6 for part, times in parts.times.items()}
    finally:
        place.close()


def steps(commands: Sequence[str]) -> float:
    """How many Python functions the answer to one of these calls runs, on average."""
    place = Place(Path(tempfile.mkdtemp(prefix="bench-")) / "place")
    systems = Systems(place.places, lasting=True)
    warm_up(systems)
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    try:
        for counted in (False, True):  # what is found out at the first call of a kind is not counted
            for number, command in enumerate(commands, start=len(commands) * counted):
                payload = place.payload(command, number)
                call = HookCall("claude", payload, "PreToolUse", "/", place.environment(), f"{number:032x}")
                sys.setprofile(note if counted else None)
                answer(call, systems)
                sys.setprofile(None)
        return count / len(commands)
    finally:
        place.close()


def main() -> None:
    warm, cold = measure(cold=False), measure(cold=True)
    rows = [*warm, "all in all"]
    warm["all in all"], cold["all in all"] = sum(warm.values()), sum(cold.values())
    print(f"{'microseconds':20} {'warm':>8} {'cold':>8}")
    for part in rows:
        print(f"{part:20} {warm[part]:8.0f} {cold[part]:8.0f}")
    one, many = steps([SIMPLE]), steps(corpus(300))
    print(f"Python functions run: {one:.0f} for one command, {many:.0f} for a line of the corpus")


if __name__ == "__main__":
    main()
