"""What a run of the fleet is asked to be."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def read_options(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fleet", description="A fleet of simulated machines on one real broker."
    )
    add = parser.add_argument
    add("--machines", type=int, default=10_000)
    add("--seconds", type=int, default=600, help="of decisions")
    add("--rate", type=float, default=1.0, help="decisions of a machine in a second")
    add("--own", type=int, default=400, help="machines whose decisions are sent by the code of the agent")
    add("--shared", type=int, default=400, help="connections over which the decisions of the others go")
    add("--processes", type=int, default=2, help="that hold the simulated machines")
    add("--spread", type=float, default=30.0, help="seconds over which machines fetch a bundle")
    add("--heartbeat", type=float, default=300.0, help="seconds between two of a machine")
    add("--hostile", type=float, default=1.0, help="machines of a hundred that were taken over")
    add("--between", type=float, default=10.0, help="seconds between two rounds of the hostile")
    add("--split", type=float, default=5.0, help="machines of a hundred behind the wire that is cut")
    add("--kilobytes", type=int, default=200, help="of a bundle")
    add("--collectors", type=int, default=2)
    add("--broker", default="", metavar="PROGRAM", help="another nats-server than the one that is installed")
    add("--sqlite", action="store_true", help="instead of PostgreSQL")
    add("--patience", type=float, default=600.0, help="seconds that anything is waited for")
    add("--out", default="", help="where the figures go; benchmarks/results/fleet.json")
    return parser.parse_args(words)
