"""The middle of the fleet: a broker with the rights that `broker-config` prints, a collector, a publisher."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.fleet.processes import Usage, seconds_of_family

TESTS = Path(__file__).parents[2] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "doors")]

from broker import free_port  # noqa: E402 - from the tests
from fleet_broker import FleetBroker  # noqa: E402
from fleet_workshop import Member, Publishing  # noqa: E402

from fairlead.doors.fleet.collecting.database import open_database  # noqa: E402
from fairlead.doors.fleet.subjects import DECISIONS, inbox_of, subject_of  # noqa: E402
from fairlead.fleet.enrolment import Enrolment, write_enrolment  # noqa: E402
from fairlead.journal.ids import new_id, timestamp  # noqa: E402
from fairlead.journal.writer import JournalWriter  # noqa: E402
from index_kit import call  # noqa: E402
from postgresql_kit import PostgresqlServer  # noqa: E402

GROUP, ODD, REAL = "web", "odd", "m-real"
"""The hostile are in a group of their own, so that what is counted by group is of the others."""
_LAG = 10
"""How much collectors are nicer than the others: they may lag behind, and catch up later."""
_MOST_SAID = 4000
_CROWD = 5
"""The same of simulated machines: ten thousand that log in at once would be all that these cores do."""
_SETTINGS = ("fsync=on", "shared_buffers=2GB", "max_wal_size=8GB", "checkpoint_timeout=15min")
"""Of a PostgreSQL that was made for more than a test."""
_ROOT = Path(__file__).parents[2]
_MACHINES = "  MACHINES {\n    users: [\n"
"""Where the configuration of the broker lists them."""
_PATTERN = {**call(0), "writer": "0" * 16, "seq": 1, "prev": ""}
"""A line that theirs are made from."""


class Crowd:
    """A process with simulated machines; `kind` is its module, and `nicer` how much it stands back."""

    def __init__(self, kind: str, said: dict[str, Any], log: Path, *, nicer: int = 0) -> None:
        self._log = log
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(
                ["nice", "-n", str(nicer), sys.executable, "-m", f"benchmarks.fleet.{kind}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=_ROOT,
            )
        self._tell(said)

    def order(self, what: str, **more: Any) -> None:
        self._tell({"do": what, **more})

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            said = self._log.read_text(errors="replace")[-_MOST_SAID:]
            raise RuntimeError(f"a process with simulated machines has ended:\n{said}")
        found: dict[str, Any] = json.loads(line)
        return found

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(30)
        for each in (self.process.stdin, self.process.stdout):
            assert each is not None
            each.close()

    def _tell(self, what: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()


class Wire:
    """The relay before the broker, which can be cut."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._words = [sys.executable, "-m", "benchmarks.fleet.relay", str(self.port), str(target)]
        self._process: subprocess.Popen[str] | None = None

    def join(self) -> None:
        self._process = subprocess.Popen(self._words, stdout=subprocess.PIPE, text=True, cwd=_ROOT)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def split(self) -> None:
        """Connections stay, and nothing comes through."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def cut(self) -> None:
        if self._process is not None and self._process.stdout is not None:
            self._process.kill()
            self._process.wait(30)
            self._process.stdout.close()
            self._process = None


class Centre:
    def __init__(self, folder: Path, given: argparse.Namespace) -> None:
        self.folder, self.given = folder, given
        self._log = folder / "log.txt"
        hostile = int(given.machines * given.hostile / 100)
        names = [f"m-{number}" for number in range(given.machines)]
        self.groups = {name: GROUP if number >= hostile else ODD for number, name in enumerate(names)}
        self.apart = names[hostile + given.own :]
        """Machines whose decisions are not sent by the code of the agent."""
        self.broker = FleetBroker(folder / "broker", *self.groups.items(), (REAL, GROUP))
        self.broker.server.program = given.broker or self.broker.server.program
        self.carriers = add_carriers(self.broker, self.apart, given.shared)
        self.usage = {name: Usage() for name in ("broker", "collector", "agent", "machines", "senders")}
        self.database = f"sqlite:{folder}/fleet.sqlite3"
        self._collectors: list[subprocess.Popen[bytes]] = []
        self.publishing = Publishing(self.broker.url, self.broker.credentials("publisher"))
        self.wire = Wire(self.broker.server.port)
        self.crowds: list[Crowd] = []
        self.senders: list[Crowd] = []
        """Those who send for the ones that are `apart`."""
        self._over = threading.Event()
        self.real_lines = 0
        self._postgresql = None if given.sqlite else PostgresqlServer(*_SETTINGS)

    def start(self) -> None:
        if self._postgresql is not None:
            self._postgresql.start()
            self.database = self._postgresql.make_database()
            self.usage["database"] = Usage(seconds_of_family)
            self.usage["database"].begins(self._postgresql.process)
        self.broker.__enter__()
        self.usage["broker"].begins(self._broker_pid)
        self.wire.join()
        for _ in range(self.given.collectors):
            self.start_collector()

    def start_collector(self) -> None:
        words = ["fleet", "collect", "--source", self.broker.url, "--database", self.database]
        words += ["--credentials", self.broker.credentials("collector")]
        nice = ["nice", "-n", str(_LAG)]
        with open(self._log, "ab") as log:
            collector = subprocess.Popen(
                [*nice, sys.executable, "-I", "-m", "fairlead", *words], stdout=log, stderr=log
            )
        self._collectors.append(collector)
        self.usage["collector"].begins(collector.pid)

    def kill_collector(self) -> None:
        """The one that has run for the longest."""
        collector = self._collectors.pop(0)
        self.usage["collector"].ends(collector.pid)
        _end(collector)

    def kill_broker(self) -> None:
        process = self.broker.server._process
        assert process is not None
        self.usage["broker"].ends(process.pid)
        process.kill()
        process.wait(30)

    def start_broker(self) -> None:
        self.broker.server.start()
        self.usage["broker"].begins(self._broker_pid)

    def start_machines(self) -> None:
        home = self.folder / "home"
        enrolment = Enrolment("m-0", GROUP, self.broker.url, self.publishing.roles)
        (home / "config").mkdir(parents=True)
        write_enrolment(str(home / "config" / "fleet.yaml"), enrolment)
        names, count = list(self.groups), self.given.processes
        for number in range(count):
            crowd = Crowd("machines", self._said(home, names[number::count]), self._log, nicer=_CROWD)
            self.usage["machines"].begins(crowd.process.pid)
            self.crowds.append(crowd)
        if self.apart:
            sender = Crowd("senders", self._carried(), self._log)
            self.usage["senders"].begins(sender.process.pid)
            self.senders.append(sender)

    def start_agent(self) -> None:
        more = {"credentials": self.broker.credentials(REAL), "decisions": True}
        self.agent = Member(self.folder, REAL, self.publishing, source=self.broker.url, **more)
        self.agent.start()
        self.usage["agent"].begins(self.agent.process)

    def write_real_lines(self) -> None:
        """Into the journal of the real agent's machine, as its hook calls would."""
        journal = JournalWriter(str(self.agent.home / "state" / "journal"))
        while not self._over.wait(1 / self.given.rate):
            now = time.time()
            record = call(self.real_lines, request=f"{self.real_lines + 1:032x}")
            journal.write({**record, "id": new_id(now), "ts": timestamp(now)})
            self.real_lines += 1
        journal.close()

    def stop_real_lines(self) -> None:
        self._over.set()

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        database = open_database(self.database)
        try:
            with database.reading() as statements:
                return list(statements.run(statement, values))
        finally:
            database.close()

    def ask(self, what: str, **more: Any) -> list[dict[str, Any]]:
        """All crowds at the same time."""
        for crowd in self.crowds:
            crowd.order(what, **more)
        return [crowd.answer() for crowd in self.crowds]

    def join_senders(self, seconds: float) -> int:
        """How many of their connections are there."""
        for sender in self.senders:
            sender.order("connect", seconds=seconds)
        return sum(int(sender.answer()["connected"]) for sender in self.senders)

    def stop(self) -> None:
        """All of it, whatever of it fails: what stays behind would be gigabytes."""
        with ExitStack() as ends:
            if self._postgresql is not None:
                ends.callback(self._postgresql.stop)
            ends.callback(self.broker.__exit__)
            ends.callback(self.wire.cut)
            for collector in self._collectors:
                ends.callback(_end, collector)
            if hasattr(self, "agent"):
                ends.callback(self.agent.kill)
            for crowd in (*self.crowds, *self.senders):
                ends.callback(crowd.stop)
            ends.callback(self._over.set)

    @property
    def _broker_pid(self) -> int:
        process = self.broker.server._process
        assert process is not None
        return process.pid

    def _said(self, home: Path, names: list[str]) -> dict[str, Any]:
        behind, apart = self._wired(names), set(self.apart)
        return {
            "home": str(home),
            "keys": str(self.broker.folder),
            "spread": self.given.spread,
            "heartbeat": self.given.heartbeat,
            "pattern": _PATTERN,
            "machines": [
                {
                    "name": name,
                    "group": self.groups[name],
                    "hostile": self.groups[name] == ODD,
                    "apart": name in apart,
                    "url": self._address(name in behind),
                }
                for name in names
            ],
        }

    def _carried(self) -> dict[str, Any]:
        behind = self._wired(list(self.carriers))
        return {
            "keys": str(self.broker.folder),
            "group": GROUP,
            "pattern": _PATTERN,
            "carriers": [
                {"name": name, "machines": machines, "url": self._address(name in behind)}
                for name, machines in self.carriers.items()
            ],
        }

    def _wired(self, names: list[str]) -> set[str]:
        """Evenly chosen, so that some of each kind are behind the wire."""
        if not self.given.split:
            return set()
        step = max(round(100 / self.given.split), 1)
        return set(names[step - 1 :: step])

    def _address(self, wired: bool) -> str:
        return f"nats://127.0.0.1:{self.wire.port}" if wired else self.broker.url


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait(30)


def add_carriers(broker: FleetBroker, machines: Sequence[str], shared: int) -> dict[str, list[str]]:
    """Who writes decisions for whom. Each has the rights of its machines in this, and no other right."""
    numbers = range(min(shared, len(machines)))
    carriers = {f"carrier-{number}": list(machines[number::shared]) for number in numbers}
    users = []
    for name, mine in carriers.items():
        publish = json.dumps([subject_of(DECISIONS, machine) for machine in mine])
        subscribe = json.dumps([f"{inbox_of(name)}.>"])
        rights = f"publish: {{ allow: {publish} }}, subscribe: {{ allow: {subscribe} }}"
        users.append(f"      {{ nkey: {broker._seed(name)}, permissions: {{ {rights} }} }}\n")
    broker.server._config.write_text(broker.config.replace(_MACHINES, _MACHINES + "".join(users)))
    return carriers


def niceness() -> int:
    return os.nice(0)
