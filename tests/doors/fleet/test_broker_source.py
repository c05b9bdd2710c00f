"""Machines on a real broker, each with the rights of one machine and an agent in a process of its own."""

import asyncio
import shutil
import time

import pytest
from access import Authority, user
from fleet_broker import FleetBroker, needs_broker
from fleet_workshop import Member, Publishing, eventually

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet.centre.publishing import pointer_to, published
from fairlead.doors.fleet.publishers import open_publisher
from fairlead.doors.fleet.standing import read_standing
from fairlead.doors.fleet.subjects import policy_subject, subject_of
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import Rollout
from fairlead.fleet.publishing.rollout import is_among

pytestmark = [pytest.mark.slow, needs_broker]
needs_openssl = pytest.mark.skipif(
    not shutil.which("openssl"), reason="NO openssl HERE: TLS to a broker is not tested"
)
TWENTY = [(f"m{number}", "web") for number in range(1, 21)]


@pytest.fixture
def broker(tmp_path):
    with FleetBroker(tmp_path / "broker", *TWENTY, ("d1", "db")) as broker:
        yield broker


@pytest.fixture
def publishing(broker):
    return Publishing(broker.url, broker.credentials("publisher"))


@pytest.fixture
def join(tmp_path, broker, publishing):
    """A machine with this name, by default of the group web."""
    members = []

    def join(name: str, group: str = "web") -> Member:
        more = {"credentials": broker.credentials(name), "group": group}
        members.append(Member(tmp_path, name, publishing, source=broker.url, **more))
        return members[-1]

    yield join
    for member in members:
        member.kill()


def test_a_change_reaches_twenty_machines_within_seconds(join, publishing):
    publishing.publish(1)
    members = [join(name) for name, _ in TWENTY]
    for member in members:
        member.start()
    eventually(lambda: all(member.version == 1 for member in members), 180)
    content = publishing.bundle(2, padding=600_000)
    began = time.monotonic()
    publishing.publish(2, content=content)
    eventually(lambda: all(member.version == 2 for member in members), 180)
    print(f"the last of twenty had it after {time.monotonic() - began:.1f} s")
    assert all(member.refusal == "" for member in members)


def test_a_rollout_takes_those_whose_turn_it_is_and_goes_on(join, publishing):
    members = [join(f"m{number}") for number in range(1, 7)]
    publishing.publish(1)
    for member in members:
        assert member.fairlead("fleet", "check").returncode == 0
    publishing.publish(2, percent=30)
    for member in members:
        assert member.fairlead("fleet", "check").returncode == 0
    assert {member.name: member.version for member in members} == {
        member.name: 2 if is_among(member.name, "web", 2, 30) else 1 for member in members
    }
    publishing.say(lambda _: Rollout(100, _previous(publishing)))
    for member in members:
        assert member.fairlead("fleet", "check").returncode == 0
    assert {member.version for member in members} == {2}


def _previous(publishing):
    return publishing.pointer().rollout.previous


def test_a_machine_that_is_new_takes_what_is_on_its_way_only_when_its_turn_has_come(join, publishing):
    publishing.publish(1)
    publishing.publish(2, percent=30)
    late = next(name for name, _ in TWENTY if not is_among(name, "web", 2, 30))
    early = next(name for name, _ in TWENTY if is_among(name, "web", 2, 30))
    for name, version in ((late, 1), (early, 2)):
        member = join(name)
        assert member.fairlead("fleet", "check").returncode == 0
        assert member.version == version


def test_a_halt_keeps_those_who_have_it_and_a_step_back_returns_them(join, publishing):
    publishing.publish(1)
    has = join(next(name for name, _ in TWENTY if is_among(name, "web", 2, 50)))
    next_one = join(next(name for name, _ in TWENTY if not is_among(name, "web", 2, 50)))
    for member in (has, next_one):
        assert member.fairlead("fleet", "check").returncode == 0
    publishing.publish(2, percent=50)
    assert has.fairlead("fleet", "check").returncode == 0
    before = _previous(publishing)
    publishing.say(lambda _: Rollout(100, before, halted=True))
    for member in (has, next_one):
        assert member.fairlead("fleet", "check").returncode == 0
    assert (has.version, next_one.version) == (2, 1)
    publishing.say(lambda _: Rollout(0, before, halted=True))
    for member in (has, next_one):
        assert member.fairlead("fleet", "check").returncode == 0
    assert (has.version, next_one.version) == (1, 1)
    publishing.say(lambda _: Rollout(100, before))
    for member in (has, next_one):
        assert member.fairlead("fleet", "check").returncode == 0
    assert (has.version, next_one.version) == (2, 2)


def test_an_old_bundle_without_the_word_of_the_online_key_is_no_step_back(join, publishing):
    first = publishing.publish(1)
    member = join("m1")
    assert member.fairlead("fleet", "check").returncode == 0
    publishing.publish(2)
    assert member.fairlead("fleet", "check").returncode == 0
    publishing.put(first)
    assert member.fairlead("fleet", "check").returncode == 1
    assert member.version == 2


def test_a_stolen_online_key_takes_a_machine_no_further_back_than_it_came_from(join, publishing):
    one = publishing.publish(1).release
    member = join("m1")
    for version in (1, 2, 3):
        if version > 1:
            publishing.publish(version)
        assert member.fairlead("fleet", "check").returncode == 0
    publishing.say(lambda _: Rollout(0, one, halted=True))
    done = member.fairlead("fleet", "check")
    assert (done.returncode, member.version) == (1, 3)
    assert "older" in done.stdout


def test_the_broker_is_lost_and_found_again(join, broker, publishing):
    publishing.publish(1)
    member = join("m1")
    member.start()
    eventually(lambda: member.version == 1)
    broker.server.stop()
    eventually(lambda: not _link(member).get("connected", True))
    assert member.version == 1
    broker.server.start()
    publishing.publish(2)
    eventually(lambda: member.version == 2, 180)
    assert member.stop() == 0


def _link(member):
    return read_standing(member.places.fleet).get("link", {})


def test_who_is_refused_is_told_why(join, broker, publishing):
    """The machine is let in, but its group is another one there."""
    publishing.publish(1)
    member = join("d1", "web")
    done = member.fairlead("fleet", "check")
    assert done.returncode == 1
    assert "does not let this machine" in done.stderr, done.stderr
    assert member.version == 0


def test_a_machine_that_the_broker_does_not_know_is_told_so(join, broker, publishing):
    member = join("m1")
    (broker.folder / "m1").write_text(user().seed)
    done = member.fairlead("fleet", "check")
    assert (done.returncode, "refuses these credentials" in done.stderr) == (1, True), done.stderr


def test_the_second_of_two_who_publish_at_once_is_told(broker, publishing):
    publishing.publish(1)
    with open_publisher(publishing.target) as publisher:
        before = published(publisher, "web")
        publishing.publish(2)
        pointer = pointer_to(
            before.release,
            "web",
            key=publishing.online_key,
            seconds=60,
            rollout=Rollout(),
            roles_version=1,
            before=before,
        )
        with pytest.raises(FairleadError, match="changed by somebody else"):
            publisher.put_pointer("web", pointer.written())
    assert publishing.pointer().release.version == 2


def test_rubbish_that_another_machine_has_sent_here_is_not_heard(join, broker, publishing):
    """By the answer to a heartbeat of its own."""
    publishing.publish(1)
    member = join("m1")
    member.start()
    eventually(lambda: member.version == 1)

    async def shout():
        client = await connect(broker.as_who("m2"), patience=30)
        for _ in range(50):
            await client.publish(
                subject_of("FAIRLEAD_HEARTBEATS", "m2"), b"{}", reply=policy_subject("group.web")
            )
        await client.flush()
        await client.close()

    asyncio.run(shout())
    publishing.publish(2)
    eventually(lambda: member.version == 2)
    assert member.refusal == ""


@needs_openssl
def test_a_broker_with_tls_is_believed_by_who_signed_its_certificate(tmp_path):
    authority = Authority(tmp_path / "tls")
    with FleetBroker(tmp_path / "broker", ("m1", "web"), ("m2", "web"), authority=authority) as broker:
        publishing = Publishing(broker.url, broker.credentials("publisher"), broker.ca)
        publishing.publish(1)
        more = {"credentials": broker.credentials("m1"), "source": broker.url}
        member = Member(tmp_path, "m1", publishing, tls_ca=broker.ca, **more)
        assert member.fairlead("fleet", "check").returncode == 0
        assert member.version == 1
        other = Authority(tmp_path / "other", "other")
        stranger = Member(tmp_path, "m2", publishing, tls_ca=str(other.ca), **more)
        done = stranger.fairlead("fleet", "check")
    assert (done.returncode, stranger.version) == (1, 0)
    assert "cannot be trusted" in done.stderr
