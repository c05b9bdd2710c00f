"""Decisions of many machines on their way into PostgreSQL, while everything on that way is killed.

python -m benchmarks.fleet.decisions --machines 20 --lines 50000 --kills 20
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.warm import machine

TESTS = Path(__file__).parents[2] / "tests"
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "doors"))

from fleet_decisions import Fleet, until  # noqa: E402 - from the tests

from postgresql_kit import PostgresqlServer  # noqa: E402

RESULTS = Path(__file__).parents[1] / "results" / "fleet-decisions.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=20)
    parser.add_argument("--lines", type=int, default=50_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--sqlite", action="store_true", help="instead of PostgreSQL")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-fleet-") as folder:
        measured = measure(Path(folder), given)
    RESULTS.write_text(json.dumps(measured, indent=1) + "\n")
    print(json.dumps(measured, indent=1))
    sys.exit(0 if measured["lost"] == measured["doubled"] == 0 else 1)


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    if given.sqlite:
        return run(folder, f"sqlite:{folder}/fleet.sqlite3", given)
    server = PostgresqlServer()
    server.start()
    try:
        return run(folder, server.make_database(), given)
    finally:
        server.stop()


def run(folder: Path, database: str, given: argparse.Namespace) -> dict[str, Any]:
    """Kills come at random times while lines are written; then everything is given time to arrive."""
    chance = random.Random(26)
    fleet = Fleet(folder, database, machines=given.machines, agents=4, collectors=2)
    rounds = max(given.kills, 1)
    each = -(-given.lines // (given.machines * rounds))
    try:
        fleet.start()
        start = time.monotonic()
        for _ in range(rounds):
            fleet.write(each)
            time.sleep(chance.random())
            if given.kills:
                fleet.kill_something(chance)
        written = time.monotonic() - start
        until(lambda: fleet.arrived() >= fleet.written, 570)
        took = time.monotonic() - start
        ids = int(
            str(fleet.rows("SELECT count(*) FROM (SELECT DISTINCT machine, id FROM decisions) AS d")[0][0])
        )
        states = [
            json.loads(path.read_text()) for path in folder.glob("home*/state/fleet/spool/forward-*.json")
        ]
        return {
            "machine": machine.describe(),
            "database": "sqlite" if given.sqlite else "postgresql",
            "machines": given.machines,
            "lines": fleet.written,
            "kills": fleet.kills,
            "lost": fleet.written - ids,
            "doubled": fleet.arrived() - ids,
            "counted": int(str(fleet.rows("SELECT sum(calls) FROM hours")[0][0])),
            "gaps": fleet.rows("SELECT count(*) FROM gaps")[0][0],
            "forks": fleet.rows("SELECT count(*) FROM forks")[0][0],
            "false_alarms": sum(state["alarms"] for state in states),
            "seconds_writing": round(written, 1),
            "seconds_until_the_last": round(took, 1),
            "lines_per_second": round(fleet.written / took),
        }
    finally:
        fleet.stop()


if __name__ == "__main__":
    main()
