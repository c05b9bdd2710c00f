"""`fairlead forward` to real receivers on this machine."""

import asyncio
import json
import os
import re
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from broker import BROKER, NatsServer, free_port
from syslog_server import SyslogServer

from fairlead.doors.bus.connection import Broker, connect
from fairlead.errors import FairleadError, UsageError
from fairlead.sinks.syslog import SyslogSink
from index_kit import call, write
from kit import Machine

pytestmark = pytest.mark.slow
HOSTILE = 'x"]\n<13>1 - evil - - - ] \\'
MESSAGE = re.compile(
    r"<(\d+)>1 (\S+) (\S+) fairlead (\d+) (\S+) "
    r'\[fairlead@32473 ((?:[a-zA-Z]+="(?:[^"\\\]]|\\.)*" ?)+)\] (.*)'
)


@pytest.fixture
def syslog(tmp_path: Path) -> Iterator[SyslogServer]:
    server = SyslogServer(tmp_path, free_port())
    yield server
    server.stop()


class Reader:
    """Takes whatever is posted, or refuses it."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, dict[str, str], Any]] = []
        self.status = 200
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                owner.posts.append((self.path, headers, body))
                self.send_response(owner.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def reader() -> Iterator[Reader]:
    made = Reader()
    yield made
    made.close()


def forward(machine: Machine, *words: str) -> str:
    done = machine.fairlead("forward", *words, "--from-start")
    assert done.returncode == 0, done.stderr
    return done.stderr.decode()


def journal(machine: Machine, *records: dict[str, object]) -> None:
    write(machine.home / "state" / "journal", *records)


def test_syslog_takes_each_message_whole_whatever_is_in_it(machine: Machine, syslog: SyslogServer) -> None:
    odd = call(3, agent=HOSTILE, verdict={"decision": "ask", "rule": HOSTILE})
    journal(machine, call(1), call(2, "block"), odd)
    forward(machine, "--syslog", f"tcp://127.0.0.1:{syslog.port}")
    found = [MESSAGE.fullmatch(line) for line in syslog.lines(3)]
    assert len(found) == 3 and all(found), syslog.lines(3)
    passed, blocked, asked = (each for each in found if each)
    assert [int(each[1]) for each in (passed, blocked, asked)] == [110, 108, 109]
    assert 'rule="git/force-push"' in blocked[6] and blocked[7] == "block by git/force-push"
    assert "evil" in asked[6]


def test_syslog_that_was_away_misses_nothing(syslog: SyslogServer) -> None:
    with SyslogSink(f"tcp://127.0.0.1:{syslog.port}") as sink:
        sink.send([call(1)])
        assert len(syslog.lines(1)) == 1
        syslog.stop()
        with pytest.raises(FairleadError):
            sink.send([call(2)])
        syslog.start()
        sink.send([call(2), call(3)])
    assert len(syslog.lines(3)) >= 3


def test_syslog_through_a_socket_of_this_machine(tmp_path: Path) -> None:
    taken: list[bytes] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            taken.append(self.rfile.read())

    with socketserver.UnixStreamServer(str(tmp_path / "log"), Handler) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        with SyslogSink(f"unix:{tmp_path}/log") as sink:
            sink.send([call(1)])
        thread.join(20)
    size, _, rest = taken[0].partition(b" ")
    assert int(size) == len(rest) and rest.startswith(b"<110>1 ")


@pytest.mark.parametrize(
    "target", ["udp://x:1", "tcp://logs.example:601", "unix:relative", "tls://", "tcp://[::1"]
)
def test_an_address_that_is_no_syslog_here_is_refused(target: str) -> None:
    with pytest.raises((UsageError, FairleadError, ValueError)):
        SyslogSink(target)


def test_logs_go_to_a_collector_with_whose_they_are(machine: Machine, reader: Reader) -> None:
    journal(machine, call(1), call(2, "block"))
    forward(machine, "--otlp-logs", reader.url, "--header", "x-key: 7")
    ((path, headers, body),) = reader.posts
    assert path == "/v1/logs" and headers["x-key"] == "7"
    (resource,) = body["resourceLogs"]
    about = {each["key"]: each["value"] for each in resource["resource"]["attributes"]}
    assert about["service.name"] == {"stringValue": "fairlead"} and "host.name" in about
    logs = resource["scopeLogs"][0]["logRecords"]
    assert [each["severityText"] for each in logs] == ["INFO", "WARN"]
    assert "git push 1" not in json.dumps(body)
    reader.status = 503
    journal(machine, call(3))
    assert machine.fairlead("forward", "--otlp-logs", reader.url).returncode == 1
    reader.status = 200
    assert "1 line sent" in machine.fairlead("forward", "--otlp-logs", reader.url).stderr.decode()


def test_ocsf_goes_to_a_file_and_over_http(machine: Machine, reader: Reader, tmp_path: Path) -> None:
    journal(machine, call(1), call(2, "block"))
    forward(machine, "--ocsf", reader.url)
    forward(machine, "--ocsf", str(tmp_path / "events.jsonl"))
    written = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert reader.posts[0][2] == written
    assert [event["class_uid"] for event in written] == [1007, 1007, 2004]


@pytest.mark.skipif(
    not os.path.exists(BROKER),
    reason="NO nats-server HERE: streams are not tested on a real broker (make nats-server installs one)",
)
def test_a_stream_takes_each_line_once(machine: Machine, tmp_path: Path) -> None:
    server = NatsServer(tmp_path / "streams")
    server.start()
    try:
        asyncio.run(_streamed(server.url))
        secret = {"tool": {"name": "Bash", "kind": "shell", "input": {"command": "zebra"}}}
        journal(machine, call(1, facts=secret), call(2, "block"))
        for _ in range(2):
            forward(machine, "--jetstream", server.url, "--subject", "here.lines")
        bodies = asyncio.run(_streamed(server.url))
        assert [json.loads(body)["seq"] for body in bodies] == [1, 2]
        assert b"zebra" not in b"".join(bodies)
        refused = machine.fairlead(
            "forward", "--jetstream", server.url, "--subject", "elsewhere", "--from-start"
        )
        assert refused.returncode == 1 and b"did not take elsewhere" in refused.stderr
    finally:
        server.stop()


async def _streamed(url: str) -> list[bytes]:
    client = await connect(Broker(url), patience=20)
    try:
        stream = client.jetstream()
        await stream.add_stream(name="LINES", subjects=["here.>"])
        info = await stream.stream_info("LINES")
        return [
            (await stream.get_msg("LINES", number)).data or b""
            for number in range(1, info.state.messages + 1)
        ]
    finally:
        await client.close()


def test_one_receiver_is_needed_and_options_belong_to_theirs(machine: Machine) -> None:
    for words in (
        (),
        ("--ocsf", "x", "--syslog", "unix:/x"),
        ("--ocsf", "x", "--no-tags"),
        ("--syslog", "unix:/x", "--genai"),
    ):
        assert machine.fairlead("forward", *words).returncode == 64, words


def test_rubbish_in_the_journal_holds_nothing_up(machine: Machine, reader: Reader) -> None:
    journal(machine, call(1))
    (segment,) = (machine.home / "state" / "journal").glob("*.jsonl")
    with segment.open("a") as file:
        file.write("no line\n" * 1200)
    journal(machine, call(2))
    assert "2 lines sent" in forward(machine, "--otlp-logs", reader.url)
