from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairlead.doors.fleet.forwarding import Forwarder
from fairlead.doors.fleet.in_force import InForce
from fairlead.doors.fleet.journals import UserJournal
from fairlead.errors import FairleadError
from fairlead.fleet.telling.privacy import Privacy
from fairlead.journal.cursor import Cursor
from index_kit import call, write


class Stream:
    """A broker's stream as a list, which knows an id again and can be away."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.refuses_after = 1 << 30
        self.swallows_acks = False

    async def publish(self, subject: str, body: bytes, *, headers: Mapping[str, str]) -> dict[str, Any]:
        await asyncio.sleep(0)
        if len(self.ids) >= self.refuses_after:
            raise FairleadError("the broker is away")
        name = headers["Nats-Msg-Id"]
        known = name in self.ids
        if not known:
            self.ids.append(name)
            self.bodies.append(json.loads(body))
        if self.swallows_acks:
            raise FairleadError("no answer")
        return {"seq": len(self.ids), "duplicate": known}

    def requests(self) -> list[str]:
        return [body["line"]["seq"] for body in self.bodies]


def forwarder(folder: Path, stream: Stream, **more: Any) -> Forwarder:
    journal = UserJournal(str(folder / "journal"), "dev", "/home/dev")
    return Forwarder(journal, str(folder / "spool"), stream.publish, machine="m-1", group="web", **more)


def sends(one: Forwarder) -> int:
    """Until nothing is left."""
    total = 0
    while found := asyncio.run(one.step()):
        total += found
    return total


def test_each_line_is_sent_once_with_its_place(tmp_path: Path) -> None:
    stream = Stream()
    write(tmp_path / "journal", *(call(number) for number in range(500)))
    assert sends(forwarder(tmp_path, stream)) == 500
    assert stream.requests() == list(range(1, 501))
    assert sends(forwarder(tmp_path, stream)) == 0
    assert all(each.startswith("m-1-") for each in stream.ids)


def test_what_was_there_before_the_fleet_stays(tmp_path: Path) -> None:
    stream = Stream()
    write(tmp_path / "journal", call(1))
    one = forwarder(tmp_path, stream)
    one.begin_here()
    write(tmp_path / "journal", call(2))
    assert sends(one) == 1
    again = forwarder(tmp_path, stream)
    again.begin_here()
    write(tmp_path / "journal", call(3))
    assert sends(again) == 1


def test_after_a_refusal_everything_is_sent_again(tmp_path: Path) -> None:
    stream = Stream()
    write(tmp_path / "journal", *(call(number) for number in range(50)))
    one = forwarder(tmp_path, stream)
    stream.refuses_after = 20
    with pytest.raises(FairleadError):
        asyncio.run(one.step())
    stream.refuses_after = 1 << 30
    assert sends(one) == 50
    assert set(stream.requests()) == set(range(1, 51))
    assert one.kept["alarms"] == 0


def test_a_killed_agent_takes_its_own_lines_for_no_alarm(tmp_path: Path) -> None:
    stream = Stream()
    write(tmp_path / "journal", *(call(number) for number in range(30)))
    stream.swallows_acks = True
    with pytest.raises(FairleadError):
        asyncio.run(forwarder(tmp_path, stream).step())
    stream.swallows_acks = False
    after = forwarder(tmp_path, stream)
    assert sends(after) == 30
    assert len(set(stream.requests())) == 30
    assert after.kept["alarms"] == 0


def test_an_id_that_somebody_used_before_a_try_that_failed_keeps_no_line_back(tmp_path: Path) -> None:
    stream = Stream()
    record = call(1)
    write(tmp_path / "journal", record)
    stream.ids.append(f"m-1-{record['id']}")
    stream.swallows_acks = True
    one = forwarder(tmp_path, stream)
    with pytest.raises(FairleadError):
        asyncio.run(one.step())
    assert stream.requests() == []
    stream.swallows_acks = False
    assert sends(one) == 1
    assert stream.requests() == [1]


def test_an_id_that_somebody_used_is_an_alarm_and_the_line_is_sent_all_the_same(tmp_path: Path) -> None:
    stream = Stream()
    record = call(1)
    write(tmp_path / "journal", record)
    stream.ids.append(f"m-1-{record['id']}")
    one = forwarder(tmp_path, stream)
    assert sends(one) == 1
    assert one.kept["alarms"] == 1
    assert stream.requests() == [1]
    assert forwarder(tmp_path, stream).kept["alarms"] == 1


def test_rotation_loses_nothing(tmp_path: Path) -> None:
    stream = Stream()
    one = forwarder(tmp_path, stream)
    for start in range(0, 300, 30):
        write(tmp_path / "journal", *(call(number) for number in range(start, start + 30)), max_bytes=4000)
        asyncio.run(one.step())
    sends(one)
    assert len(stream.bodies) == 300
    assert len(os.listdir(tmp_path / "journal")) > 10


def test_what_is_no_line_is_passed_over_and_counted(tmp_path: Path) -> None:
    stream = Stream()
    write(tmp_path / "journal", call(1))
    with open(tmp_path / "journal" / "journal.jsonl", "ab") as file:
        file.write(b'{"v":1,"id":"../../x","writer":7}\n' + b"rubbish\n" * 500)
    write(tmp_path / "journal", call(2))
    one = forwarder(tmp_path, stream)
    for _ in range(10):
        asyncio.run(one.step())
    assert len(stream.bodies) == 2
    assert one.kept["foreign"] == 1


def test_a_place_where_something_else_than_a_file_stands_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "journal", call(1))
    os.mkfifo(tmp_path / "journal" / "journal.000009.jsonl")
    one = forwarder(tmp_path, Stream())
    assert asyncio.run(one.step()) == 0
    assert "is no file" in one.problem
    os.unlink(tmp_path / "journal" / "journal.000009.jsonl")
    assert (asyncio.run(one.step()), one.problem) == (1, "")


@pytest.mark.parametrize("kind", ["fifo", "link", "somebody else's"])
def test_of_another_users_journal_nothing_is_opened_but_plain_files_of_that_user(
    tmp_path: Path, kind: str
) -> None:
    write(tmp_path / "elsewhere", call(1))
    folder = tmp_path / "journal"
    folder.mkdir()
    place, mine = folder / "journal.jsonl", tmp_path / "elsewhere" / "journal.jsonl"
    owner = os.getuid()
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "link":
        place.symlink_to(mine)
    else:
        os.link(mine, place)
        owner += 1
    cursor = Cursor(str(tmp_path / "cursor.json"), str(folder), owner=owner)
    cursor.skip_all()
    assert (cursor.behind, cursor.read(10)) == (0, [])


def test_the_bundle_in_force_says_what_leaves(tmp_path: Path) -> None:
    stream, rules = Stream(), InForce(4, "ab" * 32, Privacy(frozenset(["agent"])))
    write(tmp_path / "journal", call(1, "block"))
    sends(forwarder(tmp_path, stream, rules=lambda: rules))
    (body,) = stream.bodies
    assert body["bundle"] == {"version": 4, "sha256": "ab" * 32}
    assert body["line"]["agent"] == "claude" and "verdict" not in body["line"]
    assert "/verdict/decision" in body["erased"]


def test_lines_of_any_size_take_bounded_memory_at_a_time(tmp_path: Path) -> None:
    stream = Stream()
    big = {"tool": {"name": "Bash", "kind": "shell", "input": {"command": "x" * 1_000_000}}}
    write(tmp_path / "journal", *(call(number, facts=big) for number in range(12)))
    one = forwarder(tmp_path, stream)
    assert asyncio.run(one.step()) < 6
    assert one.behind > 0
    sends(one)
    assert len(stream.bodies) == 12 and one.behind == 0
