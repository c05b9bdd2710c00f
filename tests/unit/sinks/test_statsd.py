from __future__ import annotations

import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairlead.doors.cli.main import fairlead
from fairlead.errors import FairleadError, UsageError
from fairlead.journal.cursor import Cursor
from fairlead.sinks.statsd import StatsdSink, host_and_port, metric_lines
from index_kit import call, observation, outcome, write

_LINE = re.compile(
    r"(?P<name>[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*):(?P<value>\d+(?:\.\d+)?)\|(?P<kind>c|ms)"
    r"(?:\|#(?P<tags>[a-z]+:[A-Za-z0-9_/-]+(?:,[a-z]+:[A-Za-z0-9_/-]+)*))?"
)


class StatsdServer:
    """A StatsD server on loopback that adds up counters, keeps times, and forgives nothing."""

    def __init__(self, port: int = 0) -> None:
        self.counters: Counter[tuple[str, str]] = Counter()
        self.times: dict[tuple[str, str], list[float]] = {}
        self.refused: list[str] = []
        self._taken = threading.Semaphore(0)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", port))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        """Takes what has arrived before: a datagram of its own is the last."""
        if self._thread.is_alive():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
                out.sendto(b"stop", ("127.0.0.1", self.port))
            self._thread.join(20)
            self._socket.close()

    def _serve(self) -> None:
        while (packet := self._socket.recv(65536)) != b"stop":
            if len(packet) > 1432:
                self.refused.append(f"{len(packet)} bytes")
            for line in packet.decode("ascii").split("\n") if packet else ():
                self._take(line)
            self._taken.release()

    def ready(self) -> None:
        """For the pause at a batch's end, after which no datagram comes."""
        self._taken.release()

    def wait_for_one(self, _seconds: float) -> None:
        """In place of a pause after a datagram: on a busy machine no buffer runs over."""
        self._taken.acquire(timeout=20)

    def _take(self, line: str) -> None:
        found = _LINE.fullmatch(line)
        if found is None:
            self.refused.append(line)
            return
        key = found["name"], found["tags"] or ""
        if found["kind"] == "ms":
            self.times.setdefault(key, []).append(float(found["value"]))
        else:
            self.counters[key] += int(found["value"])

    def total(self, name: str) -> int:
        return sum(number for (found, _), number in self.counters.items() if found == name)


@pytest.fixture
def server() -> Iterator[StatsdServer]:
    made = StatsdServer()
    yield made
    made.close()


def forward(home: Path, *words: str) -> Result:
    return CliRunner().invoke(fairlead, ["--home", str(home), "forward", *words], standalone_mode=False)


def test_a_server_counts_calls_rules_and_hooks_by_tags(server: StatsdServer) -> None:
    failing = call(3, outcomes=[outcome("guard", failure={"code": "timeout"})], degraded="ask became block")
    StatsdSink(server.address).send([call(1), call(2, "block", ms=30.0), call(4), failing])
    server.close()
    labels = "agent:claude,event:BeforeTool,tool:Bash,decision"
    assert server.refused == []
    assert server.counters == {
        ("fairlead.calls", f"{labels}:continue"): 3,
        ("fairlead.calls", f"{labels}:block"): 1,
        ("fairlead.rule_hits", "rule:git/force-push"): 1,
        ("fairlead.degraded", "agent:claude"): 1,
        ("fairlead.hook.continue", "hook:guard"): 3,
        ("fairlead.hook.block", "hook:guard"): 1,
        ("fairlead.hook.failed", "hook:guard"): 1,
    }
    assert server.times["fairlead.call_time", f"{labels}:block"] == [30.0]
    assert server.times["fairlead.hook.time", "hook:guard"] == [0.5] * 4


def test_a_server_without_tags_gets_plain_names(server: StatsdServer) -> None:
    StatsdSink(server.address, prefix="acme.hooks", tagged=False).send([call(1, "block")])
    server.close()
    assert server.refused == []
    assert server.counters == {
        ("acme.hooks.calls.claude.BeforeTool.Bash.block", ""): 1,
        ("acme.hooks.decisions.block", ""): 1,
        ("acme.hooks.rule_hits.git_force-push", ""): 1,
        ("acme.hooks.hooks.guard.block", ""): 1,
    }
    assert set(server.times) == {("acme.hooks.call_time", ""), ("acme.hooks.hooks.guard.time", "")}


def test_a_line_of_observers_counts_as_no_call() -> None:
    lines = list(metric_lines([observation(call(1), 2)]))
    assert lines == [
        "fairlead.hook.time:0.500|ms|#hook:log-operations",
        "fairlead.hook.continue:1|c|#hook:log-operations",
    ]


@pytest.mark.parametrize("tagged", [True, False])
def test_what_agents_call_things_cannot_forge_a_metric(tagged: bool) -> None:
    evil = "x:1|c\nforged:9|c|#a,b:c{}é"
    record = call(1, agent=evil, event=evil, outcomes=[outcome(evil, evil)])
    record["facts"] = {"tool": {"name": evil}}
    record["verdict"] = {"decision": evil, "rule": evil}
    lines = list(metric_lines([record], tagged=tagged))
    assert all(_LINE.fullmatch(line) for line in lines)
    assert not any("forged:" in line for line in lines)


def test_a_line_with_fields_of_any_kind_is_still_in_the_protocol() -> None:
    strange: list[dict[str, object]] = [
        {},
        {"facts": [], "outcomes": {}, "verdict": 3, "ms": "x"},
        {"outcomes": [1, {}], "ms": -1},
    ]
    assert all(_LINE.fullmatch(line) for line in metric_lines(strange))


def test_a_server_that_was_away_misses_nothing(tmp_path: Path) -> None:
    journal = tmp_path / "state" / "journal"
    first = StatsdServer()
    write(journal, *(call(number) for number in range(5)))
    assert forward(tmp_path, "--statsd", first.address, "--from-start").exception is None
    first.close()
    write(journal, call(10), call(11))
    for _ in range(2):
        away = forward(tmp_path, "--statsd", first.address).exception
        assert isinstance(away, FairleadError)
        assert "nobody listens" in away.message
    second = StatsdServer(first.port)
    assert "2 lines sent" in forward(tmp_path, "--statsd", first.address).stderr
    assert "0 lines sent" in forward(tmp_path, "--statsd", first.address).stderr
    second.close()
    assert (first.total("fairlead.calls"), second.total("fairlead.calls")) == (5, 2)


def test_the_first_time_begins_at_the_end_and_says_so_and_from_start_goes_back(
    server: StatsdServer, tmp_path: Path
) -> None:
    write(tmp_path / "state" / "journal", call(1), call(2))
    first = forward(tmp_path, "--statsd", server.address).stderr
    assert "--from-start" in first
    assert "0 lines sent" in first
    for _ in range(2):
        assert "2 lines sent" in forward(tmp_path, "--statsd", server.address, "--from-start").stderr


def test_each_receiver_has_its_own_place(server: StatsdServer, tmp_path: Path) -> None:
    write(tmp_path / "state" / "journal", call(1), call(2))
    other = StatsdServer()
    assert "2 lines sent" in forward(tmp_path, "--statsd", server.address, "--from-start").stderr
    assert "2 lines sent" in forward(tmp_path, "--statsd", other.address, "--from-start", "--no-tags").stderr
    other.close()
    server.close()
    assert server.total("fairlead.calls") == 2
    assert other.total("fairlead.decisions.continue") == 2


def test_a_long_journal_arrives_whole(server: StatsdServer, tmp_path: Path) -> None:
    hooks = [outcome(f"hook-{number}") for number in range(8)]
    write(tmp_path / "journal", *(call(number, outcomes=hooks) for number in range(300)))
    cursor = Cursor(str(tmp_path / "cursor.json"), str(tmp_path / "journal"))
    sink = StatsdSink(server.address, pause=server.wait_for_one)
    while records := cursor.read(100):
        server.ready()
        sink.send(records)
        cursor.commit()
    server.close()
    assert server.refused == []
    assert server.total("fairlead.calls") == 300
    assert server.total("fairlead.hook.continue") == 2400
    times = [found for (name, _), found in server.times.items() if name == "fairlead.hook.time"]
    assert sum(map(len, times)) == 2400


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("metrics.example:9125", ("metrics.example", 9125)),
        ("metrics.example", ("metrics.example", 8125)),
        ("[::1]:9125", ("::1", 9125)),
        ("::1", ("::1", 8125)),
    ],
)
def test_an_address_is_a_host_and_mostly_a_port(target: str, expected: tuple[str, int]) -> None:
    assert host_and_port(target) == expected


@pytest.mark.parametrize("target", ["", ":8125", "host:", "host:0", "host:70000", "host:x", "host:²"])
def test_what_is_no_address_is_said_at_once(target: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        host_and_port(target)


def test_a_name_without_an_address_is_an_error_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    with pytest.raises(FairleadError, match="cannot be reached: Name or service"):
        StatsdSink("statsd.invalid").send([call(1)])


def test_one_receiver_is_asked_for(tmp_path: Path) -> None:
    assert isinstance(forward(tmp_path).exception, UsageError)
    both = forward(tmp_path, "--statsd", "127.0.0.1:1", "--otlp", "http://127.0.0.1:1")
    assert isinstance(both.exception, UsageError)
