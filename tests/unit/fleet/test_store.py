"""What is kept of the fleet: last seen, last good, freshness, roles; through clocks, faults and time."""

import os
import resource
import subprocess
import sys

import pytest

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.standing import State
from fairlead.fleet.moments import DAY
from fairlead.fleet.refusal import RefusalCode
from fleet_kit import (
    FOREIGN,
    NOW,
    ONLINE,
    ROLES,
    SECOND,
    SIGNING,
    THIRD,
    Kept,
    bundle,
    policy,
    roles_of,
    signed_roles,
    statement,
)

Code = RefusalCode


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path / "fleet")


def test_the_first_bundle_is_taken_with_its_files(kept):
    assert kept.take_checked(bundle(1)) is None
    folder = kept.folder / "current"
    assert (folder / "hooks/tilt/hook.meta.yaml").read_bytes() == policy()["hooks/tilt/hook.meta.yaml"]
    assert {path.name for path in folder.iterdir()} == {
        "hooks",
        "manifest.json",
        "signatures.json",
        "taken.json",
    }
    assert kept.version == 1


def test_the_same_bundle_again_changes_nothing(kept):
    kept.take(bundle(1))
    before = kept.snapshot()
    kept.now += 1000
    assert kept.take(bundle(1)) is None
    assert kept.snapshot() == before


def test_the_one_before_stays_and_older_ones_go(kept):
    for version in range(1, 6):
        assert kept.take(bundle(version)) is None
    assert kept.version == 5
    assert len(list((kept.folder / "bundles").iterdir())) == 2


def test_the_highest_version_is_remembered_when_its_bundle_is_lost(kept):
    kept.take(bundle(3))
    (kept.folder / "current").unlink()
    assert kept.version == 0
    assert kept.take(bundle(2)).code is Code.OLDER
    assert kept.take(bundle(3)) is None
    assert kept.version == 3


def test_what_was_switched_to_counts_as_seen_although_nobody_wrote_it_down(kept):
    kept.take(bundle(3))
    (kept.folder / "seen.json").unlink()
    assert kept.take(bundle(2)).code is Code.OLDER
    assert kept.take(bundle(3, files=policy("helm"))).code is Code.FORK


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"format": 1, "groups": {"../x": {}}}'])
def test_a_seen_file_that_is_damaged_is_made_anew_from_what_is_in_force(kept, content):
    kept.take(bundle(3))
    (kept.folder / "seen.json").write_bytes(content)
    assert kept.take(bundle(2)).code is Code.OLDER
    assert kept.take(bundle(4)) is None
    assert kept.store.seen().of("web").version == 4


def test_each_group_has_versions_of_its_own(kept):
    kept.take(bundle(9))
    assert kept.take(bundle(1, group="db"), group="db") is None
    assert kept.take(bundle(8)).code is Code.OLDER
    assert kept.store.in_force().manifest.group == "db"


def test_a_damaged_file_is_found_and_mended_by_the_same_bundle(kept):
    kept.take(bundle(1))
    os.chmod(kept.folder / "current/hooks/tilt/hook.meta.yaml", 0o600)
    (kept.folder / "current/hooks/tilt/hook.meta.yaml").write_bytes(b"")
    (kept.folder / "current/hooks/more").mkdir()
    (kept.folder / "current/hooks/more/hook.meta.yaml").write_bytes(b"")
    assert set(kept.store.damage()) == {"hooks/tilt/hook.meta.yaml", "hooks/more/hook.meta.yaml"}
    assert kept.take(bundle(1)) is None
    assert kept.store.damage() == ()
    assert kept.version == 1


def test_a_manifest_that_was_edited_on_the_disk_is_not_in_force(kept):
    kept.take(bundle(1))
    path = kept.folder / "current/manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"version": 1', b'"version": 9'))
    assert kept.store.in_force() is None
    assert kept.store.damage() == ("current",)
    assert kept.take(bundle(1)) is None
    assert kept.version == 1


def test_scripts_can_be_run_and_nothing_else(kept):
    files = {**policy(), "hooks/tilt/x.sh": b"#!/bin/sh\n", "hooks/tilt/y.txt": b"text"}
    kept.take(bundle(1, files=files))
    folder = kept.folder / "current/hooks/tilt"
    assert folder.joinpath("x.sh").stat().st_mode & 0o777 == 0o700
    assert folder.joinpath("y.txt").stat().st_mode & 0o777 == 0o600


def test_what_everybody_may_read_is_readable_whatever_the_umask(kept):
    before = os.umask(0o077)
    try:
        kept.store._private = False
        kept.take(bundle(1))
    finally:
        os.umask(before)
    for path in (kept.folder, *kept.folder.rglob("*")):
        if path.name != "lock":
            assert path.stat().st_mode & 0o055 & 0o044 == 0o044, path


def test_a_folder_of_somebody_else_is_not_written_to(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "fleet").symlink_to(other)
    with pytest.raises(FairleadError, match="not a folder of this user"):
        Kept(tmp_path / "fleet").take(bundle(1))
    assert not (tmp_path / "fleet" / "current").exists()


# freshness


def test_a_statement_makes_it_current_and_time_makes_it_stale(kept):
    kept.take(bundle(1))
    assert kept.store.standing("web").state is State.STALE
    assert kept.hear(statement(1, kept.sha256)) is None
    assert kept.store.standing("web").state is State.CURRENT
    kept.now = NOW + DAY
    assert kept.store.standing("web").words() == "stale since 2027-01-16T08:00:00Z"
    kept.now = NOW + 90 * DAY
    assert kept.store.standing("web").state is State.EXPIRED
    assert kept.version == 1


def test_a_month_in_a_drawer_leaves_the_last_good_one_and_takes_the_next(kept):
    kept.take(bundle(1, freshness_days=7, stale="ask"))
    kept.hear(statement(1, kept.sha256))
    kept.now = NOW + 31 * DAY
    assert (kept.version, kept.store.standing("web").asks) == (1, NOW + 8 * DAY)
    assert kept.hear(statement(2, "0" * 64, at=NOW + 31 * DAY)) is None
    assert kept.take(bundle(2, created=NOW + 30 * DAY)) is None
    assert kept.store.standing("web").state is State.CURRENT


def test_a_clock_that_was_set_back_makes_nothing_young_again(kept):
    kept.take(bundle(1))
    kept.hear(statement(1, kept.sha256, at=NOW + 5 * DAY))
    kept.now = 0
    assert kept.store.time("web") == NOW + 5 * DAY
    assert kept.take(bundle(2, expires=NOW + 4 * DAY)).code is Code.EXPIRED
    assert kept.take(bundle(2, created=NOW + 5 * DAY)) is None
    assert kept.hear(statement(2, kept.sha256, at=NOW + DAY)).code is Code.OLDER


def test_a_clock_without_a_battery_is_told_the_time(kept):
    kept.now = 0
    assert kept.take(bundle(1)).code is Code.EXPIRED
    assert kept.hear(statement(1, "0" * 64)) is None
    assert kept.take(bundle(1)) is None


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"signer": FOREIGN}, Code.FORGED),
        ({"signer": SIGNING}, Code.FORGED),
        ({"group": "db"}, Code.WRONG_GROUP),
        ({"at": NOW - 1}, Code.OLDER),
        ({"version": 2}, Code.OLDER),
        ({"sha256": "1" * 64}, Code.FORK),
        ({"at": NOW + 1, "expires": NOW + 50}, Code.EXPIRED),
        ({"at": NOW + 100, "expires": NOW + 100}, Code.EXPIRED),
    ],
)
def test_a_statement_that_cannot_be_believed_changes_nothing(kept, said, code):
    kept.take(bundle(3))
    kept.hear(statement(3, kept.sha256))
    before = kept.snapshot()
    wrong = {"version": 3, "sha256": kept.sha256, **said}
    assert kept.hear(statement(wrong.pop("version"), wrong.pop("sha256"), **wrong)).code is code
    assert kept.snapshot() == before


def test_a_signature_for_one_purpose_serves_no_other(kept):
    kept.take(bundle(1))
    signed = statement(1, kept.sha256, signer=SIGNING)
    both = ROLES.replace(freshness=ROLES.bundle)
    assert kept.hear(signed, anchor=both) is None
    from fairlead.fleet.bundles.signing import FOR_BUNDLES

    other = signed.replace(signatures=(SIGNING.sign(signed.content, purpose=FOR_BUNDLES),))
    assert kept.hear(other, anchor=both).code is Code.FORGED


# roles


def test_the_next_roles_are_believed_when_old_and_new_keys_have_signed(kept):
    rolled = roles_of(SECOND, version=2)
    for signers in ((SIGNING,), (SECOND,), (), (FOREIGN, SECOND)):
        assert kept.store.rotate(signed_roles(rolled, *signers), anchor=ROLES).code is Code.FORGED
    assert kept.store.rotate(signed_roles(rolled, SIGNING, SECOND), anchor=ROLES) is None
    assert kept.store.roles(ROLES) == rolled
    assert kept.take(bundle(1)).code is Code.FORGED
    assert kept.take(bundle(1, signers=(SECOND,))) is None


def test_roles_cannot_skip_a_version_or_go_back(kept):
    skipped = signed_roles(roles_of(SECOND, version=3), SIGNING, SECOND)
    assert kept.store.rotate(skipped, anchor=ROLES).code is Code.UNREADABLE
    kept.store.rotate(signed_roles(roles_of(SECOND, version=2), SIGNING, SECOND), anchor=ROLES)
    back = signed_roles(roles_of(SIGNING, version=2), SECOND, SIGNING)
    assert kept.store.rotate(back, anchor=ROLES).code is Code.OLDER
    assert kept.store.rotate(skipped, anchor=ROLES) is None


def test_a_chain_of_rotations_is_walked_from_the_enrolment(kept):
    chain = [(SIGNING, SECOND), (SECOND, THIRD)]
    for version, (old, new) in enumerate(chain, start=2):
        assert kept.store.rotate(signed_roles(roles_of(new, version=version), old, new), anchor=ROLES) is None
    assert kept.store.roles(ROLES).version == 3
    assert kept.store.roles(roles_of(THIRD, version=3)).version == 3
    (kept.folder / "roles.json").write_bytes(b"{}")
    assert kept.store.roles(ROLES) == ROLES


def test_a_file_of_roles_that_nobody_signed_is_not_believed(kept):
    from fairlead.fleet.bundles.rotation import write_chain

    kept.take(bundle(1))
    forged = signed_roles(roles_of(FOREIGN, version=2), FOREIGN)
    (kept.folder / "roles.json").write_bytes(write_chain([forged]))
    assert kept.store.roles(ROLES) == ROLES


def test_a_stolen_online_key_that_moved_the_time_ahead_is_cured_by_a_rotation(kept):
    kept.take(bundle(1))
    kept.hear(statement(1, kept.sha256, at=NOW + 80 * DAY, expires=NOW + 81 * DAY))
    assert kept.take(bundle(2, expires=NOW + 60 * DAY)).code is Code.EXPIRED
    rolled = roles_of(SIGNING, version=2, online=THIRD)
    assert kept.store.rotate(signed_roles(rolled, SIGNING), anchor=ROLES) is None
    assert kept.hear(statement(1, kept.sha256, signer=ONLINE)).code is Code.FORGED
    assert kept.hear(statement(1, kept.sha256, signer=THIRD)) is None
    assert kept.take(bundle(2, expires=NOW + 60 * DAY)) is None


def test_a_rotation_of_other_keys_leaves_the_time_as_it_was(kept):
    kept.take(bundle(1))
    kept.hear(statement(1, kept.sha256, at=NOW + 10))
    assert (
        kept.store.rotate(signed_roles(roles_of(SIGNING, SECOND, version=2), SIGNING), anchor=ROLES) is None
    )
    assert kept.hear(statement(1, kept.sha256, at=NOW)).code is Code.OLDER


# no room


def test_a_full_disk_leaves_what_was_in_force(tmp_path):
    """A real limit of the system, in a process of its own: no file may grow beyond 100 kB there."""
    kept = Kept(tmp_path / "fleet")
    kept.take(bundle(1))
    before = kept.snapshot()
    large = tmp_path / "large.fairlead"
    large.write_bytes(bundle(2, files={**policy(), "hooks/tilt/large.txt": bytes(200_000)}))
    program = f"""
import resource, signal, sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from fleet_kit import Kept
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
found = Kept(Path({str(kept.folder)!r})).take(Path({str(large)!r}).read_bytes())
sys.stdout.write(str(found.code))
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("no-room", "")
    assert kept.snapshot() == before
    assert resource.getrlimit(resource.RLIMIT_FSIZE) != (100_000, 100_000)
    assert kept.take(large.read_bytes()) is None


@pytest.mark.parametrize("fails", ["os.rename", "os.symlink", "os.fsync", "os.mkdir", "os.fchmod", "os.open"])
@pytest.mark.parametrize("at", (1, 2, 4, 7, 10))
def test_a_fault_of_the_disk_at_any_step_leaves_the_last_good_one(kept, monkeypatch, fails, at):
    kept.take(bundle(1))
    name = fails.partition(".")[2]
    real, left = getattr(os, name), [at]

    def failing(*args, **options):
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        return real(*args, **options)

    monkeypatch.setattr(os, name, failing)
    found = kept.take(bundle(2))
    monkeypatch.undo()
    switched = kept.version == 2
    assert found is None or found.code is Code.NO_ROOM
    assert kept.version == 1 or kept.store.damage() == ()
    assert kept.take(bundle(2)) is None
    assert kept.version == 2
    assert not [name for name in os.listdir(kept.folder) if ".new" in name]
    assert not [name for name in os.listdir(kept.folder / "bundles") if ".new" in name]
    assert switched or found is not None
