"""Simulated machines that share a connection keep to the rules of the agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nkeys
import pytest

from benchmarks.fleet.carrier import Carrier
from benchmarks.fleet.senders import Load, turns_of
from benchmarks.fleet.spool import Spool
from fairlead.doors.fleet.collecting.intake import take_decision
from fleet_messages import line

TAKEN, KNOWN = b'{"stream":"S", "seq":1}', b'{"stream":"S","seq":1,"duplicate": true}'
REFUSED = b'{"error":{"code":503,"description":"no room"}}'


class Wire:
    """Where a carrier writes to."""

    def __init__(self) -> None:
        self.wrote = b""

    def write(self, data: bytes) -> None:
        self.wrote += data

    def taken(self) -> bytes:
        wrote, self.wrote = self.wrote, b""
        return wrote


@pytest.fixture
def carrier(tmp_path: Path) -> Any:
    seed = tmp_path / "seed"
    seed.write_bytes(nkeys.encode_seed(bytes(range(32)), nkeys.PREFIX_BYTE_USER))
    made: Any = Carrier("c-0", ("127.0.0.1", 1), seed)
    made._transport = Wire()
    made._introduced = True
    made.up.set()
    return made


@pytest.fixture
def spool() -> Spool:
    return Spool("m-1", "web", line(1))


def names_in(pieces: list[tuple[int, bytes]]) -> list[str]:
    return [piece.split(b"Nats-Msg-Id: ")[1].split(b"\r\n")[0].decode() for _, piece in pieces]


def answer(number: int, body: bytes) -> bytes:
    return b"MSG _INBOX_c-0.lines.%d 1 %d\r\n%b\r\n" % (number, len(body), body)


def test_its_lines_are_what_the_centre_takes_from_a_machine(spool: Spool) -> None:
    spool.write(1_790_000_000.0)
    spool.write(1_790_000_001.0)
    found = [take_decision("m-1", message, mark="s/1").decision for _, message in spool._lines]
    assert [(each.machine, each.group, each.seq) for each in found if each] == [
        ("m-1", "web", 1),
        ("m-1", "web", 2),
    ]
    assert found[0] and found[1] and found[1].prev and found[0].writer == found[1].writer


def test_a_batch_is_over_when_all_of_it_was_acknowledged(spool: Spool, carrier: Carrier) -> None:
    spool.write(1.0)
    spool.write(2.0)
    (first, _), (second, _) = spool.send(carrier, 0.0)
    assert spool.send(carrier, 0.0) == []
    spool.hear(first, TAKEN, carrier, 0.1)
    assert spool.behind == 2
    spool.hear(second, TAKEN, carrier, 0.1)
    assert (spool.behind, spool.failures, spool.send(carrier, 0.1)) == (0, 0, [])


def test_a_line_whose_id_is_known_goes_under_another_one(spool: Spool, carrier: Carrier) -> None:
    spool.write(1.0)
    sent = spool.send(carrier, 0.0)
    again = spool.hear(sent[0][0], KNOWN, carrier, 0.1)
    (name,), (other,) = names_in(sent), names_in(again)
    assert other.startswith(f"{name}-") and spool.alarms == 1
    spool.hear(again[0][0], TAKEN, carrier, 0.2)
    assert spool.behind == 0


@pytest.mark.parametrize("body", [REFUSED, b"", b"{}"])
def test_a_batch_that_was_not_taken_goes_again_after_a_pause(
    spool: Spool, carrier: Carrier, body: bytes
) -> None:
    spool.write(1.0)
    sent = spool.send(carrier, 0.0)
    spool.hear(sent[0][0], body, carrier, 0.1)
    assert (spool.behind, spool.failures, spool.send(carrier, 0.2)) == (1, 1, [])
    again = spool.send(carrier, 100.0)
    assert names_in(again) == names_in(sent)
    spool.hear(again[0][0], KNOWN, carrier, 100.1)
    assert spool.alarms == 0


def test_what_is_not_answered_in_time_goes_again(spool: Spool, carrier: Carrier) -> None:
    spool.write(1.0)
    ((number, _),) = spool.send(carrier, 0.0)
    assert spool.look(9.0) == []
    assert spool.look(11.0) == [number]
    spool.hear(number, TAKEN, carrier, 11.1)
    assert spool.behind == 1


def test_answers_are_found_however_they_are_cut(carrier: Any) -> None:
    heard: list[tuple[int, bytes]] = []
    carrier.answered = lambda number, body: heard.append((number, body))
    nobody = b"HMSG _INBOX_c-0.lines.9 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n"
    text = b"PING\r\n" + answer(7, TAKEN) + b"+OK\r\n" + nobody + answer(8, KNOWN)
    for start in range(len(text)):
        carrier.data_received(text[start : start + 1])
    assert heard == [(7, TAKEN), (9, b""), (8, KNOWN)]
    assert carrier._transport.taken() == b"PONG\r\n"


def test_a_carrier_says_who_it_is_with_its_key(carrier: Any) -> None:
    carrier._introduced = False
    carrier.up.clear()
    carrier.data_received(b'INFO {"nonce": "abc"}\r')
    assert carrier._transport.taken() == b""
    carrier.data_received(b"\nPONG\r\n")
    told = json.loads(carrier._transport.taken().split(b"\r\n")[0].removeprefix(b"CONNECT "))
    assert told["nkey"].startswith("U") and told["sig"]
    assert carrier.up.is_set()


def test_a_connection_that_breaks_sends_all_that_was_under_way_again(carrier: Any) -> None:
    spools = [Spool(f"m-{number}", "web", line(1)) for number in range(2)]
    load = Load(carrier, spools)
    for turn in turns_of([load]):
        for each, visited in turn:
            each.visit(visited, writes=True)
    assert carrier._transport.taken().count(b"HPUB ") == 2
    carrier.data_received(answer(1, TAKEN))
    carrier.connection_lost(None)
    assert [each.behind for each in spools] == [0, 1]
    assert not any(each.busy for each in spools)
    assert [each.failures for each in spools] == [0, 1]
