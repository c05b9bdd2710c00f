"""Files of the fleet folder that are gone, damaged, or of another day: nobody gains by it, and it is told."""

import os
import shutil
import time
from pathlib import Path

import pytest

from fairlead.assembly import policy_for
from fairlead.fleet.bundles.standing import State
from fairlead.fleet.moments import DAY
from fairlead.fleet.refusal import RefusalCode
from fairlead.policy.layering.fleet_layer import STALE_ID
from fairlead.policy.places import Places
from fleet_kit import (
    ONLINE,
    ROLES,
    SECOND,
    SIGNING,
    THIRD,
    Kept,
    bundle,
    enrolled,
    policy,
    roles_of,
    signed_roles,
    statement,
)

TODAY = int(time.time())
ROTATED = roles_of(SIGNING, version=2, online=THIRD)


class Old:
    """A machine that lay in a drawer for forty days, with a policy that asks after one."""

    def __init__(self, top: Path) -> None:
        names = ("config", "state", "run", "share", "system", "system-fleet")
        self.places = Places(*(str(top / name) for name in names))
        self.folder = Path(self.places.fleet)
        enrolled(Path(self.places.config))
        self.kept = Kept(self.folder, now=TODAY - 40 * DAY)
        self.kept.take(self._bundle(1, "helm"))
        self.kept.hear(statement(1, self.kept.sha256, at=TODAY - 40 * DAY))
        self.before = top / "backup"
        shutil.copytree(self.folder, self.before, symlinks=True)
        self.kept.store.rotate(signed_roles(ROTATED, SIGNING), anchor=ROLES)
        self.kept.now = TODAY - 39 * DAY
        self.kept.take(self._bundle(2, "tilt"))
        self.kept.hear(statement(2, self.kept.sha256, at=TODAY - 39 * DAY, signer=THIRD))
        self.kept.now = TODAY

    def _bundle(self, version: int, program: str) -> bytes:
        return bundle(version, files=policy(program), created=TODAY - 41 * DAY, freshness_days=1, stale="ask")

    def holds(self) -> bool:
        """Whether a call that could do harm is stopped, or asks, as it was before."""
        found = policy_for(self.places, "", "")
        return bool(found.errors) or any(entry.id == STALE_ID for entry in found.entries)

    def told(self) -> str:
        """What `fairlead status` would say."""
        store = self.kept.store
        words = [*store.troubles(ROLES), *store.damage(), store.lost()]
        standing = store.standing("web").state
        return " ".join(words) + ("" if standing is State.CURRENT else f" {standing}")


def missing(path: Path, _: Path) -> None:
    path.unlink()


def empty(path: Path, _: Path) -> None:
    path.write_bytes(b"")


def half(path: Path, _: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def huge(path: Path, _: Path) -> None:
    path.write_bytes(b"[" * (2 * 1024 * 1024))


def elsewhere(path: Path, _: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def nowhere(path: Path, _: Path) -> None:
    path.unlink()
    path.symlink_to("/nonexistent")


def folder(path: Path, _: Path) -> None:
    path.unlink()
    (path / "more").mkdir(parents=True)


def open_to_all(path: Path, _: Path) -> None:
    path.chmod(0o666)


def of_somebody_else(path: Path, _: Path) -> None:
    if os.getuid() == 0:
        os.chown(path, 12345, 12345)
    else:
        path.chmod(0o000)


def of_another_day(path: Path, backup: Path) -> None:
    path.unlink()
    if backup.exists():
        shutil.copy2(backup, path)


DAMAGES = (
    *(missing, empty, half, huge, elsewhere, nowhere, folder),
    *(open_to_all, of_somebody_else, of_another_day),
)
FILES = ("freshness.json", "seen.json", "roles.json", "status.json", "lock")


@pytest.fixture
def old(tmp_path):
    return Old(tmp_path)


@pytest.fixture(params=FILES)
def name(request):
    return request.param


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_old_machine_stays_old_whatever_becomes_of_a_file(old, name, damage):
    path = old.folder / name
    if not path.exists():
        path.write_text("{}")
    assert old.holds()
    damage(path, old.before / name)
    assert old.holds()
    assert old.told()
    assert old.kept.store.standing("web").state is not State.CURRENT


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_old_bundle_and_no_key_of_the_past_comes_back_with_it(old, name, damage):
    path = old.folder / name
    if not path.exists():
        path.write_text("{}")
    damage(path, old.before / name)
    assert old.kept.take(old._bundle(1, "helm")).code in (RefusalCode.OLDER, RefusalCode.UNREADABLE)
    said = statement(2, old.kept.sha256, at=TODAY, signer=ONLINE)
    assert old.kept.hear(said).code in (RefusalCode.FORGED, RefusalCode.UNREADABLE)
    assert old.kept.version == 2
    assert old.holds()


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_next_word_of_the_fleet_mends_it(old, name, damage):
    path = old.folder / name
    if not path.exists():
        path.write_text("{}")
    damage(path, old.before / name)
    old.kept.store.mend()
    if old.kept.store.roles(ROLES).version == 1:
        assert old.kept.store.rotate(signed_roles(ROTATED, SIGNING), anchor=ROLES) is None
    assert old.kept.hear(statement(2, old.kept.sha256, at=TODAY, signer=THIRD)) is None
    assert old.kept.store.troubles(ROLES) == ()
    assert old.kept.store.standing("web").state is State.CURRENT
    assert not old.holds()


def test_both_words_about_the_age_removed_leave_it_as_old_as_its_making(old):
    for name in ("seen.json", "freshness.json"):
        (old.folder / name).unlink()
    old.kept.store.mend()
    assert old.holds()
    assert old.kept.store.standing("web").since == TODAY - 41 * DAY
    assert "seen.json was gone on" in old.kept.store.lost()


def test_a_loss_is_told_for_a_week(old):
    (old.folder / "seen.json").unlink()
    old.kept.store.mend()
    old.kept.now += 6 * DAY
    assert old.kept.store.lost()
    old.kept.now += 2 * DAY
    assert old.kept.store.lost() == ""


def test_mending_writes_nothing_where_nothing_is_lost(old):
    before = old.kept.snapshot()
    old.kept.store.mend()
    assert old.kept.snapshot() == before


def test_roles_that_were_lost_are_asked_for_again_and_no_older_ones_count(old):
    (old.folder / "roles.json").unlink()
    assert "version 2 of the roles was believed here" in " ".join(old.kept.store.troubles(ROLES))
    refused = old.kept.hear(statement(2, old.kept.sha256, at=TODAY, signer=ONLINE))
    assert "version 2 of the roles was believed here" in refused.message


def test_a_machine_that_is_enrolled_anew_with_other_roles_starts_from_those(old):
    anew = roles_of(SECOND, online=SECOND)
    assert old.kept.hear(statement(2, old.kept.sha256, at=TODAY, signer=SECOND), anchor=anew) is None


@pytest.mark.parametrize("damage", [missing, nowhere, folder, elsewhere])
def test_the_link_to_what_is_in_force_is_missed(old, damage):
    damage(old.folder / "current", old.before / "current")
    assert policy_for(old.places, "", "").errors
    assert old.told() != " none"
    assert old.kept.take(old._bundle(1, "helm")).code is RefusalCode.OLDER
    old.kept.hear(statement(2, old.kept.store.seen().of("web").manifest_sha256, at=TODAY, signer=THIRD))
    assert old.kept.take(old._bundle(2, "tilt")) is None
    assert not old.holds()


def test_whoever_leaves_a_fleet_is_not_told_that_something_is_gone(old):
    old.kept.store.drop()
    os.unlink(old.places.user_enrolment)
    assert policy_for(old.places, "", "").problems == ()
    enrolled(Path(old.places.config))
    assert policy_for(old.places, "", "").errors == ()
