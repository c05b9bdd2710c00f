"""The server on its own: a toy judge, real sockets."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairlead.doors.daemon import wire
from fairlead.doors.daemon.server import SPARE_WORKERS, Rules, Server
from fairlead.doors.daemon.wire import (
    CALL,
    CWD,
    ENVIRONMENT,
    GO_COLD,
    PAYLOAD,
    PING,
    PONG,
    REPLY,
    frame,
)
from fairlead.doors.hook.hook_call import HookCall
from fairlead.model.verdict import Reply
from fairlead.platforms import here


def call(name: str = "claude", payload: bytes = b"{}", root: str = "") -> bytes:
    words = f"ab12\0{name}\0PreToolUse\x005000\0{root}\0".encode()
    frames = ((CALL, words), (CWD, b"/"), (ENVIRONMENT, b""), (PAYLOAD, payload))
    return wire.hello() + b"".join(frame(kind, content) for kind, content in frames)


def echo(request: HookCall, _: object) -> tuple[Reply, Callable[[], None] | None]:
    return Reply(0, request.agent.encode(), request.payload), None


class Place:
    """A server that listens in a folder, and what it said."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "s")
        self.said: list[str] = []
        self.retired: list[str] = []
        self.outdated = False
        self.server: Server

    def open(self, judge: Callable[..., object] = echo, **options: object) -> Server:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        listener.listen(64)
        rules = Rules(
            judge,  # type: ignore[arg-type]
            lambda: b"well",
            self.said.append,
            lambda: self.outdated,
            self.retired.append,
            **options,  # type: ignore[arg-type]
        )
        self.server = Server(listener, rules)
        self.server.start()
        return self.server

    def connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(20)
        try:
            connection.connect(self.path)
        except OSError:
            connection.close()
            raise
        return connection

    def ask(self, sent: bytes) -> list[tuple[int, bytes]]:
        """The frames that came back before the connection ended."""
        with self.connect() as connection:
            try:
                connection.sendall(sent)
                received = b""
                while part := connection.recv(1 << 16):
                    received += part
            except ConnectionError:
                return []
        frames = []
        while received:
            length = int.from_bytes(received[:4], "big")
            frames.append((received[4], received[5 : 5 + length]))
            received = received[5 + length :]
        return frames


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.chdir(tmp_path)
    made = Place(Path())
    yield made
    made.server.close()


def replied(frames: list[tuple[int, bytes]]) -> bytes:
    kind, body = frames[-1]
    assert kind == REPLY
    return body[8:]


ACKNOWLEDGED = (wire.ACKNOWLEDGED, (5000).to_bytes(4, "big"))


def test_a_call_that_is_judged_at_once_is_just_answered(place: Place) -> None:
    place.open()
    assert place.ask(call(payload=b"+")) == [(REPLY, b"\0\0\0\0\0\0\0\x06claude+")]


def test_a_call_that_may_take_long_is_acknowledged_before_anything_runs(place: Place) -> None:
    def judge(_: HookCall, acknowledge: Callable[[], None]) -> tuple[Reply, None]:
        acknowledge()
        return Reply(0, b"done"), None

    place.open(judge)
    acknowledged, answered = place.ask(call())
    assert acknowledged == ACKNOWLEDGED
    assert replied([answered]) == b"done"


def test_a_long_payload_is_acknowledged_as_soon_as_it_is_there(place: Place) -> None:
    told: list[object] = []
    place.open(lambda request, acknowledge: (told.append(acknowledge), echo(request, None))[1])
    acknowledged, _ = place.ask(call(payload=b"+" * 10_000))
    assert acknowledged == ACKNOWLEDGED
    assert told == [None]


def test_a_daemon_with_much_to_do_acknowledges_what_it_takes_on(place: Place) -> None:
    release = threading.Event()

    def judge(request: HookCall, _: object) -> tuple[Reply, None]:
        if request.agent == "slow":
            release.wait(20)
        return Reply(0, request.agent.encode()), None

    server = place.open(judge)
    slow = threading.Thread(target=place.ask, args=(call("slow"),))
    slow.start()
    until(lambda: server.calls == 1)
    try:
        assert [kind for kind, _ in place.ask(call())] == [wire.ACKNOWLEDGED, REPLY]
    finally:
        release.set()
        slow.join(20)


def test_a_ping_is_answered_and_is_no_call(place: Place) -> None:
    server = place.open()
    assert place.ask(wire.hello() + frame(PING)) == [(PONG, b"well")]
    assert server.calls == 0


def test_what_is_left_to_do_is_done_after_the_answer(place: Place) -> None:
    answered, done = threading.Event(), threading.Event()

    def afterwards() -> None:
        answered.wait(10)
        done.set()

    place.open(lambda *_: (Reply(), afterwards))
    place.ask(call())  # returns although `afterwards` still waits
    answered.set()
    assert done.wait(10)


def test_a_call_of_another_version_is_sent_away(place: Place) -> None:
    place.open()
    ((kind, reason),) = place.ask(frame(wire.HELLO, b"\0\0\0\x63") + call())
    assert (kind, b"version 99" in reason) == (GO_COLD, True)


@pytest.mark.parametrize("sent", [b"\xff\xff\xff\xff\x01", b"\0\0\0\0\x63", b"GET / HTTP/1.1\r\n\r\n"])
def test_an_oversized_or_foreign_frame_costs_one_connection_and_no_more(place: Place, sent: bytes) -> None:
    place.open()
    assert [kind for kind, _ in place.ask(sent)] in ([GO_COLD], [])
    assert replied(place.ask(call())) == b"claude{}"


def test_a_half_sent_frame_costs_one_connection_and_no_more(place: Place) -> None:
    place.open()
    with place.connect() as connection:
        connection.sendall(call()[:30])
    assert replied(place.ask(call())) == b"claude{}"


def test_slow_clients_do_not_keep_others_waiting(place: Place) -> None:
    place.open(workers=8, intake_seconds=0.5)
    slow = [place.connect() for _ in range(20)]
    for connection in slow:
        connection.sendall(call()[:7])
    assert replied(place.ask(call())) == b"claude{}"
    for connection in slow:
        with connection:
            while connection.recv(1 << 16):
                pass  # each was told to go, or just let go
    assert sum("in time" in words for words in place.said) == 20


def test_a_judge_that_breaks_costs_one_answer_and_its_words_are_not_logged(place: Place) -> None:
    def judge(request: HookCall, _: object) -> tuple[Reply, None]:
        if request.agent == "bad":
            raise ValueError("token=hunter2")
        return Reply(0, b"good"), None

    place.open(judge)
    assert place.ask(call("bad")) == []
    assert replied(place.ask(call())) == b"good"
    assert "ValueError" in place.said[0]
    assert "hunter2" not in "".join(place.said)


def test_calls_are_served_at_the_same_time(place: Place) -> None:
    together = threading.Barrier(10)

    def judge(request: HookCall, _: object) -> tuple[Reply, None]:
        together.wait(20)  # passes only if all ten are judged at once
        return Reply(0, request.agent.encode()), None

    place.open(judge)
    answers: dict[int, bytes] = {}
    threads = [
        threading.Thread(target=lambda n=n: answers.update({n: replied(place.ask(call(f"agent{n}")))}))
        for n in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == {n: f"agent{n}".encode() for n in range(10)}


def test_workers_are_bounded_and_go_when_they_are_not_needed(place: Place) -> None:
    release = threading.Event()

    def judge(*_: object) -> tuple[Reply, None]:
        release.wait(20)
        return Reply(), None

    server = place.open(judge, workers=20)
    threads = [threading.Thread(target=place.ask, args=(call(),)) for _ in range(30)]
    for thread in threads:
        thread.start()
    until(lambda: server.busy == 20)
    assert server.workers == 20
    release.set()
    for thread in threads:
        thread.join(30)
    until(lambda: server.workers <= SPARE_WORKERS + 1)


def test_an_upgrade_sends_the_call_away_and_retires_the_daemon(place: Place) -> None:
    place.open()
    place.outdated = True
    assert [kind for kind, _ in place.ask(call())] == [GO_COLD]
    assert place.retired == ["another build is installed"]


def test_a_closed_server_lets_waiting_clients_go(place: Place) -> None:
    server = place.open()
    server.close()
    with pytest.raises(ConnectionRefusedError):
        place.connect()


def test_without_descriptors_the_daemon_waits_and_recovers(place: Place) -> None:
    place.open()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    connection = place.connect()
    with connection:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            connection.sendall(call())
            until(lambda: any("cannot accept" in words for words in place.said))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert connection.recv(5)[4] == REPLY


ASK = """
import socket, sys, os
sent = sys.stdin.buffer.read()
if sys.argv[2]: os.setuid(int(sys.argv[2]))
c = socket.socket(socket.AF_UNIX); c.connect(sys.argv[1])
try:
    c.sendall(sent)
    while part := c.recv(65536): sys.stdout.buffer.write(part)
except ConnectionError: pass
"""


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to connect as another user")
def test_the_connection_of_another_user_is_refused(place: Place) -> None:
    """The folder keeps others out already; this is for the one that gets past it."""
    with tempfile.TemporaryDirectory() as folder:  # pytest's own cannot be entered by other users
        place.path = f"{folder}/s"
        place.open()
        os.chmod(folder, 0o755)
        os.chmod(place.path, 0o777)
        words = [sys.executable, "-c", ASK, place.path, "65534"]
        asked = subprocess.run(words, input=call(), capture_output=True)
    assert asked.stderr == b""
    assert REPLY not in asked.stdout[4:5]
    assert "user 65534 is not the daemon's" in place.said[0]


def test_a_client_with_other_mounts_is_sent_away(place: Place) -> None:
    place.open()
    inside = ["unshare", "--mount", sys.executable, "-c", ASK, os.path.realpath(place.path), ""]
    if os.getuid() != 0:
        inside[1:1] = ["--user", "--map-root-user"]
    try:
        asked = subprocess.run(inside, input=call(), capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no unshare(1) here")
    if b"unshare:" in asked.stderr:
        pytest.skip(f"no other mount namespace can be made here: {asked.stderr.decode()}")
    assert asked.stdout[4:5] in (bytes((GO_COLD,)), b"")  # it may be gone before it was told why
    assert "sees other files" in place.said[0]


def test_a_client_may_say_which_files_it_sees(place: Place) -> None:
    place.open()
    root = here.name_of_root()
    assert root, "the kernel does not say what is mounted"
    assert replied(place.ask(call(root=root))) == b"claude{}"
    kind, why = place.ask(call(root=f"1{root}"))[-1]
    assert (kind, why) == (GO_COLD, b"the client sees other files than the daemon")


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it never came to pass"
        time.sleep(0.005)
