"""Audit mode that comes with the bundle: per group and per rule. Who sits at the machine may tighten it."""

import hashlib
import time
from itertools import count

import pytest
from fleet_workshop import Member, Publishing

from fairlead.fleet.bundles.building import build_bundle, sign_bundle
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.moments import DAY
from fleet_kit import policy

pytestmark = pytest.mark.slow
WATCHED, LOCKED = policy("tilt"), policy("helm", locked=True)


@pytest.fixture
def publishing(tmp_path):
    (tmp_path / "shelf").mkdir()
    return Publishing(f"folder:{tmp_path / 'shelf'}")


@pytest.fixture
def take(tmp_path, publishing):
    """A machine that has a bundle with this `mode.yaml`, and this one of its own user."""
    versions = count(1)

    def take(mode: str, own: str = "") -> Member:
        member = Member(tmp_path, f"m-{hashlib.sha256((mode + own).encode()).hexdigest()[:8]}", publishing,
                        source=publishing.target.address)  # fmt: skip
        now, version = int(time.time()), next(versions)
        files = {**_without_tests(WATCHED), **_without_tests(LOCKED), "hooks/mode.yaml": mode.encode()}
        content = build_bundle(Manifest("web", version, now, now + DAY, {}), files)
        publishing.publish(version, content=sign_bundle(content, publishing.bundle_key))
        assert member.fairlead("fleet", "check").returncode == 0
        if own:
            folder = member.home / "config/hooks"
            folder.mkdir(parents=True)
            (folder / "mode.yaml").write_text(own)
        return member

    return take


def _without_tests(files):
    return {name: content for name, content in files.items() if not name.endswith(".test.yaml")}


def stops(member, command) -> bool:
    return member.fairlead("check", command).returncode == 2


def test_a_group_that_is_only_watched_goes_on_but_for_what_is_locked(take):
    member = take("mode: audit\nsince: 2026-11-19\n")
    assert not stops(member, "tilt up")
    assert stops(member, "helm up")


def test_one_rule_is_watched_and_the_others_count(take):
    member = take("mode: enforce\naudit: [no-tilt]\n")
    assert not stops(member, "tilt up")
    assert stops(member, "rm -rf /")


def test_one_rule_counts_where_the_others_are_watched(take):
    member = take("mode: audit\nsince: 2026-11-19\nenforce: [no-tilt]\n")
    assert stops(member, "tilt up")


def test_a_person_tightens_what_the_fleet_only_watches(take):
    member = take("mode: audit\nsince: 2026-11-19\n", "mode: enforce\n")
    assert stops(member, "tilt up")
    assert stops(take("mode: audit\n", "mode: audit\nenforce: [no-tilt]\n"), "tilt up")


def test_a_person_loosens_nothing_that_is_locked(take):
    assert stops(take("mode: enforce\n", "mode: audit\nsince: 2026-11-19\n"), "helm up")
    assert stops(take("mode: enforce\n", "mode: enforce\naudit: [no-helm]\n"), "helm up")


def test_a_person_loosens_nothing_that_the_fleet_enforces_by_name(take):
    assert stops(take("mode: enforce\nenforce: [no-tilt]\n", "mode: audit\nsince: 2026-11-19\n"), "tilt up")
    assert stops(take("mode: enforce\nenforce: [no-tilt]\n", "mode: enforce\naudit: [no-tilt]\n"), "tilt up")
