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

pytestmark = [*REAL_AGENTS, pytest.mark.proves("MCP door"), pytest.mark.core]

ALLOWED, FORBIDDEN = "hello from here", "hi"
"""What the one tool of the server is to say; the policy of these agents refuses the second."""
FILES = {
    "claude": (".claude.json", "mcpServers"),
    "codex": (".codex/config.toml", "mcp_servers"),
    "gemini": (".gemini/settings.json", "mcpServers"),
    "qwen": (".qwen/settings.json", "mcpServers"),
    "copilot": (".copilot/mcp-config.json", "mcpServers"),
    "opencode": (".config/opencode/opencode.jsonc", "mcp"),
}
"""The user's own file of each, and the name of the list in it."""
IDS = {"claude": "claude-code"}
MODELS = {"codex": "gpt-6-sol"}
"""The one that is given the tools of servers without a search for them."""


class Desk:
    """An agent without hooks, and a server that writes down what it is told."""

    def __init__(self, client: str, machine: Machine) -> None:
        self.agent = Agent(client, machine, guarded=False)
        self.client = client
        self.log = machine.project.parent / "server.log"
        name, self.top = FILES[client]
        self.file = self.agent.home / name
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self._bare())

    def _bare(self) -> str:
        vector = [sys.executable, RIG, "_mcp", str(self.log)]
        command, args = json.dumps(vector[0]), json.dumps(vector[1:])
        if self.client == "codex":
            return f"# mine\n[mcp_servers.rig]\ncommand = {command} # here\nargs = {args}\n"
        more = {"copilot": '"type": "local", "tools": ["*"], ', "gemini": '"trust": true, '}
        more["qwen"], more["claude"] = more["gemini"], '"type": "stdio", '
        entry = f'{more.get(self.client, "")}"command": {command}, "args": {args}'
        if self.client == "opencode":
            entry = f'"type": "local", /* mine */ "command": {json.dumps(vector)}, "enabled": true'
        return f'{{\n  "{self.top}": {{\n    "rig": {{{entry}}}\n  }}\n}}\n'

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
