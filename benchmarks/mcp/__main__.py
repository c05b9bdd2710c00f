"""What the MCP door costs: a server directly, behind a bare byte pump and behind the door, in one run.

The three take turns, so that whatever else the machine does touches all of them. Client and server of the
official library are what users have, and what the budgets are about; the raw ones cost next to nothing
themselves and show the door alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

import anyio

from benchmarks.mcp.raw_client import RawClient
from benchmarks.mcp.sdk_client import SdkClient

RESULTS = Path(__file__).parents[1] / "results" / "mcp.json"
_HERE = Path(__file__).parent
_SMALL = ("The quick brown fox jumps over the lazy dog, and then it sleeps.\n" * 15)[:900]
_LARGE = 1 << 20
_FLYING = 8
ADDED_MS, THROUGHPUT, START_MS, GROWTH_KB = 0.6, 0.8, 200, 2048
"""The budgets: a call of 1 KB, calls a second beside the byte pump, the start, memory over all calls."""

Row = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--calls", type=int, default=100_000, help="for memory")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-mcp-") as folder:
        official = ways_to(_HERE / "sdk_server.py", Path(folder) / "official")
        ways = ways_to(_HERE / "echo_server.py", Path(folder) / "raw")
        measured: dict[str, dict[str, Row]] = {
            "official": anyio.run(by_the_official_client, official, given.rounds),
            "raw": by_the_raw_client(ways, given.rounds),
        }
        growth = memory(ways["door"], given.calls)
    RESULTS.write_text(json.dumps({**measured, "memory": growth}, indent=1) + "\n")
    for client, rows in measured.items():
        show(client, rows)
    first, last = growth["after 1,000 calls"], growth["at the end"]
    print(
        f"memory of the door: {first:.0f} KB after 1,000 calls, {last:.0f} KB after {given.calls}; "
        f"{growth['processor ms a call']:.2f} ms of processor a call"
    )
    sys.exit(0 if kept(measured["official"], last - first) else 1)


def ways_to(program: Path, folder: Path) -> dict[str, list[str]]:
    python = sys.executable
    server = [python, str(program)]
    fairlead = [python, "-m", "fairlead", "--home", str(folder / "home")]
    return {
        "direct": server,
        "pump": [python, str(_HERE / "byte_pump.py"), *server],
        "door": [*fairlead, "mcp", "--name", "echo", "--", *server],
    }


async def by_the_official_client(ways: Mapping[str, list[str]], rounds: int) -> dict[str, Row]:
    clients = {name: SdkClient(command) for name, command in ways.items()}
    seen = Measured(ways)
    for name, client in clients.items():
        await client.open()
        seen.starts[name] = client.start_seconds
        await client.many(200, _FLYING, text=_SMALL)
    for _ in range(rounds):
        for name, client in clients.items():
            seen.small[name] += [await client.call(text=_SMALL) for _ in range(100)]
        for name, client in clients.items():
            seen.rates[name].append(800 / await client.many(800, _FLYING, text=_SMALL))
        for name, client in clients.items():
            seen.large[name] += [await client.call(size=_LARGE) for _ in range(5)]
    for client in reversed(clients.values()):
        await client.close()
    return seen.rows()


def by_the_raw_client(ways: Mapping[str, list[str]], rounds: int) -> dict[str, Row]:
    clients = {name: RawClient(command) for name, command in ways.items()}
    seen = Measured(ways)
    for name, client in clients.items():
        seen.starts[name] = client.start_seconds
        client.many(200, _FLYING, text=_SMALL)
    for _ in range(rounds):
        for name, client in clients.items():
            seen.small[name] += [client.call(text=_SMALL) for _ in range(100)]
        for name, client in clients.items():
            seen.rates[name].append(800 / client.many(800, _FLYING, text=_SMALL))
        for name, client in clients.items():
            seen.large[name] += [client.call(size=_LARGE) for _ in range(5)]
    for client in clients.values():
        client.close()
    return seen.rows()


def memory(door: list[str], calls: int) -> Row:
    client = RawClient(door)
    client.many(1_000, _FLYING, text=_SMALL)
    begun, spent = client.memory, client.processor_seconds
    client.many(calls - 1_000, _FLYING, text=_SMALL)
    grown, spent = client.memory, client.processor_seconds - spent
    client.close()
    each = spent / (calls - 1_000) * 1e3
    return {"after 1,000 calls": begun, "at the end": grown, "processor ms a call": each}


class Measured:
    """Seconds, and calls a second."""

    def __init__(self, names: Mapping[str, object]) -> None:
        self.starts: dict[str, float] = {}
        self.small: dict[str, list[float]] = {name: [] for name in names}
        self.rates: dict[str, list[float]] = {name: [] for name in names}
        self.large: dict[str, list[float]] = {name: [] for name in names}

    def rows(self) -> dict[str, Row]:
        return {
            name: {
                "start ms": self.starts[name] * 1e3,
                "1 KB p50 ms": median(small) * 1e3,
                "1 KB p95 ms": sorted(small)[int(len(small) * 0.95)] * 1e3,
                "calls/s": median(self.rates[name]),
                "1 MB p50 ms": median(self.large[name]) * 1e3,
            }
            for name, small in self.small.items()
        }


def show(client: str, rows: Mapping[str, Row]) -> None:
    names = list(rows["direct"])
    print(f"{client:<16}" + "".join(f"{name:>14}" for name in names))
    for way, row in rows.items():
        print(f"  {way:<14}" + "".join(f"{row[name]:>14.3f}" for name in names))


def kept(rows: Mapping[str, Row], growth: float) -> bool:
    direct, pump, door = (rows[name] for name in ("direct", "pump", "door"))
    added = door["1 KB p50 ms"] - direct["1 KB p50 ms"]
    share = door["calls/s"] / pump["calls/s"]
    start = door["start ms"] - direct["start ms"]
    budgets = (
        (f"added to a call of 1 KB: {added:.2f} ms, at most {ADDED_MS} ms", added <= ADDED_MS),
        (f"calls a second: {share:.0%} of the byte pump's, at least {THROUGHPUT:.0%}", share >= THROUGHPUT),
        (f"added to the start: {start:.0f} ms, at most {START_MS} ms", start <= START_MS),
        (f"memory: {growth:+.0f} KB, at most {GROWTH_KB} KB", growth <= GROWTH_KB),
    )
    for words, met in budgets:
        print(f"{words}: {'ok' if met else 'MISSED'}")
    return all(met for _, met in budgets)


if __name__ == "__main__":
    main()
