"""`fairlead fleet` as people use it: to join, to look, to publish, to leave."""

import json
import os
import signal
import stat

import pytest
from fleet_workshop import Member, Publishing, eventually

from fairlead.fleet.bundles.rotation import with_signature, write_signed_roles
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_ROLES, write_key
from fairlead.fleet.enrolment import read_enrolment
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal

pytestmark = pytest.mark.slow


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "shelf").mkdir()
    return f"folder:{tmp_path / 'shelf'}"


@pytest.fixture
def publishing(shelf):
    return Publishing(shelf)


@pytest.fixture
def roles(tmp_path, publishing):
    content = publishing.roles.written()
    signed = with_signature(Signed(content), publishing.bundle_key.sign(content, purpose=FOR_ROLES))
    (tmp_path / "roles.json").write_bytes(write_signed_roles(signed))
    return str(tmp_path / "roles.json")


@pytest.fixture
def key(tmp_path, publishing):
    path = str(tmp_path / "online.key")
    write_key(path, publishing.online_key)
    return path


@pytest.fixture
def person(machine: Machine) -> Machine:
    """Somebody with a passphrase, whom no agent can stand in for."""
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    return machine


def test_no_agent_makes_this_machine_one_of_a_fleet(machine, shelf, roles):
    done = machine.fairlead("fleet", "enrol", "--source", shelf, "--group", "web", "--roles", roles)
    assert done.returncode == 1
    assert b"a human is needed" in done.stderr
    assert read_enrolment(find_places(str(machine.home))) is None


def test_a_person_joins_takes_up_and_leaves(person, shelf, roles, publishing):
    words = ("fleet", "enrol", "--source", shelf, "--group", "web", "--roles", roles, "--machine", "m1")
    code, shown = at_terminal(person, *words, "--yes")
    assert code == 0, shown
    assert "m1 web" in shown
    publishing.publish(3)
    assert person.fairlead("fleet", "check").stdout == b"took up version 3\n"
    assert person.fairlead("check", "forbidden-3").returncode == 2
    assert person.fairlead("fleet", "leave").returncode == 1, "without a person nobody leaves"
    assert person.fairlead("check", "forbidden-3").returncode == 2
    code, shown = at_terminal(person, "fleet", "leave", "--yes")
    assert code == 0, shown
    assert person.fairlead("check", "forbidden-3").returncode == 0
    assert person.fairlead("fleet", "status").returncode == 1


def test_nobody_leaves_where_the_fleet_forbids_to_switch_it_off(person, shelf, roles, publishing):
    words = ("fleet", "enrol", "--source", shelf, "--group", "web", "--roles", roles, "--yes")
    at_terminal(person, *words)
    publishing.publish(3, content=publishing.bundle(3, managed="forbid: [off]\n"))
    assert person.fairlead("fleet", "check").returncode == 0
    code, shown = at_terminal(person, "fleet", "leave", "--yes")
    assert (code, "forbidden on this machine" in " ".join(shown.split())) == (1, True), shown
    assert person.fairlead("check", "forbidden-3").returncode == 2


def test_who_comes_back_takes_no_older_bundle(person, shelf, roles, publishing):
    words = ("fleet", "enrol", "--source", shelf, "--group", "web", "--roles", roles, "--yes")
    at_terminal(person, *words)
    old = publishing.publish(3)
    publishing.publish(4)
    assert person.fairlead("fleet", "check").returncode == 0
    at_terminal(person, "fleet", "leave", "--yes")
    at_terminal(person, *words)
    publishing.put(old)
    assert b"older" in person.fairlead("fleet", "check").stdout


def test_for_a_broker_a_machine_makes_its_own_key_and_shows_half_of_it(person, roles):
    words = ("fleet", "enrol", "--source", "nats://127.0.0.1:4222", "--group", "web", "--roles", roles)
    code, shown = at_terminal(person, *words, "--yes")
    assert code == 0, shown
    line = next(line for line in shown.splitlines() if line.startswith("m-")).split()
    assert (line[1], line[2][0], len(line[2])) == ("web", "U", 56)
    seed = person.home / "config/fleet.key"
    assert stat.S_IMODE(seed.stat().st_mode) == 0o600
    assert seed.read_text().startswith("SU")
    assert seed.read_text().strip() not in shown


@pytest.mark.parametrize("source", ["http://example.org", "nats://a:b@127.0.0.1", "folder:", "gopher://x"])
def test_a_source_that_cannot_be_is_refused_before_anybody_is_asked(machine, roles, source):
    done = machine.fairlead("fleet", "enrol", "--source", source, "--group", "web", "--roles", roles)
    assert done.returncode == 64


def test_a_folder_is_named_from_where_one_stands(person, shelf, roles):
    words = ("fleet", "enrol", "--group", "web", "--roles", roles, "--yes", "--source")
    code, shown = at_terminal(person, *words, f"folder:{os.path.relpath(shelf[7:], person.project)}")
    assert code == 0, shown
    found = read_enrolment(find_places(str(person.home)))
    assert found is not None and found.source == shelf


def test_the_agent_runs_when_start_returns(member, publishing):
    publishing.publish(3)
    started = member.fairlead("fleet", "start")
    try:
        assert started.returncode == 0, started.stderr
        assert f"process {member.running}" in started.stderr and member.running
        assert "runs already" in member.fairlead("fleet", "start").stderr
    finally:
        os.kill(member.running, signal.SIGTERM)


def test_somebody_at_the_centre_gets_a_key_whose_public_half_the_broker_is_told(machine, tmp_path):
    made = machine.fairlead("fleet", "broker-key", "admin.nk")
    assert stat.S_IMODE((machine.project / "admin.nk").stat().st_mode) == 0o600
    public = made.stdout.decode()
    (machine.project / "admin.pub").write_text(public)
    (machine.project / "machines.txt").write_text("")
    words = ("fleet", "broker-config", "--machines", "machines.txt", "--user", "admin")
    by_file, by_text = machine.fairlead(*words, "admin.pub"), machine.fairlead(*words, public.strip())
    assert by_file.returncode == 0 and public.strip().encode() in by_file.stdout
    assert by_file.stdout == by_text.stdout
    refused = machine.fairlead(*words, "admin.nk")
    assert refused.returncode == 64 and b"broker-key" in refused.stderr
    assert (machine.project / "admin.nk").read_text().strip()[:20].encode() not in refused.stderr
    assert machine.fairlead("fleet", "broker-key", "admin.nk").returncode == 1, "no key is overwritten"


@pytest.fixture
def member(tmp_path, shelf, publishing):
    member = Member(tmp_path, "m1", publishing, source=shelf)
    yield member
    member.kill()


def test_status_says_what_is_in_force_and_whether_an_agent_runs(member, publishing):
    done = member.fairlead("fleet", "status")
    assert done.returncode == 1
    assert "bundle   none" in done.stdout and "not running" in done.stdout
    publishing.publish(3)
    member.start()
    eventually(lambda: member.version == 3 and member.facts.get("version") == 3)
    done = member.fairlead("fleet", "status", "--json")
    facts = json.loads(done.stdout)
    assert done.returncode == 0, facts
    assert (facts["bundle"]["version"], facts["agent"], facts["state"]) == (3, member.process, "current")
    assert facts["rollout"] == {
        "version": 3,
        "percent": 100,
        "halted": False,
        "place": facts["rollout"]["place"],
    }


def test_an_agent_is_started_in_the_background_and_only_once(member):
    assert member.fairlead("fleet", "start").returncode == 0
    eventually(lambda: member.running)
    pid = member.running
    assert f"process {pid}" in member.fairlead("fleet", "start").stderr
    os.kill(pid, 15)
    eventually(lambda: not member.running)


def test_an_agent_ends_when_its_enrolment_is_gone(member):
    member.start()
    eventually(lambda: member.facts)
    os.unlink(member.places.user_enrolment)
    assert member._agent.wait(60) == 0


def test_a_daemon_starts_the_agent_where_there_is_none(member):
    assert member.fairlead("daemon", "restart").returncode == 0
    try:
        eventually(lambda: member.running)
        os.kill(member.running, 15)
    finally:
        member.fairlead("daemon", "stop")
    eventually(lambda: not member.running)


def rollout(member, shelf, *words, key="", verb="rollout") -> tuple[int, str]:
    signing = ("--freshness-key", key) if key else ()
    done = member.fairlead("fleet", verb, "web", "--to", shelf, *signing, *words)
    return done.returncode, done.stdout + done.stderr


def halt(member, shelf, *words, key="") -> tuple[int, str]:
    return rollout(member, shelf, *words, key=key, verb="halt")


def test_a_rollout_is_shown_moved_stopped_and_taken_back(member, shelf, publishing, key):
    publishing.publish(1)
    publishing.publish(2, percent=10)
    assert rollout(member, shelf, "--status") == (0, "web 2 goes to 10% of the machines\n")
    assert rollout(member, shelf, "--percent", "50", key=key) == (0, "web 2 goes to 50% of the machines\n")
    code, words = halt(member, shelf, "--reason", "it is Friday", key=key)
    assert code == 0
    assert words.startswith("web 2 is stopped at 50% of the machines: it is Friday\n")
    assert rollout(member, shelf, "--resume", key=key) == (0, "web 2 goes to 50% of the machines\n")
    assert halt(member, shelf, "--back", key=key)[1].startswith("web 2 is taken back")
    assert rollout(member, shelf, "--resume", key=key)[0] == 64
    assert rollout(member, shelf, "--resume", "--percent", "5", key=key)[0] == 0


@pytest.mark.parametrize("words", [(), ("--resume", "--status"), ("--percent", "0"), ("--percent", "101")])
def test_what_makes_no_sense_for_a_rollout_is_wrong_usage(member, shelf, publishing, key, words):
    publishing.publish(1)
    assert rollout(member, shelf, *words, key=key)[0] == 64


def test_a_rollout_needs_the_online_key(member, shelf, publishing):
    publishing.publish(1)
    assert rollout(member, shelf, "--percent", "50")[0] == 64
    assert halt(member, shelf)[0] == 64


def test_watch_says_once_that_it_is_current(member, shelf, publishing, key):
    publishing.publish(1)
    done = member.fairlead("fleet", "watch", "web", "--to", shelf, "--freshness-key", key, "--once")
    assert (done.returncode, done.stdout) == (0, "version 1 is current\n")
