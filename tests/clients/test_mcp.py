"""Real agents with a server behind the door, set up by `fairlead mcp install` alone, and without any hook: an
allowed call reaches the server, a forbidden one does not, and the model is told why."""

from __future__ import annotations

import json
import sys

import pytest

from clients_kit import REAL_AGENTS, RIG, Agent
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal
from mcp_clients import FILES, IDS, MODELS, write_servers

pytestmark = [*REAL_AGENTS, pytest.mark.proves("MCP door"), pytest.mark.core]

ALLOWED, FORBIDDEN = "hello from here", "hi"
"""What the one tool of the server is to say; the policy of these agents refuses the second."""


class Desk:
    """An agent without hooks, and a server that writes down what it is told."""

    def __init__(self, client: str, machine: Machine) -> None:
        self.agent = Agent(client, machine, guarded=False)
        self.client = client
        self.log = machine.project.parent / "server.log"
        vector = [sys.executable, RIG, "_mcp", str(self.log)]
        self.file = write_servers(client, self.agent.home, {"rig": vector})

    def called(self) -> list[str]:
        """The texts that reached the server."""
        if not self.log.exists():
            return []
        messages = [json.loads(line)["mcp"] for line in self.log.read_text().splitlines()]
        return [
            each["params"]["arguments"]["text"] for each in messages if each.get("method") == "tools/call"
        ]

    def say(self, *texts: str) -> list[str]:
        """What the model was told of each call."""
        steps = [{"kind": "mcp", "text": text} for text in texts]
        told = self.agent.session(steps, model=MODELS.get(self.client))["results"]
        assert isinstance(told, list)
        return [str(each) for each in told]


@pytest.fixture(params=FILES)
def client(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(client: str, there: None, machine: Machine) -> Desk:
    return Desk(client, machine)


def test_a_wrapped_server_is_called_and_a_forbidden_call_never_reaches_it(desk: Desk) -> None:
    bare = desk.file.read_bytes()
    desk.agent.fairlead("mcp", "install", IDS.get(desk.client, desk.client))
    assert desk.file.read_bytes() != bare
    allowed, refused = desk.say(ALLOWED, FORBIDDEN)
    assert f"mcp-echo:{ALLOWED}" in allowed
    assert "REFUSED-HERE" in refused
    assert desk.called() == [ALLOWED]
    asked = [line for line in desk.agent.machine.journal() if line["event"] == "BeforeTool"]
    assert [line["verdict"]["decision"] for line in asked] == ["continue", "block"]
    assert " wrapped " in desk.agent.fairlead("mcp", "status")


def test_without_the_door_the_same_server_gets_both_calls(desk: Desk) -> None:
    """Else the test before would prove nothing; and `uninstall` gives the server back."""
    bare = desk.file.read_bytes()
    desk.agent.fairlead("mcp", "install")
    set_passphrase(find_places(str(desk.agent.machine.home)), PASSPHRASE)
    home = {"HOME": str(desk.agent.home), "XDG_CONFIG_HOME": ""}
    code, shown = at_terminal(desk.agent.machine, "mcp", "uninstall", "--yes", environment=home)
    assert code == 0, shown
    assert desk.file.read_bytes() == bare
    desk.say(ALLOWED, FORBIDDEN)
    assert desk.called() == [ALLOWED, FORBIDDEN]
    assert desk.agent.machine.journal() == []


def test_a_door_whose_program_is_gone_starts_no_server(desk: Desk) -> None:
    desk.agent.fairlead("mcp", "install")
    (desk.agent.machine.home / "share" / "bin" / "fairlead").unlink()
    desk.say(ALLOWED, FORBIDDEN)
    assert desk.called() == []
