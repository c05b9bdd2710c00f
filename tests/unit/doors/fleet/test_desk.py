"""What people who answer see of the questions of many machines, one of which wants to be a nuisance."""

from __future__ import annotations

from fairlead.doors.fleet.approvals.desk import Board
from fairlead.fleet.questions.asks import GRANTED, Ask, Closed

NOW = 1_790_000_000


def question(number: int, machine: str = "m1", *, expires: int = NOW + 600) -> bytes:
    return Ask(
        request=f"{number:032x}",
        machine=machine,
        group="web",
        session="",
        agent="claude",
        rule="packages/publish",
        tool="shell",
        input_hash="0" * 64,
        asked=NOW,
        expires=expires,
    ).written()


def board() -> Board:
    return Board(clock=lambda: NOW)


def test_a_flood_of_one_machine_leaves_the_questions_of_the_others() -> None:
    heard = board()
    heard.hear(question(1, "m1"), "m1")
    for number in range(2, 6_000):
        heard.hear(question(number, "m2", expires=NOW + 10**9), "m2")
    assert heard.find(f"{1:032x}").about.machine == "m1"
    assert len(heard.open()) <= 100


def test_what_a_machine_closes_is_forgotten_with_its_question() -> None:
    heard = board()
    for number in range(1, 1_000):
        heard.hear(question(number), "m1")
        heard.hear(Closed(f"{number:032x}", "m1", GRANTED, "ana", NOW).written(), "m1")
    assert heard.open() == []
    assert len(heard.closed) <= 100


def test_a_machine_speaks_for_itself_alone() -> None:
    heard = board()
    heard.hear(question(1, "m1"), "m2")
    assert heard.open() == []
    heard.hear(question(1, "m1"), "m1")
    heard.hear(Closed(f"{1:032x}", "m2", GRANTED, "ana", NOW).written(), "m2")
    assert len(heard.open()) == 1
