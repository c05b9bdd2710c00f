"""Absence on the dashboard: machines that should be there, and those that nobody expects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.doors.fleet.centre.expected import Expected
from fairlead.doors.fleet.collecting.intake import Incident
from fleet_board_kit import FleetBoard, silence, told

LIST = "m-1 web\nm-2 web\nm-3 lab\nm-4 lab\n"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[FleetBoard]:
    (tmp_path / "machines.txt").write_text(LIST)
    made = FleetBoard(tmp_path, expected=Expected(str(tmp_path / "machines.txt")))
    made.enter()
    yield made
    made.close()


def read(board: FleetBoard, path: str):
    answer = board.ask(path)
    assert answer.status == 200, answer.body
    return answer.json()


def test_who_was_never_heard_of_stands_first_and_is_counted(board: FleetBoard) -> None:
    board.store.beat([told("m-1"), told("m-2", off=True), told("m-3", group="lab")])
    silence(board.store, "m-3", 90_000)
    found = read(board, "/api/fleet/machines")
    order = [(each["machine"], each["troubles"], bool(each["contact"])) for each in found["machines"]]
    assert order == [
        ("m-4", ["missing"], False),
        ("m-3", ["silent"], True),
        ("m-2", ["off"], True),
        ("m-1", [], True),
    ]
    overview = read(board, "/api/fleet/overview")
    assert (overview["machines"], overview["absent"]) == (4, 2)
    assert overview["troubles"][0] == {
        "kind": "missing",
        "text": "expected and never heard of",
        "machines": 1,
    }
    assert {name: overview["groups"][0][name] for name in ("name", "machines", "troubled")} == {
        "name": "lab",
        "machines": 2,
        "troubled": 2,
    }


def test_the_longest_silent_of_the_silent_comes_first(board: FleetBoard) -> None:
    board.store.beat([told(name, group=group) for name, group in (("m-1", "web"), ("m-3", "lab"))])
    silence(board.store, "m-1", 5_000)
    silence(board.store, "m-3", 50_000)
    found = read(board, "/api/fleet/machines?state=silent")["machines"]
    assert [each["machine"] for each in found] == ["m-3", "m-1"]


def test_who_was_never_heard_of_has_a_page(board: FleetBoard) -> None:
    board.store.note([Incident("m-4", "unreadable", "x", "it is no JSON")])
    found = read(board, "/api/fleet/machines/m-4")
    assert (found["group"], found["contact"], found["heartbeat"]) == ("lab", 0, None)
    assert found["troubles"] == ["missing", "incident"]
    assert board.ask("/api/fleet/machines/m-5").status == 400


def test_who_is_not_on_the_list_is_shown_apart(board: FleetBoard) -> None:
    board.store.beat([told("m-1"), told("m-9")])
    listed = read(board, "/api/fleet/machines")
    assert listed["list"] == {"given": True, "trouble": "", "unknown": 1}
    assert "m-9" not in {each["machine"] for each in listed["machines"]}
    (unknown,) = read(board, "/api/fleet/machines?list=unknown")["machines"]
    assert (unknown["machine"], unknown["group"], unknown["listed"]) == ("m-9", "", False)
    overview = read(board, "/api/fleet/overview")
    assert (overview["machines"], overview["list"]["unknown"]) == (4, 1)


def test_a_machine_in_another_group_than_it_says_has_no_policy_of_its_own(board: FleetBoard) -> None:
    board.store.beat([told("m-1", group="lab", bundle={"version": 9, "state": "current"})])
    found = read(board, "/api/fleet/machines/m-1")
    assert (found["group"], found["bundle"], found["troubles"]) == ("web", 0, ["bundle"])
    groups = {each["group"]: each for each in read(board, "/api/fleet/rollouts")["groups"]}
    assert 9 not in {each["version"] for group in groups.values() for each in group["bundles"]}


def test_without_a_list_nobody_is_missed(tmp_path: Path) -> None:
    board = FleetBoard(tmp_path)
    try:
        board.enter()
        board.store.beat([told("m-1")])
        found = read(board, "/api/fleet/machines")
        assert (found["total"], found["list"]["given"], found["list"]["unknown"]) == (1, False, 0)
    finally:
        board.close()


def test_a_list_that_breaks_is_told_on_the_pages(tmp_path: Path) -> None:
    path = tmp_path / "machines.txt"
    path.write_text(LIST)
    moments = iter(range(0, 10_000, 10))
    board = FleetBoard(tmp_path, expected=Expected(str(path), clock=lambda: float(next(moments))))
    try:
        board.enter()
        path.write_text("m-1\n")
        for page in ("machines", "overview"):
            found = read(board, f"/api/fleet/{page}")
            assert "still holds" in found["list"]["trouble"]
        assert read(board, "/api/fleet/machines")["total"] == 4
    finally:
        board.close()
