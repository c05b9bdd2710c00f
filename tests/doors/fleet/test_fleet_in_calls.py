"""What a machine has taken up, in real calls: cold and warm, switched under a running daemon."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from installation import Installation, payload, until

from fleet_kit import Kept, bundle, enrolled, policy, put_in_force, statement
from kit import Machine

pytestmark = pytest.mark.slow

DENY = b'"permissionDecision": "deny"'


def tilt(number: int, program: str = "tilt") -> bytes:
    return payload(f"{program} up", session=f"s{number}")


def test_a_warm_daemon_takes_a_switched_bundle_at_the_next_call(installation: Installation) -> None:
    pid = installation.warm_up()["pid"]
    assert DENY not in installation.call(tilt(1)).stdout
    kept = put_in_force(installation.home)
    assert DENY in installation.call(tilt(2)).stdout
    now = int(time.time())
    for version, program in enumerate(("helm", "skaffold", "tilt"), start=2):
        assert kept.take_checked(bundle(version, files=policy(program), created=now - 60)) is None
        assert DENY in installation.call(tilt(version * 10, program)).stdout
        if program != "tilt":
            assert DENY not in installation.call(tilt(version * 10 + 1)).stdout
    assert installation.daemons() == [pid]


def libraries(pid: int) -> set[str]:
    """What a process has loaded besides Python, without the ends of the names."""
    words = (line.split() for line in Path(f"/proc/{pid}/maps").read_text().splitlines())
    return {Path(line[5]).name.partition(".")[0] for line in words if len(line) > 5 and ".so" in line[5]}


def test_no_warm_call_loads_cryptography_or_the_room_of_the_fleet(installation: Installation) -> None:
    put_in_force(installation.home)
    pid = installation.warm_up()["pid"]
    before = libraries(pid)
    assert DENY in installation.call(tilt(1)).stdout
    assert libraries(pid) <= before | {"_yaml"}
    assert not [name for name in libraries(pid) if "sodium" in name or "cffi" in name]


def test_a_cold_call_loads_neither(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    put_in_force(machine.home)
    program = f"""
import os, sys
sys.argv = ["fairlead", "--home", {str(machine.home)!r}, "hook", "claude"]
names = ("nacl", "cryptography", "nats", "fairlead.fleet", "asyncio")
end = os._exit
def told(code):
    os.write(2, str([name for name in names if name in sys.modules]).encode())
    end(code)
os._exit = told
from fairlead.__main__ import main
main()
told(0)
"""
    ended = subprocess.run(
        [sys.executable, "-I", "-c", program],
        input=json.dumps(machine.bash("tilt up")).encode(),
        capture_output=True,
        check=False,
    )
    assert DENY in ended.stdout
    assert ended.stderr.endswith(b"[]")


def test_a_policy_that_is_too_old_asks_and_says_so_at_session_start(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    now = int(time.time())
    kept = Kept(machine.home / "state" / "fleet", now=now)
    kept.now = now - 50 * 86400
    content = bundle(1, created=now - 60 * 86400, expires=now + 86400, stale="ask", freshness_days=30)
    assert kept.take_checked(content) is None
    assert kept.hear(statement(1, kept.sha256, at=now - 50 * 86400)) is None
    machine.hook(machine.bash("ls"))
    assert machine.journal()[-1]["verdict"]["decision"] == "ask"
    assert DENY in machine.hook(machine.bash("tilt up")).stdout
    start = {
        "session_id": "s9",
        "cwd": str(machine.project),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    assert b"is stale since" in machine.hook(start).stderr
    kept.now = now
    assert kept.hear(statement(1, kept.sha256, at=now - 5)) is None
    machine.hook(machine.bash("ls"))
    assert machine.journal()[-1]["verdict"]["decision"] == "continue"


def test_commands_say_where_a_rule_of_the_fleet_comes_from(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    put_in_force(machine.home, policy(locked=True), version=7)
    enrolled(machine.home / "config")
    machine.hook(machine.bash("tilt up"))
    explained = machine.fairlead("explain", "--last").stdout.decode()
    assert "fleet:hooks/tilt/hook.meta.yaml:4, locked" in explained
    listed = machine.fairlead("hooks", "list").stdout.decode()
    assert "fleet:hooks/tilt/hook.meta.yaml" in listed
    status = machine.fairlead("status").stdout.decode()
    assert "fleet: group web, version 7, current" in status
    refused = machine.fairlead("hooks", "disable", "no-tilt")
    assert refused.returncode == 64
    assert b"is locked by fleet:" in refused.stderr
    assert machine.fairlead("policy", "check").returncode == 0


def test_status_says_what_is_wrong_with_a_fleet(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert b"fleet" not in machine.fairlead("status").stdout
    path = enrolled(machine.home / "config")
    assert b"nothing was taken up yet" in machine.fairlead("status").stdout
    put_in_force(machine.home)
    broken = machine.home / "state/fleet/current/hooks/tilt/hook.meta.yaml"
    broken.write_bytes(broken.read_bytes() + b"\n")
    told = machine.fairlead("status")
    assert b"is not what was signed" in told.stdout
    assert told.returncode == 1
    path.write_text("machine: x\n")
    assert b"missing key" in machine.fairlead("status").stdout


def test_the_journal_keeps_nothing_of_a_daemon_that_saw_no_fleet(installation: Installation) -> None:
    """The way back: a fleet that is taken away is no policy any more, at the next call."""
    put_in_force(installation.home)
    installation.warm_up()
    assert DENY in installation.call(tilt(1)).stdout
    (installation.home / "state/fleet/current").unlink()
    assert DENY not in installation.call(tilt(2)).stdout
    until(lambda: len(installation.records()) == 2)
