"""What lines of a journal count for."""

import pytest

from fairlead.doors.fleet.telling.counting import Counting, counts_of
from fairlead.fleet.telling.heartbeat import Counts
from fairlead.policy.places import find_places
from kit import Machine


@pytest.mark.parametrize(
    ("verdict", "counts"),
    [
        ({"decision": "allow"}, Counts(1)),
        ({"decision": "block"}, Counts(1, blocks=1)),
        ({"decision": "halt"}, Counts(1, blocks=1)),
        ({"decision": "ask"}, Counts(1, asks=1)),
        ({"decision": "block", "failures": [{}]}, Counts(1, blocks=1, failures=1)),
        ({"decision": "allow", "failures": []}, Counts(1)),
        ({"decision": "continue", "would": {"decision": "block"}}, Counts(1, would=1)),
    ],
)
def test_what_a_call_counts_for(verdict, counts):
    assert counts_of([{"verdict": verdict}]) == counts


def test_whatever_stands_there_is_counted_as_a_call():
    assert counts_of([{"verdict": "rubbish"}, {"verdict": None}]) == Counts(2)


@pytest.mark.slow
def test_calls_count_once_and_again_until_they_were_sent(machine: Machine):
    """What was there before counting began is nobody's."""
    counting = Counting(find_places(str(machine.home)))
    machine.hook(machine.bash("ls"))
    assert counting.read()[0] == Counts()
    for command in ("ls", "rm -rf /"):
        machine.hook(machine.bash(command))
    for _ in range(2):
        counts, calls = counting.read()
        assert counts == Counts(2, blocks=1)
        assert calls["claude"][0] == 2
    counting.commit()
    assert counting.read()[0] == Counts()
    again = Counting(find_places(str(machine.home)))
    machine.hook(machine.bash("ls"))
    assert again.read()[0] == Counts(1)
