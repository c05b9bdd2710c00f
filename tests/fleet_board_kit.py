"""A fleet's dashboard on a free port, and a fleet to look at in it."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn

from dashboard_kit import Dashboard
from fairlead.doors.dashboard.server import listen
from fairlead.doors.fleet.board.centre import Centre
from fairlead.doors.fleet.board.server import make_app
from fairlead.doors.fleet.centre.expected import Expected
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

    def __init__(self, folder: Path, url: str = "", **more: Any) -> None:
        self.store = Store(open_database(url or f"sqlite:{folder}/fleet.sqlite3"))
        listening = listen(0)
        self.port = listening.getsockname()[1]
        more.setdefault("expected", Expected())
        self.gate = make_app(Centre(self.store.database, **more), self.port)
        self.address = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(self.gate, log_level="error", access_log=False, ws="none")
        config.timeout_graceful_shutdown = 1
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()
        self.cookie = ""

    def close(self) -> None:
        super().close()
        self.store.database.close()


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
    """Groups, versions, a week of decisions, and one of everything that can be wrong. It takes ten."""
    chance = random.Random(11)
    names = [f"m-{number:04x}{chance.randrange(1 << 32):08x}" for number in range(machines)]
    board.store.take([each for number, name in enumerate(names) for each in _lines(chance, number, name)])
    troubled: dict[int, dict[str, object]] = {
        1: {"off": True},
        3: {
            "rows": [{"name": "codex", "state": "changed"}],
            "agents": [{"agent": "gemini", "seen_without_calls": True}],
        },
    }
    board.store.beat(
        [told(name, **_of(number) | troubled.get(number, {})) for number, name in enumerate(names)]
    )
    glass = {"decision": "continue", "rule": "break-glass", "hook": "fleet"}
    odd = [
        decided(names[1], 40, 4000, verdict=glass, group="data", bundle=8),
        decided(names[5], 60, 900, group="data", bundle=8),
        decided(names[6], 39, 700, group="mobile", bundle=8),
    ]
    forged = Incident(names[9], "forged", "FAIRLEAD_DECISIONS/77", "it says that it is from 'm-0001'")
    board.store.take(odd, [forged])
    silence(board.store, names[2], 90_000)


GROUPS = ("web", "data", "mobile", "research")


def _of(number: int) -> dict[str, object]:
    """What a machine tells of itself."""
    group = GROUPS[number % 4]
    current = number % 7 > 0
    bundle = {"version": 8 if current else 7, "state": "current" if current else "stale", "sha256": "cd" * 32}
    known = {"installed": True, "proved": True, "calls": 40, "seen_without_calls": False}
    return {
        "group": group,
        "host": f"{group}-{number:03}.example",
        "bundle": bundle,
        "agents": [{"agent": agent, **known} for agent in dict.fromkeys(AGENTS)],
        "mode": "audit" if group == "research" else "enforce",
    }


def _lines(chance: random.Random, number: int, name: str) -> list[Decision]:
    return [_line(chance, name, seq, GROUPS[number % 4], 8 if number % 7 else 7) for seq in range(1, 40)]


def _line(chance: random.Random, name: str, seq: int, group: str, bundle: int) -> Decision:
    ago = (40 - seq) * 15_000 + chance.random() * 15_000
    decision = chance.choices(("continue", "block", "ask"), (90, 6, 4))[0]
    verdict: dict[str, object] = {"decision": decision, "rule": ""}
    if decision != "continue":
        verdict["rule"] = chance.choice(RULES)
    if group == "research" and decision != "continue":
        verdict = {"decision": "continue", "rule": "", "would": dict(verdict)}
    return decided(name, seq, ago, verdict=verdict, agent=chance.choice(AGENTS), group=group, bundle=bundle)
