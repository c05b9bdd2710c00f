"""A machine whose agent asks, a person elsewhere, and a broker between them."""

from __future__ import annotations

from pathlib import Path

from fleet_broker import FleetBroker

from approvals_kit import AgentProcess, People, join_fleet
from fairlead.doors.fleet.approvals.board import OpenQuestions
from fairlead.policy.places import find_places
from kit import Machine

ASKS_FIRST = "npm publish"


class AskingFleet:
    """Machine m1 with an agent, whose bundle lets ana answer for packages and sign an off, and a desk."""

    def __init__(self, folder: Path, broker: FleetBroker) -> None:
        self.broker = broker
        self.people = People(folder / "keys", "ana", "eve")
        self.asking = Machine(folder / "asking")
        self.desk = Machine(folder / "desk")
        rows = [self.people.row("ana", rules=["packages/*"], off=True)]
        self.places = join_fleet(
            self.asking.home,
            self.people,
            {"people": rows, "summary": True},
            source=broker.url,
            credentials=broker.credentials("m1"),
        )

    def agent(self) -> AgentProcess:
        return AgentProcess(self.asking.home)

    def call(self, command: str = ASKS_FIRST) -> int:
        return self.asking.hook(self.asking.bash(command)).returncode

    def questions(self, who: str = "") -> OpenQuestions:
        """As a dashboard has them; `who` answers there."""
        key = self.people.keys[who] if who else None
        return OpenQuestions(self.broker.as_who("approver"), find_places(str(self.desk.home)), key)
