"""How a step back that the online key has signed is told from an old bundle that is served again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.fleet.bundles.freshness import Release, Rollout, Statement
from fairlead.fleet.bundles.seen import Seen, SeenGroup, read_seen


def release(version: int) -> Release:
    return Release(version, f"{version:064d}", f"{version:064d}", 1)


def said(version: int, rollout: Rollout, at: int = 100) -> Statement:
    return Statement("web", version, release(version).manifest_sha256, at, at + 60, rollout)


HAS_THREE = (
    SeenGroup().took(2, release(2).manifest_sha256, at=1).took(3, release(3).manifest_sha256, at=2, before=2)
)
BACK_TO_TWO = Rollout(0, release(2), halted=True)


def may(seen: SeenGroup, version: int) -> bool:
    return seen.may_step_back(version, release(version).manifest_sha256)


def test_nobody_steps_back_unasked():
    assert not may(HAS_THREE, 2)


def test_who_is_told_to_goes_back_to_what_is_named():
    seen = HAS_THREE.heard(said(3, BACK_TO_TWO))
    assert may(seen, 2)
    assert not seen.may_step_back(2, "f" * 64)


@pytest.mark.parametrize(
    "rollout",
    [
        Rollout(10, release(2), halted=True),
        Rollout(0, release(2)),
        Rollout(100, release(2)),
        Rollout(0, None, True),
    ],
)
def test_only_a_version_that_is_taken_back_from_everybody_is_left(rollout):
    assert not may(HAS_THREE.heard(said(3, rollout)), 2)


def test_the_next_word_ends_it():
    seen = HAS_THREE.heard(said(3, BACK_TO_TWO)).heard(said(3, Rollout(100, release(2)), 101))
    assert not may(seen, 2)


def test_nobody_goes_below_what_was_in_force_before():
    seen = HAS_THREE.heard(said(3, Rollout(0, release(1), halted=True)))
    assert not may(seen, 1)


def test_one_update_is_undone_and_not_the_next_one_too():
    """After the step back, the version below is still out of reach."""
    seen = HAS_THREE.heard(said(3, BACK_TO_TWO)).took(2, release(2).manifest_sha256, at=3)
    assert seen.version == 3
    assert not may(seen.heard(said(3, Rollout(0, release(1), halted=True), 102)), 1)


def test_it_is_forgotten_with_the_key_that_said_it():
    seen = Seen({"web": HAS_THREE.heard(said(3, BACK_TO_TWO))}).forgetting_time()
    assert not may(seen.of("web"), 2)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9))
def test_what_is_remembered_survives_the_disk(before, back, version):
    group = SeenGroup(version, "a" * 64, 5, 6, 7, version, "b" * 64, before, back, "c" * 64 if back else "")
    assert read_seen(Seen({"web": group}).written()).of("web") == group
