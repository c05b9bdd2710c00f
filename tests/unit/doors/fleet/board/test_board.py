"""The dashboard of a fleet without a browser: its gate, and what its pages are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from fairlead.doors.fleet.collecting.intake import Incident
from fairlead.journal.ids import new_id, time_of
from fleet_board_kit import FleetBoard, a_fleet, decided, silence, told


@pytest.fixture
def board(tmp_path: Path, url: str) -> Iterator[FleetBoard]:
    made = FleetBoard(tmp_path, url)
    yield made
    made.close()


def read(board: FleetBoard, path: str):
    if not board.cookie:
        board.enter()
    answer = board.ask(path)
    assert answer.status == 200, answer.body
    return answer.json()


def test_nobody_gets_in_without_the_address(board: FleetBoard) -> None:
    for path in ("/", "/api/fleet/machines", "/fleet/app.js"):
        assert board.ask(path).status == 403
    assert board.ask("/", headers={"host": "evil.example"}).status == 421
    board.enter()
    answer = board.ask("/")
    assert answer.status == 200 and b"/fleet/app.js" in answer.body
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_it_only_reads(board: FleetBoard) -> None:
    board.enter()
    assert board.ask("/api/fleet/machines", "POST", {}).status == 405
    assert board.ask("/api/fleet/machines", "DELETE").status == 405


def test_without_a_machine_there_is_nothing(board: FleetBoard) -> None:
    found = read(board, "/api/fleet/overview")
    assert found["machines"] == 0 and found["troubles"] == []
    assert read(board, "/api/fleet/machines")["machines"] == []
    assert read(board, "/api/fleet/decisions")["decisions"] == []
    assert read(board, "/api/fleet/rollouts")["groups"] == []
    assert read(board, "/api/fleet/asks")["connected"] is False


def test_a_machine_that_is_well_needs_nobody(board: FleetBoard) -> None:
    board.store.beat([told("m-1")])
    (machine,) = read(board, "/api/fleet/machines")["machines"]
    assert machine["troubles"] == []
    assert (machine["host"], machine["bundle"], machine["group"]) == ("m-1.example", 3, "web")


@pytest.mark.parametrize(
    ("more", "trouble"),
    [
        ({"off": True}, "off"),
        ({"rows": [{"name": "claude", "state": "changed"}]}, "unwell"),
        ({"agents": [{"agent": "gemini", "seen_without_calls": True}]}, "unguarded"),
        ({"bundle": {"version": 2, "state": "stale"}}, "bundle"),
        ({"bundle": {"version": 2, "state": "refused"}}, "bundle"),
    ],
)
def test_what_a_heartbeat_says_is_shown(board: FleetBoard, more: dict[str, object], trouble: str) -> None:
    board.store.beat([told("m-1", **more), told("m-2")])
    first, second = read(board, "/api/fleet/machines")["machines"]
    assert (first["machine"], first["troubles"], second["troubles"]) == ("m-1", [trouble], [])


def test_silence_is_a_signal(board: FleetBoard) -> None:
    board.store.beat([told("m-1"), told("m-2")])
    silence(board.store, "m-2", 3600)
    found = read(board, "/api/fleet/machines?state=silent")
    assert [each["machine"] for each in found["machines"]] == ["m-2"]
    assert read(board, "/api/fleet/overview")["troubles"] == [
        {"kind": "silent", "text": "silent for 15 minutes or more", "machines": 1}
    ]


def test_gaps_forks_and_incidents_are_shown(board: FleetBoard) -> None:
    lines = [decided("m-1", 1, 9), decided("m-1", 4, 8), decided("m-1", 4, 7)]
    board.store.take(lines, [Incident("m-1", "secret", lines[0].id, "a secret at /line/facts/command")])
    board.store.beat([told("m-1")])
    machine = read(board, "/api/fleet/machines/m-1")
    assert machine["troubles"] == ["fork", "gap", "incident"]
    assert [(gap["first"], gap["last"], gap["why"]) for gap in machine["gaps"]] == [(2, 3, "missing")]
    assert machine["forks"][0]["seq"] == 4 and machine["incidents"][0]["kind"] == "secret"
    assert machine["heartbeat"]["machine"] == "m-1"
    assert machine["heartbeat"]["rows"] == [{"name": "claude", "state": "ok", "well": True}]
    found = read(board, "/api/fleet/alarms")
    assert {kind: each["total"] for kind, each in found.items()} == {
        "glass": 0,
        "forks": 1,
        "gaps": 1,
        "incidents": 1,
    }


def test_machines_are_narrowed_down_and_counted(board: FleetBoard) -> None:
    a_fleet(board, 40)
    everyone = read(board, "/api/fleet/machines?limit=200")
    assert everyone["total"] == everyone["found"] == 40
    web = read(board, "/api/fleet/machines?group=web&text=WEB-0")
    assert web["found"] == 10 and {each["group"] for each in web["machines"]} == {"web"}
    assert dict(web["facets"]["group"]) == {"web": 10}
    assert dict(everyone["facets"]["group"])["data"] == 10
    stale = read(board, "/api/fleet/machines?bundle=7+stale")
    assert stale["found"] == dict(everyone["facets"]["bundle"])["7 stale"]
    page = read(board, "/api/fleet/machines?limit=15&offset=15")["machines"]
    assert [each["machine"] for each in page] == [each["machine"] for each in everyone["machines"][15:30]]


def test_the_overview_counts_what_the_decisions_are(board: FleetBoard) -> None:
    a_fleet(board, 12)
    found = read(board, "/api/fleet/overview?span=30d")
    assert (
        found["total"]["calls"]
        == sum(sum(each) for each in found["timeline"]["series"].values())
        == 12 * 39 + 3
    )
    assert found["would"] and {"research"} == {group for each in found["would"] for group in each["groups"]}
    assert found["glass"] == 1
    broken = read(board, "/api/fleet/alarms?kind=glass")["glass"]["rows"]
    assert [each["rule"] for each in broken] == ["break-glass"]
    one = read(board, "/api/fleet/overview?span=30d&group=web")
    assert one["shown"] == 3 and one["total"]["calls"] == 3 * 39


def test_decisions_come_newest_first_a_page_at_a_time(board: FleetBoard) -> None:
    lines = [decided("m-1", seq, 100 - seq, "block" if seq % 2 else "continue") for seq in range(1, 21)]
    board.store.take(lines)
    first = read(board, "/api/fleet/decisions?limit=8")
    second = read(board, f"/api/fleet/decisions?limit=12&before={quote(first['more'])}")
    ids = [each["id"] for each in first["decisions"] + second["decisions"]]
    assert ids == [each.id for each in sorted(lines, key=lambda each: -time_of(each.id))]
    assert second["more"] == ""
    objections = read(board, "/api/fleet/decisions?only=objections&rule=git/force-push&machine=m-1")
    assert len(objections["decisions"]) == 10
    assert read(board, "/api/fleet/decisions?machine=m-2")["decisions"] == []


def test_a_rollout_shows_who_has_which_version(board: FleetBoard) -> None:
    board.store.beat([told("m-1", bundle={"version": 4, "state": "current"}), told("m-2"), told("m-3")])
    board.store.take([decided("m-1", 1, 9, "block", bundle=4), decided("m-2", 1, 9)])
    (group,) = read(board, "/api/fleet/rollouts?span=7d")["groups"]
    assert [(each["version"], each["machines"]) for each in group["bundles"]] == [(4, 1), (3, 2)]
    assert group["bundles"][0]["calls"]["block"] == 1


def test_lines_of_one_moment_are_not_lost_between_pages(board: FleetBoard) -> None:
    ids = [new_id(1_790_000_000.0) for _ in range(9)]
    board.store.take(
        [decided(f"m-{n % 3}", n + 1, 0).replace(id=each, moment=7) for n, each in enumerate(ids)]
    )
    found, more = [], ""
    while True:
        page = read(board, f"/api/fleet/decisions?limit=2&before={quote(more)}")
        found += [each["id"] for each in page["decisions"]]
        if not (more := page["more"]):
            break
    assert sorted(found) == sorted(ids)


@pytest.mark.parametrize(
    "path",
    [
        "/api/fleet/overview?span=never",
        "/api/fleet/machines?offset=x",
        "/api/fleet/decisions?before=now",
        "/api/fleet/machines/m-404",
    ],
)
def test_an_address_that_asks_for_nothing_says_so(board: FleetBoard, path: str) -> None:
    board.enter()
    answer = board.ask(path)
    assert answer.status == 400 and answer.json()["error"]


@pytest.mark.parametrize("odd", ["'", "%00", "%ff", "a'%20OR%201=1--", "1e999", "nan"])
def test_what_an_address_holds_is_only_a_value(board: FleetBoard, odd: str) -> None:
    board.store.take([decided("m-1", 1, 9)])
    board.enter()
    for path in (
        "machines?text=",
        "decisions?machine=",
        "decisions?before=",
        "overview?group=",
        "machines?offset=",
    ):
        assert board.ask(f"/api/fleet/{path}{odd}").status in (200, 400)


def test_a_database_that_is_away_is_told(tmp_path: Path) -> None:
    board = FleetBoard(tmp_path)
    try:
        board.enter()
        (tmp_path / "fleet.sqlite3").write_bytes(b"no database")
        assert board.ask("/api/fleet/machines").status == 503
    finally:
        board.close()


@pytest.mark.slow
def test_ten_thousand_machines_are_a_page_of_a_hundred(board: FleetBoard) -> None:
    board.store.beat([told(f"m-{number:05}", group=f"g{number % 40}") for number in range(10_000)])
    found = read(board, "/api/fleet/machines")
    assert (found["total"], len(found["machines"])) == (10_000, 100)
    assert len(board.ask("/api/fleet/machines").body) < 100_000
    assert read(board, "/api/fleet/machines?text=m-09999&group=g39")["found"] == 1
