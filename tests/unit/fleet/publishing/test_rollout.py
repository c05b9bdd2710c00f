"""Who is to have which bundle while a version is on its way."""

import hashlib
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.fleet.bundles.freshness import Release, Rollout, Statement
from fairlead.fleet.publishing.rollout import is_among, place_of, wanted

OLD, NEW = (Release(version, f"{version:064d}", f"{version:063d}f", 1) for version in (1, 2))
MACHINES = [f"m{number}" for number in range(2_000)]


def asked(rollout: Rollout, has: Release | None, machine: str = "m1") -> Release | None:
    statement = Statement("web", NEW.version, NEW.manifest_sha256, 0, 1, rollout)
    return wanted(NEW, statement, machine, (has.version, has.manifest_sha256) if has else None)


FIRST = next(name for name in MACHINES if is_among(name, "web", 2, 10))
LAST = next(name for name in MACHINES if not is_among(name, "web", 2, 90))


@pytest.mark.parametrize(
    ("rollout", "machine", "has", "gets"),
    [
        (Rollout(100), LAST, None, NEW),
        (Rollout(100, OLD), LAST, OLD, NEW),
        (Rollout(100, OLD), LAST, NEW, None),
        (Rollout(10, OLD), FIRST, OLD, NEW),
        (Rollout(10, OLD), FIRST, None, NEW),
        (Rollout(10, OLD), LAST, OLD, None),
        (Rollout(10, OLD), LAST, None, OLD),
        (Rollout(10), LAST, None, None),
        (Rollout(10, OLD), LAST, NEW, None),
        (Rollout(10, OLD, halted=True), FIRST, OLD, None),
        (Rollout(10, OLD, halted=True), FIRST, NEW, None),
        (Rollout(10, OLD, halted=True), FIRST, None, OLD),
        (Rollout(0, OLD, halted=True), FIRST, NEW, OLD),
        (Rollout(0, OLD, halted=True), LAST, OLD, None),
        (Rollout(0, OLD, halted=True), LAST, None, OLD),
        (Rollout(0, None, halted=True), FIRST, NEW, None),
        (Rollout(0, OLD), FIRST, NEW, None),
        (Rollout(100), LAST, NEW.replace(version=3), None),
        (Rollout(100), LAST, NEW.replace(manifest_sha256="f" * 64), NEW),
    ],
)
def test_what_a_machine_is_to_fetch(rollout, machine, has, gets):
    assert asked(rollout, has, machine) == gets


@given(st.text(min_size=1, max_size=20), st.integers(1, 10**6), st.integers(0, 100), st.integers(0, 100))
def test_who_is_among_the_first_is_among_them_when_it_goes_further(machine, version, one, other):
    less, more = sorted((one, other))
    assert is_among(machine, "web", version, more) or not is_among(machine, "web", version, less)


@given(st.text(max_size=20), st.integers(1, 10**6))
def test_everybody_is_in_the_whole_and_nobody_in_none_of_it(machine, version):
    assert is_among(machine, "web", version, 100)
    assert not is_among(machine, "web", version, 0)


def test_whose_place_is_the_percentage_itself_is_not_among_them():
    edge = next(name for name in map("m{}".format, count()) if place_of(name, "web", 2) == 10)
    assert not is_among(edge, "web", 2, 10)
    assert is_among(edge, "web", 2, 11)


@pytest.mark.parametrize("percent", [1, 10, 50, 90])
def test_about_as_many_as_were_asked_for(percent):
    """Of 2,000; five standard deviations."""
    among = sum(is_among(name, "web", 7, percent) for name in MACHINES)
    expected = len(MACHINES) * percent / 100
    assert abs(among - expected) < 5 * (expected * (1 - percent / 100)) ** 0.5


def test_another_version_draws_others_first():
    first, second = ({name for name in MACHINES if is_among(name, "web", v, 10)} for v in (1, 2))
    assert len(first & second) < len(first) / 2


def test_the_place_is_the_one_that_others_can_work_out():
    digest = hashlib.sha256(b"m-4f2a91c07be3d855:web:7").hexdigest()
    assert place_of("m-4f2a91c07be3d855", "web", 7) == int(digest[:8], 16) % 10000 / 100
