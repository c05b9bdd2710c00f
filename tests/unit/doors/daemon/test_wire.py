"""Frames: what is taken for a call, and what is not."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.doors.daemon import wire
from fairlead.doors.daemon.wire import (
    CALL,
    CWD,
    ENVIRONMENT,
    HELLO,
    PAYLOAD,
    PING,
    Intake,
    WireError,
    frame,
    read_request,
    variables,
)
from fairlead.doors.hook.hook_call import PAYLOAD_BOUND, HookCall

BUSY = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
"""A busy machine is no reason to fail."""
WORDS = b"ab12\0claude\0PreToolUse\x001500\x0029:2\0"


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.settimeout(5)
    with ours, theirs:
        yield ours, theirs


def received(
    ends: tuple[socket.socket, socket.socket], sent: bytes, seconds: float = 5
) -> tuple[HookCall, str] | None:
    ours, theirs = ends
    theirs.sendall(sent)
    theirs.shutdown(socket.SHUT_WR)
    return read_request(Intake(ours, seconds))


def call(words: bytes = WORDS, payload: bytes = b"{}") -> bytes:
    frames = ((CALL, words), (CWD, b"/tmp/\xff"), (ENVIRONMENT, b"A=1\0B=\0"), (PAYLOAD, payload))
    return wire.hello("build 7") + b"".join(frame(kind, content) for kind, content in frames)


def test_a_call_is_read_as_it_was_sent(ends: tuple[socket.socket, socket.socket]) -> None:
    sent = HookCall("claude", b"\0\xff", "PreToolUse", "/tmp/\udcff", {"A": "1", "B": ""}, "ab12", 1.5)
    assert received(ends, call(payload=b"\0\xff")) == (sent, "29:2")


@pytest.mark.parametrize(("said", "given"), [(b"0", 0.1), (b"99", 0.1), (b"30000", 30), (b"9" * 18, 600)])
def test_the_time_for_a_call_is_bounded(
    ends: tuple[socket.socket, socket.socket], said: bytes, given: float
) -> None:
    arrived = received(ends, call(WORDS.replace(b"1500", said)))
    assert arrived is not None
    assert arrived[0].seconds == given


def test_a_ping_is_no_call(ends: tuple[socket.socket, socket.socket]) -> None:
    assert received(ends, wire.hello() + frame(PING)) is None


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (b"", "cut off"),
        (call()[:-1], "cut off"),
        (call()[:40], "cut off"),
        (frame(HELLO, b"\0\0\0\x01build"), "version 1"),
        (frame(HELLO, b""), "version 0"),
        (frame(CALL, WORDS), "frame 2 came where"),
        (wire.hello() + frame(PAYLOAD, b"{}"), "frame 5 came where"),
        (b"GET / HTTP/1.1\r\n\r\n", "frame 47 came where"),
        (b"\xff\xff\xff\xff\x01", "more than 256"),
        (wire.hello() + (1 << 20).to_bytes(4, "big") + bytes((CALL,)), "more than 16384"),
        (call(words=b"too\0few\0"), "make no sense"),
        (call(words=b"a\0b\0c\0soon\0\0"), "make no sense"),
        (call(words=b"a\0b\0c\0" + b"9" * 5000 + b"\0\0"), "make no sense"),
    ],
)
def test_what_is_no_call_is_refused_with_a_reason(
    ends: tuple[socket.socket, socket.socket], sent: bytes, complaint: str
) -> None:
    with pytest.raises(WireError, match=complaint):
        received(ends, sent)


def test_an_oversized_payload_is_refused_before_it_is_read(ends: tuple[socket.socket, socket.socket]) -> None:
    announced = (PAYLOAD_BOUND + 2).to_bytes(4, "big") + bytes((PAYLOAD,))
    with pytest.raises(WireError, match="more than"):
        received(ends, call()[: -len(frame(PAYLOAD, b"{}"))] + announced)


def test_a_call_that_drips_in_is_given_up(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    ours.settimeout(0.01)
    theirs.sendall(call()[:10])
    with pytest.raises(WireError, match="in time"):
        read_request(Intake(ours, 0))


@BUSY
@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(sent: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        try:
            received((ours, theirs), sent)
        except WireError as error:
            assert error.message


@BUSY
@given(
    st.lists(st.tuples(st.sampled_from(["A", "B", "C_D"]), st.text("=\n\x7f\xe4 a", max_size=9)), max_size=9)
)
def test_variables_come_through_and_the_first_of_a_name_counts(given: list[tuple[str, str]]) -> None:
    block = b"".join(f"{name}={value}".encode("utf-8", "surrogatepass") + b"\0" for name, value in given)
    expected = dict(reversed(given))
    assert variables(block) == {
        name: value.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
        for name, value in expected.items()
    }
