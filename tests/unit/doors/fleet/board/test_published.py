"""What is published for the groups, as the dashboard shows it: only what machines would believe, too."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fleet_servers import FolderServer
from fleet_workshop import DAY, Publishing

from fairlead.doors.fleet.board.published import Published, Word, word_of
from fairlead.doors.fleet.publishers import Target
from fairlead.errors import UsageError
from fairlead.fleet.bundles.signing import new_key
from fairlead.fleet.publishing.pointer import Pointer
from fleet_board_kit import FleetBoard, told


@pytest.fixture
def publishing(tmp_path: Path) -> Publishing:
    (tmp_path / "shelf").mkdir()
    return Publishing(f"folder:{tmp_path}/shelf")


def known(publishing: Publishing, address: str = "", *, checked: bool = True) -> Published:
    roles = publishing.roles if checked else None
    return Published(Target(address) if address else publishing.target, roles)


def word(publishing: Publishing, group: str = "web", **more: bool) -> Word:
    return known(publishing, **more).of([group])[group]


def test_what_is_signed_is_shown_whole(publishing: Publishing) -> None:
    publishing.publish(1)
    publishing.publish(2, percent=30)
    found = word(publishing).as_json()
    assert (found["state"], found["version"], found["percent"], found["previous"]) == ("signed", 2, 30, 1)
    assert 0 < found["expires"] - time.time() <= DAY


def test_a_halt_says_why(publishing: Publishing) -> None:
    publishing.publish(1)
    publishing.publish(2, percent=30)
    publishing.say(lambda _: publishing.pointer().rollout.replace(halted=True, percent=0, why="it blocks"))
    found = word(publishing).as_json()
    assert (found["halted"], found["back"], found["halt"], found["previous"]) == (True, True, "it blocks", 1)


def test_without_roles_it_is_said_that_nobody_checked(publishing: Publishing) -> None:
    publishing.publish(1)
    assert word(publishing, checked=False).state == "unchecked"


def test_nothing_that_is_forged_is_told(publishing: Publishing) -> None:
    publishing.publish(7)
    publishing.online_key = new_key()
    publishing.publish(8, content=publishing.bundle(8))
    found = word(publishing)
    assert (found.state, found.version) == ("forged", 0) and found.why


def test_the_word_about_another_group_counts_for_none(publishing: Publishing) -> None:
    content = publishing.publish(1, "lab").written()
    assert word_of(content, "web", publishing.roles).state == "forged"
    renamed = content.replace(b'"group":"lab"', b'"group":"web"')
    assert word_of(renamed, "web", publishing.roles).state in ("forged", "unreadable")


def test_the_version_around_the_signed_statement_is_nobodys_word(publishing: Publishing) -> None:
    one, two = publishing.publish(1), publishing.publish(2)
    mixed = Pointer(two.group, two.release, two.published, 1, one.freshness, one.rollout)
    assert word_of(mixed.written(), "web", publishing.roles).state == "forged"


@pytest.mark.parametrize("content", [b"", b"{}", b"null", b"\xff" * 9000, b"[" * 5000, b'{"format": 1}'])
def test_what_is_no_pointer_is_unreadable(publishing: Publishing, content: bytes) -> None:
    assert word_of(content, "web", publishing.roles).state == "unreadable"


def test_what_was_said_earlier_is_not_believed_again(publishing: Publishing, monkeypatch) -> None:
    monkeypatch.setattr("fairlead.doors.fleet.board.published._AGAIN", 0.0)
    early = publishing.publish(1)
    monkeypatch.setattr(time, "time", lambda now=time.time: now() + 60)
    publishing.publish(2)
    asked = known(publishing)
    assert asked.of(["web"])["web"].version == 2
    publishing.put(early)
    assert asked.of(["web"])["web"].state == "forged"


@pytest.mark.parametrize(
    "group", ["../../etc/passwd", "web/../lab", "", ".", "*", ">", "WEB", "a" * 64, "\u202e"]
)
def test_the_name_of_a_group_leads_nowhere_else(publishing: Publishing, tmp_path: Path, group: str) -> None:
    publishing.publish(1)
    assert known(publishing).of([group, "web"]).keys() == {"web"}


def test_an_address_that_is_away_is_told_and_nothing_is_lost(tmp_path: Path, publishing: Publishing) -> None:
    publishing.publish(1)
    asked = known(publishing)
    assert asked.of(["web"])["web"].version == 1
    (tmp_path / "shelf").rename(tmp_path / "gone")
    asked.of(["lab"])
    assert "no folder" in asked.trouble
    assert asked.of(["web"])["web"].version == 1


def test_a_web_server_is_read_as_well(tmp_path: Path, publishing: Publishing) -> None:
    publishing.publish(3)
    with FolderServer(tmp_path / "shelf") as server:
        found = known(publishing, server.url)
        assert found.of(["web", "lab"])["web"].state == "signed"
        assert found.of(["web", "lab"])["lab"].state == "nothing"


@pytest.mark.parametrize("address", ["ftp://x", "http://example.com/x", "nats:/x", "machines.txt"])
def test_an_address_that_nothing_can_be_read_from_is_refused(address: str) -> None:
    with pytest.raises(UsageError):
        Published(Target(address))


@pytest.fixture
def board(tmp_path: Path, publishing: Publishing) -> Iterator[FleetBoard]:
    made = FleetBoard(tmp_path, published=known(publishing))
    made.enter()
    yield made
    made.close()


def group(board: FleetBoard):
    found = board.ask("/api/fleet/rollouts?span=7d").json()
    assert found["source"]["trouble"] == "" and found["source"]["checks"]
    return found["groups"][0]


def test_machines_are_counted_by_how_they_stand_to_what_is_published(
    board: FleetBoard, publishing: Publishing
) -> None:
    publishing.publish(1)
    publishing.publish(2)
    current, old = {"version": 2, "state": "current"}, {"version": 1, "state": "current"}
    refused = {"version": 1, "state": "refused"}
    bundles = [current, current, old, refused]
    board.store.beat([told(f"m-{place}", bundle=each) for place, each in enumerate(bundles)])
    found = group(board)
    assert found["published"]["version"] == 2
    assert found["standing"] == {"has": 2, "lags": 1, "refuses": 1, "absent": 0}


def test_who_is_not_in_the_percentage_waits_and_does_not_lag(
    board: FleetBoard, publishing: Publishing
) -> None:
    publishing.publish(1)
    publishing.publish(2, percent=1)
    old = {"version": 1, "state": "current"}
    board.store.beat([told(f"m-{place}", bundle=old) for place in range(20)])
    standing = group(board)["standing"]
    assert standing["waits"] + standing.get("lags", 0) == 20 and standing["waits"] > 15
    publishing.say(lambda _: publishing.pointer().rollout.replace(halted=True))


def test_who_is_to_go_back_leaves(board: FleetBoard, publishing: Publishing) -> None:
    publishing.publish(1)
    publishing.publish(2, percent=50)
    publishing.say(lambda _: publishing.pointer().rollout.replace(halted=True, percent=0))
    board.store.beat([told("m-1", bundle={"version": 2, "state": "current"}),
                      told("m-2", bundle={"version": 1, "state": "current"})])  # fmt: skip
    assert group(board)["standing"] == {"leaves": 1, "waits": 1, "absent": 0}
