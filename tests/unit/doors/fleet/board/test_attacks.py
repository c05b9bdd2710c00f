"""The fleet's dashboard under attack: by what machines send, by pages of other sites, by odd addresses."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from fairlead.doors.fleet.collecting.heartbeats import Beat, take_heartbeat
from fairlead.doors.fleet.collecting.intake import Incident, storable, take_decision
from fleet_board_kit import FleetBoard, decided, told
from fleet_messages import line

ODD = (
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "javascript:alert(1)",
    "\x1b[2J\x1b]0;owned\x07",
    "a\u202egnp.exe\u2066",
    "\u200b\ufeff\u00ad",
    "line\nline\r\nline",
    "x" * 1_000_000,
    "\U0001f4a3" * 60_000,
    "' OR 1=1; DROP TABLE machines; --",
    "%s %d ? ?",
    "../../../etc/passwd",
    "\ud800 alone",
    "\x00\x00",
    "__proto__",
)
READINGS = (
    "/api/fleet/overview?span=90d",
    "/api/fleet/machines",
    "/api/fleet/machines?list=unknown",
    "/api/fleet/machines/m-1",
    "/api/fleet/decisions",
    "/api/fleet/rollouts?span=7d",
    "/api/fleet/alarms?span=90d",
    "/api/fleet/asks",
    "/api/about",
)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[FleetBoard]:
    made = FleetBoard(tmp_path)
    yield made
    made.close()


def send(board: FleetBoard, odd: str) -> None:
    """As a machine of the attacker would, through what the collector does with it."""
    verdict = {"decision": "block", "rule": odd, "would": {"decision": odd, "rule": odd}}
    facts = {"tool": {"kind": odd}, "command": odd, "path": odd}
    record = {
        **line(3),
        "agent": odd,
        "event": odd,
        "user": odd,
        "session": odd,
        "facts": facts,
        "verdict": verdict,
    }
    message = {"v": 1, "machine": "m-1", "group": odd, "bundle": {"version": odd}, "line": record}
    taken = take_decision("m-1", json.dumps(message).encode(), mark="a/1")
    incident = Incident("m-1", odd, odd, odd)
    glass = decided("m-1", 9, 20).replace(rule=storable(f"break-glass{odd}"))
    board.store.take([each for each in (taken.decision, glass) if each], [*taken.incidents, incident])
    named = dict.fromkeys(("host", "mode", "off"), odd)
    heartbeat = {
        **{"v": 1, "machine": "m-1", "group": "web", "at": "2026-11-01T00:00:00Z", **named},
        "fairlead": {"version": odd, "build": odd},
        "bundle": {"version": 1, "state": odd, "reason": odd, "sha256": odd},
        "rows": [{"name": odd, "state": odd, odd: odd}] * 300,
        "agents": [{"agent": odd, "seen_without_calls": True}] * 300,
        **{"counts": {"calls": -1}, "journal": {"behind": 10**400}},
    }
    for rows in (heartbeat, {**heartbeat, "rows": [], "agents": []}):
        beat = take_heartbeat("m-1", json.dumps(rows).encode(), mark="h/1")
        board.store.beat([beat] if isinstance(beat, Beat) else [], [] if isinstance(beat, Beat) else [beat])


@pytest.mark.parametrize("odd", ODD, ids=[ascii(odd[:12]) for odd in ODD])
def test_whatever_a_machine_sends_every_page_answers_within_bounds_and_printable(
    board: FleetBoard, odd: str
) -> None:
    board.store.beat([told("m-1"), told("m-2")])
    send(board, odd)
    board.enter()
    for path in READINGS:
        answer = board.ask(path)
        assert answer.status == 200, (path, answer.body[:300])
        assert len(answer.body) < 300_000, path
        assert all(text.isprintable() for text in texts(answer.json())), path
    assert board.ask("/api/fleet/machines").json()["total"] == 2


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


@pytest.mark.parametrize("odd", ODD[:-4])
@pytest.mark.parametrize(
    "name", ["text", "group", "state", "list", "machine", "rule", "kind", "span", "offset", "before"]
)
def test_whatever_an_address_holds_is_answered(board: FleetBoard, name: str, odd: str) -> None:
    board.store.beat([told("m-1")])
    board.enter()
    value = quote(odd[:3_000].encode("utf-8", "replace"))
    for path in ("overview", "machines", "decisions", "rollouts", "alarms", "asks"):
        assert board.ask(f"/api/fleet/{path}?{name}={value}").status in (200, 400)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil.example:{port}",
        "localhost.evil.example:{port}",
        "0.0.0.0:{port}",
        "[::]:{port}",
        "127.1:{port}",
        "2130706433:{port}",
        "localhost:{port}@evil.example",
        "",
    ],
)
def test_a_name_that_is_made_to_lead_here_is_refused(board: FleetBoard, host: str) -> None:
    board.enter()
    named = {"host": host.format(port=board.port)}
    for path in ("/", "/api/fleet/machines", "/static/app.js", f"/?token={board.gate.token}"):
        assert board.ask(path, headers=named).status in (400, 421), path


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        "",
    ],
)
def test_another_site_changes_and_reads_nothing(board: FleetBoard, origin: str) -> None:
    board.enter()
    sent = {"origin": origin.format(port=board.port)}
    assert board.ask("/api/fleet/asks/ab", "POST", {"answer": "approve"}, headers=sent).status == 403
    assert board.ask("/api/fleet/machines", headers=sent).status == 403
    assert board.ask("/api/fleet/machines", headers={"sec-fetch-site": "cross-site"}).status == 403
    assert board.ask("/api/fleet/machines", headers={"sec-fetch-site": "same-site"}).status == 403


def test_a_form_of_another_site_is_no_answer(board: FleetBoard) -> None:
    board.enter()
    ours = {"origin": board.address}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        sent = {**ours, "content-type": kind}
        assert board.ask("/api/fleet/asks/ab", "POST", {"answer": "approve"}, headers=sent).status == 415


@pytest.mark.parametrize("token", ["", "x", "%00", "é", "x" * 10_000])
def test_a_wrong_token_opens_nothing(board: FleetBoard, token: str) -> None:
    assert board.ask(f"/?token={quote(token)}").status in (400, 403, 414)
    assert board.ask("/", headers={"cookie": f"fairlead_{board.port}={token.encode().hex()}"}).status in (
        400,
        403,
        431,
    )


def test_a_token_opens_once(board: FleetBoard) -> None:
    token = board.gate.token
    assert board.ask(f"/?token={token}").status == 303
    assert board.ask(f"/?token={token}").status == 403
    assert (
        board.ask("/api/about", headers={"authorization": f"Bearer {board.gate.scrape_token}"}).status == 403
    )


@pytest.mark.parametrize(
    "path",
    [
        "/static/../shell.html",
        "/static/..%2fshell.html",
        "/static/%2e%2e/gate.py",
        "/static/..%5cgate.py",
        "/static//etc/passwd",
        "/fleet/../server.py",
        "/fleet/..%2f..%2fcentre%2fexpected.py",
        "/fleet/%00",
        "/fleet/static/../../server.py",
        "//etc/passwd",
        "/api/fleet/machines/..%2f..%2fetc%2fpasswd",
        "/api/fleet/machines/%00",
        "/shell.html",
        "http://evil.example/",
    ],
)
def test_no_path_leads_out_of_the_pages(board: FleetBoard, path: str) -> None:
    board.enter()
    answer = board.ask(path)
    assert answer.status in (400, 404) or b"$app" not in answer.body
    for secret in (b"root:", b"from __future__", b"$app"):
        assert secret not in answer.body


@pytest.mark.parametrize(
    "body", [b"x" * 1_000_000, b"[" * 200_000, b'{"a":' * 100_000, b"null", b"\xff\xfe", b""]
)
def test_an_answer_that_is_none_is_refused(board: FleetBoard, body: bytes) -> None:
    board.enter()
    connection = http.client.HTTPConnection("127.0.0.1", board.port, timeout=20)
    sent = {"cookie": board.cookie, "origin": board.address, "content-type": "application/json"}
    connection.request("POST", "/api/fleet/asks/ab", body, sent)
    assert connection.getresponse().status == 400
    connection.close()


def test_without_a_broker_there_is_nothing_to_answer(board: FleetBoard) -> None:
    board.enter()
    answer = board.ask("/api/fleet/asks/ab", "POST", {"answer": "approve"})
    assert answer.status == 400 and "no broker" in answer.json()["error"]


def test_connections_that_say_nothing_keep_nobody_out(board: FleetBoard) -> None:
    board.store.beat([told("m-1")])
    board.enter()
    silent = [socket.create_connection(("127.0.0.1", board.port)) for _ in range(200)]
    for each in silent[:100]:
        each.send(b"GET / HTTP/1.1\r\nHost: x")
    assert board.ask("/api/fleet/machines").status == 200
    for each in silent:
        each.close()
    assert board.ask("/api/fleet/machines").json()["total"] == 1
