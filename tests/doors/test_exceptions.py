"""Exceptions and switched-off packs, through real hook calls."""

import time

import pytest

from fairlead.policy.answers.grants import Grants
from fairlead.policy.places import find_places

FORCE = "git push --force origin main"


@pytest.fixture
def grants(machine):
    return Grants(find_places(str(machine.home)))


def blocked(machine, command=FORCE):
    return machine.hook(machine.bash(command)).returncode == 2


def test_an_exception_lets_its_rule_rest_and_no_other(machine, grants):
    assert blocked(machine)
    grants.give("git/force-push", now=time.time())
    assert not blocked(machine)
    assert blocked(machine, f"{FORCE} && rm -rf /")
    assert machine.journal()[1]["outcomes"][1]["metrics"]["excused"] == ["git/force-push"]


def test_an_exception_for_once_holds_once(machine, grants):
    grants.give("git/force-push", once=True, now=time.time())
    assert [blocked(machine) for _ in range(2)] == [False, True]


def test_asking_what_would_be_uses_nothing_up(machine, grants):
    grants.give("git/force-push", once=True, now=time.time())
    for _ in range(2):
        assert machine.fairlead("check", FORCE).returncode == 0


def test_an_exception_elsewhere_does_not_hold_here(machine, grants):
    grants.give("git/force-push", scope="/somewhere/else", now=time.time())
    assert blocked(machine)


def test_a_pack_that_is_off_is_quiet_until_it_is_on_again(machine, grants):
    grants.give("git/*", now=time.time())
    assert not blocked(machine)
    assert b"git              off" in machine.fairlead("packs", "list").stdout
    assert machine.fairlead("packs", "enable", "git").returncode == 0
    assert blocked(machine)


@pytest.mark.parametrize(
    "words", [["allow", "git/force-push", "--yes"], ["packs", "disable", "git", "--yes"]]
)
def test_nothing_is_loosened_without_a_human(machine, words):
    done = machine.fairlead(*words, start_new_session=True)
    assert done.returncode == 1 and b"a human is needed" in done.stderr
    assert blocked(machine)


def test_a_rule_that_does_not_exist_is_met_with_the_nearest(machine):
    done = machine.fairlead("allow", "git/force-pussh")
    assert done.returncode == 64 and b"git/force-push" in done.stderr
