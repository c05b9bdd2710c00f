"""The daemon's memory over many calls: `python -m benchmarks.warm.memory --calls 1000000`."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from benchmarks.warm import machine
from benchmarks.warm.driver import throughput
from benchmarks.warm.place import ROOT, Place, corpus

RESULTS = ROOT / "benchmarks" / "results" / "memory.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000)
    given = parser.parse_args()
    place = Place(Path(tempfile.mkdtemp(prefix="bench-")))
    try:
        measured = {"machine": machine.describe(), **throughput(place, corpus(3000), given.calls)}
    finally:
        place.close()
    RESULTS.write_text(json.dumps(measured, indent=1) + "\n")
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
