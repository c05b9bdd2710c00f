"""A fleet's dashboard on a free port, and a fleet to look at in it."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import uvicorn

from dashboard_kit import Dashboard
from fairlead.doors.dashboard.server import listen
from fairlead.doors.fleet.board.server import make_app
from fairlead.doors.fleet.collecting.database import open_database
from fairlead.doors.fleet.collecting.heartbeats import Beat, take_heartbeat
from fairlead.doors.fleet.collecting.intake import Decision, Incident
from fairlead.doors.fleet.collecting.store import Store
from fairlead.fleet.moments import write_moment
from fairlead.journal.ids import new_id
from fleet_messages import heartbeat, line, taken

AGENTS = ("claude", "claude", "codex", "gemini")
RULES = ("git/force-push", "filesystem/recursive-delete-outside-project", "sensitive-files/read")


class FleetBoard(Dashboard):
    """Talked to as the other dashboard is."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.store = Store(open_database(url or f"sqlite:{folder}/fleet.sqlite3"))
        listening = listen(0)
        self.port = listening.getsockname()[1]
        self.gate = make_app(self.store.database, self.port)
        self.address = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(self.gate, log_level="error", access_log=False, ws="none")
        config.timeout_graceful_shutdown = 1
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()
        self.cookie = ""


def decided(machine: str, seq: int, ago: float, decision: str = "continue", **more: object) -> Decision:
    """A line of so many seconds ago."""
    group, bundle = str(more.pop("group", "web")), int(str(more.pop("bundle", 3)))
    record = line(seq, decision, **more)
    return taken({**record, "id": new_id(time.time() - ago)}, machine, group=group, bundle=bundle)


def told(machine: str, ago: float = 30, **more: object) -> Beat:
    found = take_heartbeat(
        machine, heartbeat(machine, at=write_moment(time.time() - ago), **more), mark="h/1"
    )
    assert isinstance(found, Beat)
    return found


def silence(store: Store, machine: str, seconds: float) -> None:
    """As if nothing had come from it for so long."""
    with store.database.writing() as statements:
        values = (int((time.time() - seconds) * 1000), machine)
        statements.run("UPDATE machines SET contact = ? WHERE machine = ?", values)


def a_fleet(board: FleetBoard, machines: int = 60) -> None:
    """Groups, versions, a week of decisions, and one of everything that can be wrong."""
    chance = random.Random(11)
    groups = ("web", "data", "mobile", "research")
    names = [f"m-{number:04x}{chance.randrange(1 << 32):08x}" for number in range(machines)]
    beats, lines = [], list[Decision]()
    for number, name in enumerate(names):
        group = groups[number % 4]
        bundle = {
            "version": 8 if number % 7 else 7,
            "state": "current" if number % 7 else "stale",
            "sha256": "cd" * 32,
        }
        agents = [{"agent": agent, "installed": True, "proved": True, "calls": 40, "seen_without_calls": False}
                  for agent in dict.fromkeys(AGENTS)]  # fmt: skip
        more: dict[str, object] = {
            "group": group,
            "host": f"{group}-{number:03}.example",
            "bundle": bundle,
            "agents": agents,
        }
        more["mode"] = "audit" if group == "research" else "enforce"
        beats.append(told(name, **more))
        for seq in range(1, 40):
            lines.append(_line(chance, name, seq, group, int(bundle["version"])))
    wrong = told(names[3], rows=[{"name": "codex", "state": "changed"}, {"name": "claude", "state": "ok"}],
                 agents=[{"agent": "gemini", "seen_without_calls": True}], group="research", host="research-003.example")  # fmt: skip
    off = told(names[1], off=True, group="data", host="data-001.example")
    board.store.take(lines)
    board.store.beat([*beats[:1], off, beats[2], wrong, *beats[4:]])
    glass = {"decision": "continue", "rule": "break-glass", "hook": "fleet"}
    board.store.take([
        decided(names[1], 40, 4000, verdict=glass, group="data", bundle=8),
        decided(names[5], 60, 900, group="data", bundle=8),
        decided(names[6], 39, 700, group="mobile", bundle=8),
    ], [Incident(names[9], "forged", "FAIRLEAD_DECISIONS/77", "it says that it is from 'm-0001'")])  # fmt: skip
    silence(board.store, names[2], 90_000)


def _line(chance: random.Random, name: str, seq: int, group: str, bundle: int) -> Decision:
    ago = (40 - seq) * 15_000 + chance.random() * 15_000
    decision = chance.choices(("continue", "block", "ask"), (90, 6, 4))[0]
    verdict: dict[str, object] = {
        "decision": decision,
        "rule": chance.choice(RULES) if decision != "continue" else "",
    }
    if group == "research" and decision != "continue":
        verdict = {"decision": "continue", "rule": "", "would": dict(verdict)}
    return decided(name, seq, ago, verdict=verdict, agent=chance.choice(AGENTS), group=group, bundle=bundle)
