"""The benchmark of the fleet in its short form: twenty machines, everything that it breaks, nothing lost."""

import argparse
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from broker import free_port
from fleet_broker import needs_broker

from benchmarks.fleet.__main__ import holds, raise_file_limit
from benchmarks.fleet.options import read_options
from benchmarks.fleet.processes import Usage, megabytes_of, seconds_of, seconds_of_family
from benchmarks.fleet.run import measure

pytestmark = pytest.mark.slow


def short(**more: object) -> argparse.Namespace:
    words = [
        "--machines",
        "20",
        "--seconds",
        "4",
        "--rate",
        "2",
        "--processes",
        "1",
        "--spread",
        "1",
        "--sqlite",
    ]
    words += ["--own", "10", "--shared", "2", "--between", "2"]
    options = read_options([*words, "--hostile", "10", "--split", "20", "--patience", "120"])
    for name, value in more.items():
        setattr(options, name, value)
    return options


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    return measure(tmp_path_factory.mktemp("fleet"), short(), lambda text: None)


@needs_broker
def test_no_decision_of_twenty_machines_is_lost_or_doubled_while_things_break(measured):
    decided = measured["decisions"]
    assert decided["written"] > 100
    assert (decided["lost"], decided["doubled"], decided["counted_twice"], decided["gaps"]) == (0, 0, 0, 0)


@needs_broker
def test_every_machine_has_each_change_also_those_that_were_cut_off(measured):
    changes = [measured[name] for name in ("first", "change", "change_while_broken")]
    assert [each["missing"] for each in changes] == [0, 0, 0]
    assert measured["agent"]["version"] == 3
    assert all(each["first"] <= each["median"] <= each["last"] for each in changes)


@needs_broker
def test_machines_that_were_taken_over_change_nothing_for_the_others(measured):
    acts = measured["hostile_acts"]
    assert set(acts["done"]) >= {
        "on others' subjects: refused",
        "flood",
        "replayed decisions",
        "another's ids",
    }
    assert (acts["taken_on_others_subjects"], acts["victims_told_off"]) == (0, 0)
    assert acts["incidents"]["forged"] > 0 and acts["incidents_of_honest"] == 0
    assert acts["rows_of_hostile"] == 2 and acts["pointer_intact"]


@needs_broker
def test_a_run_in_which_everything_held_says_so(measured):
    assert holds(measured)
    assert measured["connect"]["connected"] == measured["machines"] == 20
    assert measured["connect"]["for_decisions"] == measured["shared_connections"] == 2
    assert measured["connections"] == 20 + 2 + 1
    assert all(measured["usage"][name]["processor_s"] > 0 for name in measured["usage"])


@needs_broker
def test_machines_that_share_a_connection_write_as_many_lines_as_the_others(measured):
    assert measured["decisions_by_the_agents_code"] == 20 - 8 + 1
    assert measured["decisions"]["written"] >= 18 * 4 * 2


def test_a_process_of_machines_that_ended_is_told_with_its_last_words(tmp_path: Path):
    from benchmarks.fleet.centre import Crowd

    crowd = Crowd("machines", {"home": str(tmp_path)}, tmp_path / "log.txt")
    try:
        with pytest.raises(RuntimeError, match=r"has ended:\n(?s:.)*Error"):
            crowd.answer()
    finally:
        crowd.stop()


def figures(**wrong: int) -> dict:
    names = ("lost", "doubled", "counted_twice", "forks", "unsent")
    acts = ("taken_on_others_subjects", "victims_told_off", "incidents_of_honest")
    return {
        "decisions": {name: wrong.get(name, 0) for name in names},
        "hostile_acts": {name: wrong.get(name, 0) for name in acts}
        | {"pointer_intact": not wrong.get("pointer")},
        **{name: {"missing": wrong.get(name, 0)} for name in ("first", "change", "change_while_broken")},
    }


WRONG = (
    *("lost", "doubled", "counted_twice", "forks", "unsent", "first", "change", "change_while_broken"),
    *("taken_on_others_subjects", "victims_told_off", "incidents_of_honest", "pointer"),
)


@pytest.mark.parametrize("name", WRONG)
def test_one_thing_that_did_not_hold_fails_the_run(name):
    assert holds(figures())
    assert not holds(figures(**{name: 1}))


def test_more_files_than_the_system_ever_allows_end_the_run_with_a_word():
    with pytest.raises(SystemExit, match="take fewer --machines"):
        raise_file_limit(1 << 40)


def test_what_a_process_used_still_counts_when_it_was_killed():
    usage = Usage()
    code = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\ntime.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        usage.begins(process.pid)
        assert process.stdout is not None and process.stdout.readline()
        assert seconds_of(process.pid) >= 0.1 and megabytes_of(process.pid) > 1
        usage.ends(process.pid)
        process.kill()
    assert usage.since_mark() >= 0.1
    assert usage.megabytes == 0 and usage.most > 1
    assert seconds_of(process.pid) == megabytes_of(process.pid) == 0


def test_a_family_of_processes_is_counted_with_its_children_dead_or_alive():
    burn = "import time\nwhile time.process_time() < 0.3: pass\n"
    code = (
        "import subprocess, sys, time\n"
        f"subprocess.run([sys.executable, '-c', {burn!r}])\n"
        f"code = {burn!r} + 'print(flush=True)\\nimport sys\\nsys.stdin.read()'\n"
        "subprocess.run([sys.executable, '-c', code])\n"
    )
    words = [sys.executable, "-c", code]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline()
        assert seconds_of_family(process.pid) >= seconds_of(process.pid) + 0.5
        process.communicate(timeout=60)
    assert seconds_of_family(process.pid) == 0


def test_a_wire_that_was_split_carries_nothing_until_it_is_joined(tmp_path: Path):
    from benchmarks.fleet.centre import Wire

    target = free_port()
    code = (
        "import socket, sys\n"
        "server = socket.create_server(('127.0.0.1', int(sys.argv[1])))\n"
        "print(flush=True)\n"
        "while True:\n"
        "    server.accept()[0].sendall(b'hello')\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline()
        wire = Wire(target)
        try:
            wire.join()
            assert _heard(wire.port, seconds=60) == b"hello"
            wire.split()
            assert _heard(wire.port, seconds=1) == b""
            wire.cut()
            wire.join()
            assert _heard(wire.port, seconds=60) == b"hello"
        finally:
            wire.cut()
            process.kill()


def _heard(port: int, *, seconds: float) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as client:
        try:
            return client.recv(5)
        except TimeoutError:
            return b""
