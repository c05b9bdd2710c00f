"""Clients under load while their daemon is killed and its socket taken away.

    python tests/doors/faults.py --calls 10000 --kills 20 --removals 5

Every call has to get its right verdict, and to be in the journal once after folding.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from client_workshop import build_client
from installation import Installation, kill, payload, until

from fairlead.doors.daemon.lifecycle import SOCKET, take_lock
from fairlead.journal.reader import fold
from fairlead.model.verdict import Reply

DENY = b'"permissionDecision": "deny"'
KINDS = (
    ("PreToolUse", "rm -rf /", "block"),
    ("PreToolUse", "cd / && rm -rf *", "block"),
    ("UserPromptSubmit", "hello", "continue"),
    ("PreToolUse", "ls -la", "continue"),
)


class Saboteur:
    """Strikes when enough calls are done, so that the strikes are spread over the load whatever its speed."""

    def __init__(self, installation: Installation, strikes: list[str], calls: int) -> None:
        self.done = 0
        self.struck: Counter[str] = Counter()
        self._installation = installation
        self._strikes = strikes
        self._step = calls / (len(strikes) + 1)
        self._thread = threading.Thread(target=self._run)
        self._over = threading.Event()

    def __enter__(self) -> Saboteur:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        for number, strike in enumerate(self._strikes, 1):
            while self.done < number * self._step and not self._over.wait(0.005):
                pass
            self._strike(strike)

    def _strike(self, strike: str) -> None:
        """There may be no daemon at the moment; then one is waited for, while calls go on."""
        while not self._over.is_set():
            daemons = self._installation.daemons()
            if strike == "remove":
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self._installation.places.run, SOCKET))
                    break
            elif daemons:
                with suppress(ProcessLookupError):
                    kill(daemons[0])
                    break
            time.sleep(0.01)
        else:
            return
        self.struck[strike] += 1


def ask(installation: Installation, number: int) -> str:
    """Empty if the answer was right."""
    event, command, verdict = KINDS[number % len(KINDS)]
    reply = installation.call(payload(command, session=f"call-{number}", event=event), "claude", event)
    denied = reply.exit_code == 2 and DENY in reply.stdout and b"could not answer" not in reply.stdout
    right = denied if verdict == "block" else reply == Reply()
    return "" if right else f"{command}: {reply}"


def suffer(
    installation: Installation, *, calls: int, clients: int, kills: int, removals: int
) -> dict[str, Any]:
    strikes = ["kill"] * kills
    for number in range(removals):
        strikes.insert((number + 1) * len(strikes) // (removals + 1), "remove")
    wrong: list[str] = []
    before = zombies_of({os.getpid()})
    started = time.monotonic()
    with Saboteur(installation, strikes, calls) as saboteur, ThreadPoolExecutor(clients) as pool:
        for words in pool.map(lambda number: ask(installation, number), range(calls)):
            saboteur.done += 1
            if words:
                wrong.append(words)
        seconds = time.monotonic() - started
        # A strike may wait for a daemon, and only a call starts one.
        until(lambda: sum(saboteur.struck.values()) == len(strikes) or not installation.call())
    return {
        "calls": calls,
        "seconds": round(seconds, 1),
        "struck": dict(saboteur.struck),
        "wrong": wrong[:5],
        **aftermath(installation, calls, before),
    }


def aftermath(installation: Installation, calls: int, before: set[int]) -> dict[str, Any]:
    """What is left once one more call has made sure that there is a daemon."""
    until(lambda: installation.call() and installation.daemon())
    until(lambda: len(installation.daemons()) == 1)
    lines = [record for record in installation.records() if record["session"].startswith("call-")]
    agreed = {(record["request"], record["verdict"]["decision"]) for record in lines}
    records = fold(lines)
    verdicts = {record["session"]: record["verdict"]["decision"] for record in records}
    expected = {f"call-{number}": KINDS[number % len(KINDS)][2] for number in range(calls)}
    zombies = len(zombies_of({os.getpid(), *installation.daemons()}) - before)
    daemons = len(installation.daemons())
    installation.stop()
    lock = take_lock(installation.places)
    if lock is not None:
        os.close(lock)
    return {
        "lines": len(lines),
        "recorded": len(records),
        "verdicts": len(agreed),
        "right in the journal": verdicts == expected,
        "daemons": daemons,
        "zombies": zombies,
        "lock is free": lock is not None,
    }


def zombies_of(parents: set[int]) -> set[int]:
    found: set[int] = set()
    for process in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = process.read_text().rpartition(")")[2].split()[:2]
            if state == "Z" and int(parent) in parents:
                found.add(int(process.parent.name))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("calls", 10_000), ("clients", 8), ("kills", 20), ("removals", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--client", default="native", choices=("native", "pure"))
    given = vars(parser.parse_args())
    with tempfile.TemporaryDirectory() as folder:
        client = build_client(given.pop("client"), Path(folder, "built"))
        summary = suffer(Installation(Path(folder, "installed"), client), **given)
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
