"""Machines, a broker and collectors as real processes, which are killed while decisions flow.

    python fleet_decisions.py URL MACHINE=HOME...

runs the duty of several machines in one process: what an agent of each would do.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from broker import NatsServer

from fairlead.doors.bus.connection import Broker
from fairlead.doors.fleet.collecting.database import open_database
from fairlead.doors.fleet.collecting.store import Store
from fairlead.doors.fleet.duties import Context, attend
from fairlead.doors.fleet.link import Link
from fairlead.doors.fleet.standing import Standing
from fairlead.fleet.bundles.roles import Role, Roles, key_text
from fairlead.fleet.enrolment import Enrolment, write_enrolment
from fairlead.journal.ids import new_id, timestamp
from fairlead.journal.writer import JournalWriter
from fairlead.policy.places import find_places
from index_kit import call

_ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, Path(__file__).parents[:2]))}
DECISIONS = ("continue", "continue", "continue", "block", "ask")


def enrol(home: Path, machine: str, url: str, credentials: str = "") -> None:
    roles = Roles(1, bundle=Role((key_text(bytes(32)),)))
    enrolment = Enrolment(machine, "web", url, roles, credentials=credentials, decisions=True)
    (home / "config").mkdir(parents=True, exist_ok=True)
    write_enrolment(str(home / "config" / "fleet.yaml"), enrolment)


async def attend_all(url: str, machines: Sequence[str]) -> None:
    tasks = []
    for each in machines:
        machine, _, home = each.partition("=")
        places = find_places(home)
        os.makedirs(places.fleet, mode=0o700, exist_ok=True)
        link, standing = Link(Broker(url), machine), Standing(places.fleet)
        context = Context(places, machine=machine, group="web", link=link, standing=standing)
        tasks += [link.keep(), attend("forwarding", context)]
    print("ready", flush=True)
    await asyncio.gather(*tasks)


class Process:
    """One that can be killed and started again."""

    def __init__(self, words: Sequence[str], log: Path) -> None:
        self._words, self._log = list(words), log
        self._process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    def start(self) -> None:
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(self._words, stdout=log, stderr=log, env=_ENVIRONMENT)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(30)
        self.kills += 1

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


class Broken:
    """The broker, killed without a word and started again."""

    def __init__(self, server: NatsServer) -> None:
        self._server = server
        self.kills = 0

    def kill(self) -> None:
        assert self._server._process is not None
        self._server._process.kill()
        self._server._process.wait(30)
        self.kills += 1

    def start(self) -> None:
        self._server.start()


class Fleet:
    """`machines` in `agents` processes, `collectors` and a broker, in one folder."""

    def __init__(
        self, folder: Path, database: str, *, machines: int, agents: int = 2, collectors: int = 2
    ) -> None:
        self.folder, self.database = folder, database
        Store(open_database(database)).database.close()
        self.server = NatsServer(folder / "streams")
        self.server.start()
        self.homes = {f"m-{number}": folder / f"home{number}" for number in range(machines)}
        for machine, home in self.homes.items():
            enrol(home, machine, self.server.url)
        pairs = [f"{machine}={home}" for machine, home in self.homes.items()]
        python = [sys.executable]
        log = folder / "log.txt"
        self.agents = [
            Process([*python, __file__, self.server.url, *pairs[number::agents]], log)
            for number in range(agents)
        ]
        words = ["-m", "fairlead", "fleet", "collect", "--source", self.server.url, "--database", database]
        self.collectors = [Process([*python, *words], log) for _ in range(collectors)]
        self.broker = Broken(self.server)
        self.written = 0
        self._writers = {
            machine: JournalWriter(str(home / "state" / "journal"), max_bytes=200_000)
            for machine, home in self.homes.items()
        }

    def start(self) -> None:
        for each in (*self.collectors, *self.agents):
            each.start()
        begun = [home / "state" / "fleet" / "spool" / "begun" for home in self.homes.values()]
        until(lambda: all(path.exists() for path in begun))

    def write(self, lines: int) -> None:
        """So many lines of every machine."""
        for writer in self._writers.values():
            for number in range(lines):
                self.written += 1
                now = time.time()
                record = call(number, DECISIONS[number % len(DECISIONS)], request=f"{self.written:032x}")
                writer.write({**record, "id": new_id(now), "ts": timestamp(now)})

    def kill_something(self, chance: random.Random) -> None:
        victim = chance.choice([*self.agents, *self.collectors, self.broker])
        victim.kill()
        victim.start()

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        database = open_database(self.database)
        try:
            with database.reading() as statements:
                return list(statements.run(statement))
        finally:
            database.close()

    def arrived(self) -> int:
        return int(str(self.rows("SELECT count(*) FROM decisions")[0][0]))

    @property
    def kills(self) -> dict[str, int]:
        return {
            "agents": sum(each.kills for each in self.agents),
            "collectors": sum(each.kills for each in self.collectors),
            "broker": self.broker.kills,
        }

    def stop(self) -> None:
        for each in (*self.agents, *self.collectors):
            each.stop()
        for writer in self._writers.values():
            writer.close()
        self.server.stop()


def until(holds: Callable[[], bool], seconds: float = 300) -> None:
    """Waits for it, as long as a busy machine may take."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.1)


if __name__ == "__main__":
    asyncio.run(attend_all(sys.argv[1], sys.argv[2:]))
