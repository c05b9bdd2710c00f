"""Agents in processes of their own, on a folder: what they take up, what they refuse, and how they end."""

import json
import os
import shutil
import time

import pytest
from fleet_workshop import Member, Publishing, eventually

from fairlead.doors.fleet.centre.publishing import pointer_to
from fairlead.fleet.bundles.freshness import Rollout, Statement
from fairlead.fleet.bundles.rotation import with_signature, write_signed_roles
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_FRESHNESS, FOR_ROLES, new_key
from fairlead.fleet.moments import DAY

pytestmark = pytest.mark.slow


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "shelf").mkdir()
    return tmp_path / "shelf"


@pytest.fixture
def publishing(shelf):
    return Publishing(f"folder:{shelf}")


@pytest.fixture
def member(tmp_path, shelf, publishing):
    member = Member(tmp_path, "m1", publishing, source=f"folder:{shelf}")
    yield member
    member.kill()


def test_one_look_takes_up_what_is_published(member, publishing):
    publishing.publish(7)
    done = member.fairlead("fleet", "agent", "--once")
    assert (done.returncode, done.stdout) == (0, "took up version 7\n")
    assert member.version == 7


def test_what_was_taken_up_judges_the_next_call(member, publishing):
    publishing.publish(7)
    member.fairlead("fleet", "check")
    done = member.fairlead("check", "forbidden-7")
    assert done.returncode == 2, done.stdout + done.stderr


def test_nothing_published_is_no_fault(member):
    done = member.fairlead("fleet", "check")
    assert (done.returncode, done.stdout) == (0, "nothing is published for this group\n")


def test_a_running_agent_follows_what_is_published(member, publishing):
    member.start()
    publishing.publish(1)
    eventually(lambda: member.version == 1)
    publishing.publish(2)
    eventually(lambda: member.version == 2)
    eventually(lambda: member.facts["version"] == 2)


def test_there_is_one_agent_per_machine(member):
    member.start()
    eventually(lambda: member.running)
    done = member.fairlead("fleet", "agent")
    assert (done.returncode, done.stderr) == (0, "an agent is running already\n")
    assert member.running == member.process


def test_an_agent_ends_when_it_is_told_to(member):
    member.start()
    eventually(lambda: member.facts)
    assert member.stop() == 0
    assert not member.running


def refused(member, publishing, pointer, content=b"") -> str:
    """The code of the refusal; what was in force still is."""
    before = member.version
    publishing.put(pointer, content)
    done = member.fairlead("fleet", "check", "--json")
    assert done.returncode == 1
    assert member.version == before
    return json.loads(done.stdout)["refusal"]["code"]


@pytest.fixture
def at_five(member, publishing):
    publishing.publish(5)
    assert member.fairlead("fleet", "check").returncode == 0
    return member


def test_a_statement_that_another_key_signed_is_forged(at_five, publishing):
    stranger = Publishing(publishing.target.address)
    content = publishing.bundle(6)
    assert refused(at_five, publishing, announced(stranger, content), content) == "forged"


def announced(signer, content):
    """What somebody with the online key would put there for this bundle."""
    return stranger_pointer(signer, signer.release(content))


def stranger_pointer(signer, release, group="web", *, rollout=None, seconds=DAY):
    return pointer_to(
        release,
        group,
        key=signer.online_key,
        seconds=seconds,
        rollout=rollout or Rollout(),
        roles_version=1,
        before=None,
    )


def test_a_bundle_that_another_key_signed_is_forged(at_five, publishing):
    content = publishing.bundle(6, key=new_key())
    assert refused(at_five, publishing, announced(publishing, content), content) == "forged"


def test_another_bundle_than_the_statement_names_is_not_taken(at_five, publishing):
    """Both are signed; the pointer around the statement is nobody's word."""
    six, seven = publishing.bundle(6), publishing.bundle(7)
    pointer = stranger_pointer(publishing, publishing.release(six))
    lying = publishing.release(seven).replace(version=6, manifest_sha256=pointer.release.manifest_sha256)
    assert refused(at_five, publishing, pointer.replace(release=lying), seven) == "forged"


def test_a_pointer_that_names_another_version_than_its_statement_is_forged(at_five, publishing):
    six, seven = publishing.bundle(6), publishing.bundle(7)
    pointer = stranger_pointer(publishing, publishing.release(six))
    assert refused(at_five, publishing, pointer.replace(release=publishing.release(seven)), seven) == "forged"


def test_an_old_pointer_is_refused(at_five, publishing):
    old = publishing.pointer()
    publishing.publish(6)
    assert at_five.fairlead("fleet", "check").returncode == 0
    assert refused(at_five, publishing, old) == "older"
    assert at_five.version == 6


def test_a_lower_version_is_refused_though_it_is_signed_anew(at_five, publishing):
    content = publishing.bundle(4)
    assert refused(at_five, publishing, announced(publishing, content), content) == "older"


def test_two_bundles_of_one_version_are_a_fork(at_five, publishing):
    content = publishing.bundle(5, padding=100_000)
    assert refused(at_five, publishing, announced(publishing, content), content) == "fork"


def test_a_pointer_for_another_group_is_refused(at_five, publishing, shelf):
    publishing.publish(6, "db")
    shutil.copy(shelf / "groups/db.json", shelf / "groups/web.json")
    done = at_five.fairlead("fleet", "check", "--json")
    assert json.loads(done.stdout)["refusal"]["code"] == "wrong-group"
    assert at_five.version == 5


def test_a_statement_for_another_group_is_refused(at_five, publishing):
    content = publishing.bundle(6, "db")
    pointer = stranger_pointer(publishing, publishing.release(content), "db").replace(group="web")
    assert refused(at_five, publishing, pointer, content) == "wrong-group"


def test_a_bundle_for_another_group_is_refused(at_five, publishing):
    content = publishing.bundle(6, "db")
    pointer = stranger_pointer(publishing, publishing.release(content))
    assert refused(at_five, publishing, pointer, content) == "wrong-group"


def test_a_stale_statement_brings_nothing_and_takes_nothing(at_five, publishing):
    content = publishing.bundle(6)
    release = publishing.release(content)
    pointer = stranger_pointer(publishing, release, seconds=-1)
    assert refused(at_five, publishing, pointer, content) == "expired"


def test_when_nobody_says_that_it_is_current_it_stays_in_force_and_says_since_when(member, publishing):
    an_hour_ago = time.time() - 3600
    store = type(member.store)(member.places.fleet, clock=lambda: an_hour_ago)
    content = publishing.bundle(5)
    said = Statement(
        "web", 5, publishing.release(content).manifest_sha256, int(an_hour_ago), int(an_hour_ago) + 60
    )
    signed = Signed(said.written(), (publishing.online_key.sign(said.written(), purpose=FOR_FRESHNESS),))
    assert store.hear(signed, group="web", anchor=publishing.roles) is None
    assert store.take(content, group="web", anchor=publishing.roles, loads=lambda _: ()) is None
    done = member.fairlead("fleet", "status", "--json")
    facts = json.loads(done.stdout)
    assert (facts["state"], facts["bundle"]["version"], done.returncode) == ("stale", 5, 1)
    assert member.fairlead("check", "forbidden-5").returncode == 2


@pytest.mark.parametrize("damage", [b"", b"{}", b"not json", b'{"format": 1', b"\xff" * 9000])
def test_a_pointer_that_cannot_be_read_changes_nothing(at_five, shelf, damage):
    (shelf / "groups/web.json").write_bytes(damage)
    done = at_five.fairlead("fleet", "check")
    assert done.returncode == 1, done.stdout
    assert at_five.version == 5


def test_files_that_somebody_changed_are_fetched_again(member, publishing):
    publishing.publish(5)
    member.fairlead("fleet", "check")
    file = next((member.home / "state/fleet/bundles").glob("*/hooks/fleet/hook.meta.yaml"))
    file.write_text("middleware: []\n")
    assert member.store.damage()
    assert member.fairlead("fleet", "check").stdout == "took up version 5\n"
    assert not member.store.damage()


def test_a_link_that_somebody_removed_or_turned_back_is_set_again_though_nothing_is_published(
    member, publishing
):
    for version in (1, 2):
        publishing.publish(version)
        member.fairlead("fleet", "check")
    current = os.path.join(member.places.fleet, "current")
    now = os.readlink(current)
    before = next(
        name for name in os.listdir(f"{member.places.fleet}/bundles") if name != os.path.basename(now)
    )
    member.start()
    eventually(lambda: member.facts.get("version") == 2)
    os.unlink(current)
    eventually(lambda: member.version == 2)
    os.unlink(current)
    os.symlink(f"bundles/{before}", current)
    eventually(lambda: member.version == 2)


def test_a_word_about_its_age_that_somebody_removed_is_told_and_written_again(member, publishing):
    publishing.publish(1)
    member.fairlead("fleet", "check")
    for name in ("freshness.json", "seen.json"):
        os.unlink(os.path.join(member.places.fleet, name))
    done = member.fairlead("fleet", "status")
    assert done.returncode == 1
    assert "freshness.json is missing" in done.stdout and "seen.json is missing" in done.stdout
    assert "nobody can tell how old" in member.fairlead("policy", "check").stdout
    assert "freshness.json is missing" in member.fairlead("status").stdout
    assert "freshness.json is missing" in member.fairlead("doctor", "--quick").stdout
    member.start()
    eventually(lambda: "seen.json was gone on" in str(member.facts.get("troubles")))
    eventually(lambda: os.path.exists(os.path.join(member.places.fleet, "freshness.json")))
    assert "lost     seen.json was gone on" in member.fairlead("fleet", "status").stdout


def test_roles_that_were_lost_are_fetched_again_before_anything_is_believed(member, publishing, shelf):
    publishing.publish(1)
    member.fairlead("fleet", "check")
    later = publishing.roles.replace(version=2)
    signed = with_signature(
        Signed(later.written()), publishing.bundle_key.sign(later.written(), purpose=FOR_ROLES)
    )
    (shelf / "roles").mkdir()
    (shelf / "roles/2.json").write_bytes(write_signed_roles(signed))
    assert member.store.rotate(signed, anchor=publishing.roles) is None
    publishing.publish(2)
    member.fairlead("fleet", "check")
    os.unlink(os.path.join(member.places.fleet, "roles.json"))
    assert "version 2 of the roles was believed here" in member.fairlead("fleet", "status").stdout
    (shelf / "roles/2.json").rename(shelf / "roles/away.json")
    publishing.publish(3)
    assert member.fairlead("fleet", "check").returncode == 1
    (shelf / "roles/away.json").rename(shelf / "roles/2.json")
    assert member.fairlead("fleet", "check").returncode == 0
    assert member.version == 3


def test_an_agent_that_is_killed_again_and_again_while_it_stores_leaves_a_whole_bundle(member, publishing):
    """At each moment what is in force is a bundle that was checked, and in the end the last one is."""
    for version in range(1, 8):
        publishing.publish(version, content=publishing.bundle(version, padding=400_000))
        before = member.version
        member.start()
        drafts = member.home / "state/fleet/bundles"
        eventually(lambda drafts=drafts, version=version: member.version == version or _drafts(drafts))
        member.kill()
        assert before <= member.version <= version
        assert not member.store.damage()
    assert member.fairlead("fleet", "check").returncode == 0
    assert member.version == 7
    assert not _drafts(member.home / "state/fleet/bundles")


def _drafts(folder) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".new")] if folder.is_dir() else []


def test_a_clock_that_is_far_ahead_takes_nothing_and_loses_nothing(at_five, publishing):
    """The statement seems to have ended long ago."""
    content = publishing.bundle(6)
    release = publishing.release(content)
    pointer = stranger_pointer(publishing, release)
    publishing.put(pointer, content)
    later = lambda: time.time() + 400 * DAY  # noqa: E731
    store = type(at_five.store)(at_five.places.fleet, clock=later)
    refusal = store.hear(pointer.freshness, group="web", anchor=publishing.roles)
    assert refusal is not None and str(refusal.code) == "expired"
    assert (at_five.version, str(store.standing("web").state)) == (5, "expired")


def test_a_clock_that_is_set_back_makes_no_old_word_fresh(member, publishing):
    publishing.publish(5)
    member.fairlead("fleet", "check")
    at = member.store.seen().of("web").at
    store = type(member.store)(member.places.fleet, clock=lambda: 0.0)
    assert store.time("web") == at
