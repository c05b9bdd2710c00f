"""Pins under several doors at once, and under doors that are killed while they write."""

import json
import os
import signal
import stat
import subprocess
import sys

import pytest

from fairlead.doors.mcp.pins.definition import Kind
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.pins.server_identity import ServerIdentity
from fairlead.doors.mcp.pins.server_record import ServerKey
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.policy.places import find_places

KEY = ServerKey("notes")
DOOR = """
import json, sys
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.pins.server_identity import ServerIdentity
from fairlead.doors.mcp.pins.server_record import ServerKey
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.policy.places import find_places

home, first, count, forever = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "forever"
store = PinStore(find_places(home))
print("ready", flush=True)
sys.stdin.readline()
told, turn = [], 0
while turn == 0 or forever:
    pins = Pins(store, ServerKey("notes"), ServerIdentity(("server",)))
    for number in range(count):
        name = f"{first}{turn}_{number}" if first != "same" else f"tool_{number}"
        report = pins.seen([{"name": name, "inputSchema": {}}], complete=False)
        told += [name for notice in report.notices for name in notice.names]
    turn += 1
print(json.dumps(told), flush=True)
"""


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def door(home, first, count=20, *, forever=False):
    words = [sys.executable, "-c", DOOR, str(home), first, str(count), "forever" if forever else "once"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def start(process):
    process.stdin.write("\n")
    process.stdin.flush()


def told_by(process):
    told = process.communicate()[0]
    assert process.returncode == 0
    return json.loads(told)


def store(home):
    return PinStore(find_places(str(home)))


@pytest.mark.slow
def test_doors_that_pin_at_the_same_time_lose_nothing(home):
    doors = [door(home, letter) for letter in "abcd"]
    for each in doors:
        start(each)
    told = [name for each in doors for name in told_by(each)]
    pinned = {item.name for item in store(home).read(KEY).items.values()}
    assert pinned == {f"{letter}0_{number}" for letter in "abcd" for number in range(20)}
    assert sorted(told) == sorted(pinned)


@pytest.mark.slow
def test_what_two_doors_see_at_the_same_time_is_told_by_one_of_them(home):
    doors = [door(home, "same"), door(home, "same")]
    for each in doors:
        start(each)
    told = [name for each in doors for name in told_by(each)]
    assert sorted(told) == sorted(f"tool_{number}" for number in range(20))


@pytest.mark.slow
def test_a_door_that_is_killed_at_any_moment_leaves_whole_pins(home):
    kept: set[str] = set()
    for turn in range(8):
        process = door(home, f"t{turn}x", forever=True)
        start(process)
        while len(store(home).read(KEY).items) <= len(kept):
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = {item.name for item in store(home).read(KEY).items.values()}
        assert now > kept, "what was pinned before the kill is there, and something new"
        kept = now
    pins = Pins(store(home), KEY, ServerIdentity(("server",)))
    assert pins.opening.notices == () and pins.blocked(next(iter(kept))) == ""


def test_the_files_are_the_persons_alone(home):
    Pins(store(home), KEY, ServerIdentity(("server",)))
    folder = store(home).folder
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert all(stat.S_IMODE(os.stat(each).st_mode) == 0o600 for each in os.scandir(folder))


def test_a_file_that_somebody_else_could_have_written_pins_nothing(home):
    Pins(store(home), KEY, ServerIdentity(("server",)))
    os.chmod(store(home).path(KEY), 0o666)
    assert Pins(store(home), KEY, ServerIdentity(("server",))).blocked("x")


def test_nothing_is_written_where_nothing_changed(home):
    tools = [{"name": "a", "inputSchema": {}}]
    Pins(store(home), KEY, ServerIdentity(("server",))).seen(tools, complete=True)
    before = store(home).stamp(KEY)
    Pins(store(home), KEY, ServerIdentity(("server",))).seen(tools, complete=True)
    assert store(home).stamp(KEY) == before


def test_servers_of_the_same_name_in_two_projects_have_pins_of_their_own(home):
    keys = [ServerKey("notes", scope) for scope in ("", "/a", "/b")]
    for number, key in enumerate(keys):
        pins = Pins(store(home), key, ServerIdentity(("server", str(number))))
        pins.seen([{"name": f"t{number}", "inputSchema": {}}], complete=True)
    assert store(home).servers() == keys
    assert [list(store(home).read(key).items) for key in keys] == [[f"tool/t{n}"] for n in range(3)]


def test_a_definition_that_is_too_long_to_be_kept_is_pinned_by_its_digests(home):
    properties = {f"p{number}": {"description": "word " * 200} for number in range(150)}
    long = {"name": "a", "inputSchema": {"properties": properties}}
    Pins(store(home), KEY, ServerIdentity(("server",))).seen([long], complete=True)
    assert os.path.getsize(store(home).path(KEY)) < 10_000
    pins = Pins(store(home), KEY, ServerIdentity(("server",)))
    pins.seen([long], complete=True)
    assert pins.blocked("a") == ""
    pins.seen([{**long, "description": "x"}], complete=True)
    assert pins.blocked("a")
    assert store(home).read(KEY).item(Kind.TOOL, "a").waiting is not None
