"""What machines tell of themselves over a real broker, who is late or missing, and who lies."""

import asyncio
import json
import subprocess
import sys

import pytest
from fleet_broker import FleetBroker, needs_broker
from fleet_workshop import Member, Publishing, eventually

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet.centre.roll_call import read_heartbeats
from fairlead.doors.fleet.link import Link
from fairlead.doors.fleet.subjects import HEARTBEATS, subject_of
from fairlead.fleet.bundles.freshness import read_statement

pytestmark = [pytest.mark.slow, needs_broker]


@pytest.fixture
def broker(tmp_path):
    with FleetBroker(tmp_path / "broker", ("m1", "web"), ("m2", "web")) as broker:
        yield broker


@pytest.fixture
def publishing(broker):
    return Publishing(broker.url, broker.credentials("publisher"))


@pytest.fixture
def member(tmp_path, broker, publishing):
    member = Member(tmp_path, "m1", publishing, source=broker.url, credentials=broker.credentials("m1"))
    yield member
    member.kill()


def heard(broker) -> dict:
    async def run():
        client = await connect(broker.as_who("collector"), patience=30)
        try:
            return await read_heartbeats(client)
        finally:
            await client.close()

    return {each.machine: each for each in asyncio.run(run())}


def send(broker, who, body) -> None:
    """As that machine would."""

    async def run():
        link = Link(broker.as_who(who), who)
        keeping = asyncio.ensure_future(link.keep())
        try:
            await link.publish(subject_of(HEARTBEATS, who), json.dumps(body).encode(), seconds=60)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(run())


def told(broker, machine="m1"):
    one = heard(broker).get(machine)
    return one.heartbeat if one is not None else None


def test_an_agent_tells_of_its_machine_and_again_when_its_bundle_changes(broker, publishing, member):
    publishing.publish(1)
    member.start()
    eventually(lambda: told(broker) is not None and told(broker).bundle.version == 1)
    publishing.publish(2)
    eventually(lambda: told(broker).bundle.version == 2)
    last = told(broker)
    assert (last.machine, last.group, last.bundle.state, last.off) == ("m1", "web", "current", False)
    assert last.version


def test_calls_are_counted_once_each(broker, publishing, member, tmp_path):
    """The second heartbeat, for another bundle, has the calls after the first."""
    publishing.publish(1)
    member.start()
    eventually(lambda: told(broker) is not None and told(broker).bundle.version == 1)
    (tmp_path / "project").mkdir()
    for command in ("ls", "rm -rf /", "forbidden-1 now"):
        _call(member, tmp_path / "project", command)
    publishing.publish(2)
    eventually(lambda: told(broker).bundle.version == 2)
    counts = told(broker).counts
    assert (counts.calls, counts.blocks) == (3, 2)


def _call(member, project, command) -> None:
    payload = {
        "session_id": "s1",
        "cwd": str(project),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    words = [sys.executable, "-I", "-m", "fairlead", "--home", str(member.home), "hook", "claude"]
    subprocess.run(words, input=json.dumps(payload).encode(), capture_output=True, timeout=120, check=False)


def test_a_refusal_is_told(broker, publishing, member):
    publishing.publish(1)
    member.start()
    eventually(lambda: told(broker) is not None and told(broker).bundle.version == 1)
    stranger = Publishing(broker.url, broker.credentials("publisher"))
    stranger.publish(2)
    eventually(lambda: told(broker).bundle.state == "refused")
    assert told(broker).bundle.version == 1
    assert "signed by 0 of the 1 keys" in told(broker).bundle.reason


def listed(member, broker, *words) -> tuple[int, dict]:
    access = ("--source", broker.url, "--credentials", broker.credentials("collector"), "--json")
    done = member.fairlead("fleet", "machines", *access, *words)
    return done.returncode, {each["machine"]: each for each in json.loads(done.stdout)}


BODY = {"v": 1, "machine": "m1", "group": "web", "at": "2026-11-19T08:00:00Z"}


def test_machines_are_held_against_those_that_there_should_be(broker, member, tmp_path):
    send(broker, "m1", BODY)
    send(broker, "m2", {**BODY, "machine": "m2", "group": "db"})
    (tmp_path / "expected").write_text("m1 web\nm2 web\nm3 web  # the new one\n")
    code, machines = listed(member, broker, "--expected", str(tmp_path / "expected"))
    assert code == 1
    assert {name: each["presence"] for name, each in machines.items()} == {
        "m1": "here",
        "m2": "unexpected",
        "m3": "missing",
    }


def test_a_forged_heartbeat_is_shown_as_what_it_is(broker, member):
    send(broker, "m2", BODY)
    code, machines = listed(member, broker)
    assert (code, machines["m2"]["presence"]) == (1, "forged")
    assert "says that it is from m1" in machines["m2"]["fault"]
    assert "m1" not in machines


def test_the_time_of_the_broker_counts_and_not_that_of_the_machine(broker, member):
    send(broker, "m1", {**BODY, "at": "2001-01-01T00:00:00Z"})
    code, machines = listed(member, broker)
    assert (code, machines["m1"]["presence"]) == (0, "here")
    assert machines["m1"]["heard"] < 600


def test_only_the_last_heartbeat_of_a_machine_is_kept(broker):
    for number in range(5):
        send(broker, "m1", {**BODY, "journal": {"behind": number}})
    assert told(broker).behind == 4
    assert list(heard(broker)) == ["m1"]


def test_nobody_was_heard(broker, member):
    assert listed(member, broker) == (0, {})


def test_memory_stays_flat_while_pointers_change(broker, publishing, member):
    publishing.publish(1)
    member.start()
    eventually(lambda: member.version == 1)
    for _ in range(20):
        publishing.say(lambda pointer: pointer.rollout)
    before = _resident(member.process)
    for _ in range(200):
        publishing.say(lambda pointer: pointer.rollout)
    at = publishing.pointer()
    eventually(lambda: member.store.seen().of("web").at >= _at(at))
    assert _resident(member.process) < before * 1.1 + 4_000


def _at(pointer) -> int:
    return read_statement(pointer.freshness.content).at


def _resident(process: int) -> int:
    """KiB."""
    with open(f"/proc/{process}/status") as file:
        line = next(line for line in file if line.startswith("VmRSS"))
    return int(line.split()[1])
