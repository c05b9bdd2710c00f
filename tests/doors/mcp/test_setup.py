"""`fairlead mcp install`, its way back, and what `status` and `doctor` say, as real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal

pytestmark = pytest.mark.slow

CURSOR = '{\n  // mine\n  "mcpServers": {"notes": {"command": "sh", "env": {"KEY": "${env:KEY}"}}}\n}\n'
GOOSE = "extensions:\n  notes: # mine\n    type: stdio\n    cmd: sh\n    args:\n    - -c\n"


class Desk:
    """A home with the files of two clients, and a project with one."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.home = machine.project.parent / "dev"
        self.files = {
            self.home / ".cursor" / "mcp.json": CURSOR,
            self.home / ".config" / "goose" / "config.yaml": GOOSE,
            machine.project / ".mcp.json": '{"mcpServers": {"far": {"url": "https://example.com"}}}',
        }
        for path, content in self.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        self.environment = {"HOME": str(self.home), "XDG_CONFIG_HOME": ""}

    def run(self, *words: str, code: int = 0) -> str:
        done = self.machine.fairlead(*words, environment=self.environment, timeout=120)
        assert done.returncode == code, done.stderr.decode()
        return str(done.stdout.decode())

    def install(self, *words: str) -> str:
        """In place, for speed: what answers is not what these tests are about."""
        return self.run("mcp", "install", "--in-place", *words)

    def at_terminal(self, *words: str) -> tuple[int, str]:
        set_passphrase(find_places(str(self.machine.home)), PASSPHRASE)
        return at_terminal(self.machine, *words, environment=self.environment)

    def contents(self) -> dict[Path, str]:
        return {path: path.read_text() for path in self.files}

    @property
    def door(self) -> str:
        return str(self.machine.home / "share" / "bin" / "fairlead")

    def left_over(self) -> list[str]:
        every = (path for path in self.home.rglob("*") if path.is_file())
        return sorted(str(path) for path in every if path not in self.files)


@pytest.fixture
def desk(machine: Machine) -> Desk:
    return Desk(machine)


def test_the_door_goes_in_twice_and_comes_out_byte_for_byte(desk: Desk) -> None:
    said = desk.install()
    assert "cursor         wrapped    1 server" in said
    wrapped = desk.contents()
    assert all(desk.door in text for path, text in wrapped.items() if path.is_relative_to(desk.home))
    assert "unchanged" in desk.install()
    assert desk.contents() == wrapped
    code, shown = desk.at_terminal("mcp", "uninstall", "--yes")
    assert code == 0, shown
    assert desk.contents() == desk.files
    assert desk.left_over() == []


def test_a_dry_run_shows_what_would_change_and_changes_nothing(desk: Desk) -> None:
    said = desk.run("mcp", "install", "--dry-run")
    assert "+++ " in said
    assert '-  "mcpServers": {"notes": {"command": "sh", "env"' in said
    assert '"--env", "KEY", "--", "sh"]' in said
    assert desk.contents() == desk.files
    assert desk.left_over() == []
    assert not desk.machine.home.exists()


def test_what_stands_in_the_file_is_a_server_that_can_be_started(desk: Desk) -> None:
    """As its client would start it: the vector, and nothing of a shell."""
    server = [sys.executable, "-m", "fairlead.doors.mcp.setup.canary_server"]
    entry = {"mcpServers": {"canary": {"command": server[0], "args": server[1:]}}}
    path = desk.home / ".cursor" / "mcp.json"
    path.write_text(json.dumps(entry))
    desk.install("cursor")
    wrapped = json.loads(path.read_text())["mcpServers"]["canary"]
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
    process = subprocess.Popen(
        [wrapped["command"], *wrapped["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(hello).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    process.communicate()
    assert answer["result"]["serverInfo"]["name"] == "fairlead-canary"


def test_taking_the_door_away_needs_a_person(desk: Desk) -> None:
    desk.install()
    wrapped = desk.contents()
    done = desk.machine.fairlead("mcp", "uninstall", "--yes", environment=desk.environment)
    assert (done.returncode, b"a human is needed" in done.stderr) == (1, True)
    assert desk.contents() == wrapped


def test_one_client_alone_can_be_wrapped_and_unwrapped(desk: Desk) -> None:
    desk.install()
    code, shown = desk.at_terminal("mcp", "uninstall", "goose", "--yes")
    assert code == 0, shown
    rows = json.loads(desk.run("mcp", "status", "--json"))
    states = {(row["client"], row["server"]): row["state"] for row in rows}
    assert states == {
        ("cursor", "notes"): "wrapped",
        ("goose", "notes"): "unwrapped",
        ("claude-code", "far"): "remote",
    }


def test_a_broken_file_is_named_and_the_others_are_wrapped_all_the_same(desk: Desk) -> None:
    broken = desk.home / ".cursor" / "mcp.json"
    broken.write_text("{")
    done = desk.machine.fairlead("mcp", "install", "--in-place", environment=desk.environment)
    assert done.returncode == 1
    assert f"{broken}:1:2".encode() in done.stderr
    assert b"goose          wrapped" in done.stdout
    assert broken.read_text() == "{"


def test_files_of_a_project_are_wrapped_on_demand_only(desk: Desk) -> None:
    path = desk.machine.project / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"servers": {"notes": {"command": "sh"}}}')
    desk.install()
    assert desk.door not in path.read_text()
    desk.install("--project")
    assert desk.door in path.read_text()


def test_status_and_doctor_tell_which_server_lost_its_door(desk: Desk) -> None:
    desk.install()
    assert "1 wrapped" in desk.run("status")
    found = {one["what"]: one["ok"] for one in json.loads(desk.run("doctor", "--quick", "--json"))}
    passed = "through the MCP door a harmless call passes, and a forbidden one is refused"
    assert found[passed] is True
    (desk.home / ".cursor" / "mcp.json").write_text(CURSOR)
    assert "1 changed" in desk.run("status", code=1)
    assert "taken away" in desk.run("mcp", "status", code=1)
    said = json.loads(desk.run("doctor", "--quick", "--json", code=1))
    assert [one["fix"] for one in said if not one["ok"]] == ["fairlead mcp install cursor"]


def test_the_calls_of_doctor_are_marked_and_nobody_counts_them(desk: Desk) -> None:
    desk.install()
    desk.run("doctor", "--quick")
    lines = [line for line in desk.machine.journal() if line.get("canary") is True]
    names = [line["facts"]["tool"]["name"] for line in lines if line["event"] == "BeforeTool"]
    assert names == ["mcp__fairlead-canary__run"] * 3
    assert "canary" not in desk.run("log")


def test_doctor_pins_nothing_and_is_not_kept_from_trying_by_pins(desk: Desk) -> None:
    mode = desk.machine.home / "config" / "hooks" / "mode.yaml"
    mode.parent.mkdir(parents=True)
    mode.write_text("mode: enforce\npins: ask-first\n")
    desk.install()
    desk.run("doctor", "--quick")
    assert not list((desk.machine.home / "state").glob("mcp/pins/*"))


def test_purge_takes_the_doors_out_of_every_file(desk: Desk) -> None:
    path = desk.machine.project / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"servers": {"notes": {"command": "sh"}}}')
    desk.install()
    desk.install("--project")
    code, shown = desk.at_terminal("uninstall", "--purge", "--yes")
    assert code == 0, shown
    assert desk.contents() == desk.files
    assert path.read_text() == '{"servers": {"notes": {"command": "sh"}}}'
    assert desk.left_over() == []


def test_a_machine_without_clients_is_told_where_they_are_looked_for(machine: Machine) -> None:
    home = {"HOME": str(machine.project), "XDG_CONFIG_HOME": ""}
    done = machine.fairlead("mcp", "install", environment=home)
    assert (done.returncode, b"docs/mcp.md" in done.stderr) == (1, True)
