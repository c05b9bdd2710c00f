"""When a version makes things worse, and when it only seems so."""

import pytest

from fairlead.fleet.publishing.jump import Seen, jump
from fairlead.fleet.telling.heartbeat import Counts


def machines(number: int, *, calls=100, **counts) -> list[Seen]:
    return [Seen(Counts(calls=calls, **counts)) for _ in range(number)]


CALM = machines(100, blocks=2)


def test_nothing_changed():
    assert jump(machines(10, blocks=2), CALM) == ""


@pytest.mark.parametrize("what", ["failures", "blocks"])
def test_a_quarter_of_the_machines_that_have_it_is_enough(what):
    worse = machines(3, **{what: 30}) + machines(9, blocks=2)
    assert jump(worse, CALM).startswith(f"{what} are above")
    assert "3 of 12 machines" in jump(worse, CALM)


def test_less_than_a_quarter_is_not():
    assert jump(machines(3, failures=30) + machines(10), CALM) == ""


def test_one_machine_that_runs_against_a_wall_all_day_stops_nothing():
    assert jump([Seen(Counts(calls=100_000, blocks=99_000)), *machines(11, blocks=2)], CALM) == ""


@pytest.mark.parametrize("number", [1, 2])
def test_of_few_machines_all_have_to_be_troubled(number):
    assert jump(machines(number, failures=30), CALM)
    assert not jump([*machines(number, failures=30), *machines(1)], CALM)


def test_what_is_usual_for_the_others_is_no_jump():
    assert jump(machines(10, blocks=40), machines(100, blocks=45)) == ""
    assert jump(machines(10, blocks=60), machines(100, blocks=45))


def test_a_few_loud_ones_among_the_others_do_not_set_the_measure():
    others = machines(97) + machines(3, blocks=90)
    assert jump(machines(10, blocks=40), others)


def test_a_small_share_is_no_trouble_even_where_there_was_none():
    assert jump(machines(10, failures=2, blocks=10), machines(100)) == ""
    assert jump(machines(10, failures=3), machines(100))
    assert jump(machines(10, blocks=11), machines(100))


def test_few_calls_say_nothing():
    assert jump(machines(10, calls=19, failures=19), CALM) == ""
    assert jump(machines(10, calls=20, failures=20), CALM)


def test_few_events_say_nothing():
    assert jump(machines(10, calls=20, failures=2), CALM) == ""
    assert jump(machines(10, calls=20, failures=3), CALM)


def test_machines_that_fall_silent_count():
    silent = [Seen(silent=True)] * 3
    assert "3 of 9 machines that have it fell silent" in jump(silent + [Seen()] * 6, CALM)
    assert jump(silent + [Seen()] * 10, CALM) == ""
    assert jump(silent + [Seen()] * 6, [Seen(silent=True), Seen()]) == ""


def test_nobody_has_it_yet():
    assert jump([], CALM) == ""
    assert jump([], []) == ""


def test_without_others_the_floors_count():
    assert jump(machines(5, failures=50), [])
    assert jump(machines(5), []) == ""
