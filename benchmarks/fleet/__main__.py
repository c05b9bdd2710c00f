"""A fleet of simulated machines on one broker: how long a change takes, what gets lost, what it costs.

    python -m benchmarks.fleet --machines 10000 --seconds 600 --rate 1

Each simulated machine has a connection of its own, with its own key and rights. It ends by itself.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.fleet.options import read_options
from benchmarks.fleet.run import measure

RESULTS = Path(__file__).parents[1] / "results" / "fleet.json"
_FILES_BESIDE = 500
"""Descriptors that the broker needs besides those of its connections."""


def main() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("stopped"))  # and what was begun is ended and removed
    given = read_options()
    raise_file_limit(given.machines + given.shared + _FILES_BESIDE)
    with tempfile.TemporaryDirectory(prefix="bench-fleet-") as folder:
        measured = measure(Path(folder), given, lambda text: print(text, file=sys.stderr, flush=True))
    Path(given.out or RESULTS).write_text(json.dumps(measured, indent=1) + "\n")
    print(json.dumps(measured, indent=1))
    sys.exit(0 if holds(measured) else 1)


def raise_file_limit(files: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= files:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, max(hard, files)))
    except (OSError, ValueError):
        sys.exit(f"{files} open files are needed and {hard} allowed: raise that, or take fewer --machines")


def holds(measured: dict[str, Any]) -> bool:
    """What no load and no fault may change."""
    decided, acts = measured["decisions"], measured["hostile_acts"]
    none = (
        *(decided["lost"], decided["doubled"], decided["counted_twice"], decided["forks"], decided["unsent"]),
        *(acts["taken_on_others_subjects"], acts["victims_told_off"], acts["incidents_of_honest"]),
        *(measured[name]["missing"] for name in ("first", "change", "change_while_broken")),
    )
    return not any(none) and bool(acts["pointer_intact"])


if __name__ == "__main__":
    main()
