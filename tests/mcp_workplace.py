"""A real client whose real servers were set up by `fairlead mcp install` alone, without any hook; between
each door and its server stands one who writes down what the server gets."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from clients_kit import Agent
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal
from mcp_clients import IDS, MODELS, write_servers
from mcp_real_servers import missing, prepare, vector

MATRIX = "row of the matrix of MCP"
SERVERS = ("everything", "filesystem", "git", "sqlite", "memory")
NEEDS_SERVERS = pytest.mark.skipif(
    bool(missing(*SERVERS)),
    reason=f"NOT TESTED WITH REAL SERVERS: `make mcp` installs them; missing: {missing(*SERVERS)}",
)
ENDING = 30.0
"""Seconds in which all has to end that a session started."""
TAP = str(Path(__file__).with_name("mcp_tap.py"))


class Note(Protocol):
    """What came of a row: what the model saw, what the server got, what the journal says."""

    def __call__(self, row: str, *, model: str, server: str, journal: str) -> None: ...


class Told:
    """What came of a session: by the place of each call, and of the tools that the model was shown first."""

    def __init__(self, session: dict[str, Any]) -> None:
        self.results: list[str] = session["results"][1:]
        self.lengths: list[int] = session["lengths"][1:]
        self.first: str = session["first"]
        self.left: int = session["left"]


class Workplace:
    def __init__(self, client: str, machine: Machine, servers: Sequence[str] = SERVERS) -> None:
        self.client, self.machine, self.servers = client, machine, servers
        self.agent = Agent(client, machine, guarded=False)
        self.folder = machine.project
        prepare(self.folder)
        self._logs = machine.project.parent
        self.remove_doors()
        self.agent.fairlead("mcp", "install", IDS.get(client, client))

    def remove_doors(self) -> None:
        """The client's file as it was at first."""
        tapped = {
            name: [sys.executable, TAP, str(self._log(name)), *vector(name, self.folder)]
            for name in self.servers
        }
        environment = {"memory": {"MEMORY_FILE_PATH": str(self._logs / "memory.jsonl")}}
        write_servers(self.client, self.agent.home, tapped, environment)

    def session(self, *calls: dict[str, object], kill_at: Path | None = None) -> Told:
        """Codex begins while its servers still start, so a call without them is the first."""
        for name in self.servers:
            self._log(name).unlink(missing_ok=True)
        logs = [str(self._log(name)) for name in self.servers]
        first = {"kind": "shell", "command": "sleep 0.5", "listed": logs}
        steps = [first, *({"kind": "server", **call} for call in calls)]
        return Told(self.agent.session(steps, model=MODELS.get(self.client), kill_at=kill_at))

    def call(
        self, server: str, tool: str, /, *, after: Path | None = None, **arguments: object
    ) -> dict[str, object]:
        wait = {"after": [str(after)]} if after else {}
        return {"server": server, "tool": tool, "arguments": arguments, **wait}

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def got(self, server: str) -> list[dict[str, Any]]:
        """The calls that reached the server."""
        messages = [line["got"] for line in self._lines(server) if "got" in line]
        return [each["params"] for each in messages if each.get("method") == "tools/call"]

    def era(self, server: str) -> str:
        """The version of the protocol in which the server was called last."""
        said = [line["got"].get("params", {}) for line in self._lines(server) if "got" in line]
        versions = [
            params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion")
            or params.get("protocolVersion")
            for params in said
        ]
        return [each for each in versions if each][-1]

    def processes(self, server: str) -> list[int]:
        """Of the last start: the door, the one between, the server."""
        started = [line for line in self._lines(server) if "door" in line][-1]
        return [started["door"], started["tap"], started["server"]]

    def written(self) -> list[Path]:
        """The files that the client keeps of its sessions."""
        return [path for path in self.agent.home.rglob("*") if path.is_file()]

    def will_change(self, server: str, one: str, other: str) -> None:
        """As soon as a call says CHANGE-NOW, the server says something else."""
        self._log(server).with_suffix(".swap").write_text(json.dumps([one, other]))

    def decisions(self, tool: str) -> list[str]:
        """What the journal says of the calls of a tool."""
        calls = [line for line in self.machine.journal() if line["event"] == "BeforeTool"]
        return [line["verdict"]["decision"] for line in calls if line["facts"]["tool"]["name"] == tool]

    def person(self, *words: str) -> str:
        """A command of somebody at a terminal."""
        set_passphrase(find_places(str(self.machine.home)), PASSPHRASE)
        home = {"HOME": str(self.agent.home), "XDG_CONFIG_HOME": ""}
        code, shown = at_terminal(self.machine, *words, environment=home)
        assert code == 0, shown
        return shown

    def _log(self, server: str) -> Path:
        return self._logs / f"{server}.log"

    def _lines(self, server: str) -> list[dict[str, Any]]:
        log = self._log(server)
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def left_of(pids: Sequence[int]) -> list[int]:
    """Those that still run when their time is over."""
    end = time.monotonic() + ENDING
    while time.monotonic() < end and any(map(_runs, pids)):
        time.sleep(0.1)
    return [pid for pid in pids if _runs(pid)]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
