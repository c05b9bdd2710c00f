"""What one middleware file of the user's own adds to a warm call."""

from __future__ import annotations

from pathlib import Path

from benchmarks.warm.driver import Driver
from benchmarks.warm.place import Place
from benchmarks.warm.processes import quantile

POLICY = """id: pre-tool-use
kind: hook
category: lifecycle
event: PreToolUse
summary: "One more"
middleware:
  - id: one-more
    path: one_more.py
    type: safety
    enabled: {enabled}
"""
SOURCE = """from fairlead.middleware_base import MiddlewareResult


def process(hook_input, config, previous_results):
    return MiddlewareResult(decision="continue")
"""


def middleware_cost(place: Place, rounds: int = 400) -> dict[str, float]:
    """Rounds with and without take turns, in blocks: the switch is a change of the policy file.

    The difference of the lower fifths: a busy machine adds more to both than the middleware does.
    """
    folder = Path(place.places.config, "hooks", "pre-tool-use")
    folder.mkdir(parents=True)
    (folder / "one_more.py").write_text(SOURCE)
    driver = Driver(place)
    times: dict[bool, list[float]] = {True: [], False: []}
    for block in range(8):
        enabled = bool(block % 2)
        (folder / "hook.meta.yaml").write_text(POLICY.format(enabled=str(enabled).lower()))
        payload = place.payload("git status --short")
        for _ in range(5):
            driver.call(payload, block)  # reads the policy, starts the worker
        times[enabled] += [driver.call(payload, number) for number in range(rounds // 4)]
    without, with_one = quantile(times[False], 0.2) * 1000, quantile(times[True], 0.2) * 1000
    (folder / "hook.meta.yaml").unlink()
    return {
        "without_ms": round(without, 3),
        "with_ms": round(with_one, 3),
        "more_ms": round(with_one - without, 3),
    }
