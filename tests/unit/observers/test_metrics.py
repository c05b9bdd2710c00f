from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.observers.metrics import AddressBook, emit_metrics, metric_lines

BROKEN = Failure(Stage.EXECUTION, FailureCode.TIMEOUT, "late")
OUTCOMES = (
    Outcome(Decision.ALLOW, hook="first", milliseconds=0.25),
    Outcome(Decision.BLOCK, hook="second", milliseconds=1.5, failure=BROKEN),
)


def bash(tool: str = "Bash") -> Event:
    return Event(EventName.BEFORE_TOOL, agent="claude", tool=ToolCall(tool))


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(20)
        yield listening


def test_a_server_gets_counters_and_timers(server: socket.socket) -> None:
    port = server.getsockname()[1]
    outcome = emit_metrics(
        bash(), {"statsd_host": "localhost", "statsd_port": port, "prefix": "acme.hooks"}, OUTCOMES
    )
    assert outcome.failure is None
    lines = server.recv(65536).decode().split("\n")
    assert lines == [
        "acme.hooks.calls.claude.BeforeTool.Bash.block:1|c",
        "acme.hooks.decisions.block:1|c",
        "acme.hooks.call_time:1.750|ms",
        "acme.hooks.hooks.first.time:0.250|ms",
        "acme.hooks.hooks.first.allow:1|c",
        "acme.hooks.hooks.second.time:1.500|ms",
        "acme.hooks.hooks.second.block:1|c",
        "acme.hooks.hooks.second.failed:1|c",
    ]
    assert outcome.metrics == {"sent": 8}


def test_tags_are_there_for_servers_that_know_them() -> None:
    lines = list(metric_lines(bash(), OUTCOMES[:1], prefix="fairlead", tagged=True))
    assert lines == [
        "fairlead.calls:1|c|#agent:claude,event:BeforeTool,tool:Bash,decision:allow",
        "fairlead.call_time:0.250|ms|#agent:claude,event:BeforeTool,tool:Bash,decision:allow",
        "fairlead.hook.time:0.250|ms|#hook:first",
        "fairlead.hook.allow:1|c|#hook:first",
    ]


def test_a_hostile_tool_name_cannot_forge_a_metric() -> None:
    lines = list(metric_lines(bash("x:1|c\nforged:9|c|#a"), (), prefix="p", tagged=False))
    assert lines[0] == "p.calls.claude.BeforeTool.x_1_c_forged_9_c__a.continue:1|c"


def test_many_hooks_are_sent_in_several_datagrams(server: socket.socket) -> None:
    many = tuple(Outcome(hook=f"hook-{number}-{'x' * 40}") for number in range(60))
    outcome = emit_metrics(bash(), {"statsd_port": server.getsockname()[1]}, many)
    received: list[str] = []
    while len(received) < outcome.metrics["sent"]:  # type: ignore[operator]
        packet = server.recv(65536)
        assert len(packet) <= 1432
        received += packet.decode().split("\n")
    assert len(received) == 123


def test_nobody_listening_is_no_trouble() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert emit_metrics(bash(), {"statsd_port": port}, OUTCOMES).decision is Decision.CONTINUE


@pytest.mark.parametrize("port", ["x", 0, 70000, None])
def test_what_is_no_port_is_reported(port: object) -> None:
    outcome = emit_metrics(bash(), {"statsd_port": port}, ())
    assert outcome.failure is not None
    assert "statsd_port" in outcome.reason


def test_a_slow_name_server_is_asked_once_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    answer = threading.Event()

    def slow(host: str, *_: object, **__: object) -> object:
        asked.append(host)
        answer.wait(20)
        return [(socket.AF_INET, socket.SOCK_DGRAM, 0, "", ("192.0.2.1", 0))]

    monkeypatch.setattr("socket.getaddrinfo", slow)
    book = AddressBook()
    assert [book.find("statsd.example") for _ in range(5)] == [None] * 5
    assert asked == ["statsd.example"]
    answer.set()
    book._asked["statsd.example"].join(20)
    assert book.find("statsd.example") == (socket.AF_INET, ("192.0.2.1", 0))


def test_addresses_and_loopback_need_no_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_: pytest.fail("asked"))
    book = AddressBook()
    assert book.find("localhost") == (socket.AF_INET, ("127.0.0.1", 0))
    assert book.find("192.0.2.7") == (socket.AF_INET, ("192.0.2.7", 0))
    assert book.find("::1") == (socket.AF_INET6, ("::1", 0))
