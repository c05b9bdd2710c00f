"""Frames on the socket: `u32 length, u8 kind, payload`, numbers in network order.

A call is HELLO, CALL, CWD, ENVIRONMENT, PAYLOAD; a question for the daemon's health is HELLO, PING. Clients
are installed apart from the package, so a change of any of this needs a new WIRE_VERSION.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.model.verdict import Reply

if TYPE_CHECKING:
    from socket import socket

WIRE_VERSION = 1
HELLO, CALL, CWD, ENVIRONMENT, PAYLOAD, PING = 1, 2, 3, 4, 5, 6
ACKNOWLEDGED, REPLY, GO_COLD, PONG = 16, 17, 18, 19

PAYLOAD_BOUND = 16 * 1024 * 1024
_BOUNDS = {
    HELLO: 256,
    CALL: 16 * 1024,
    CWD: 64 * 1024,
    ENVIRONMENT: 4 * 1024 * 1024,
    PAYLOAD: PAYLOAD_BOUND + 1,  # one more, so that whoever judges it sees that it is too large
    PING: 0,
}
_HEADER = 5
_CHUNK = 64 * 1024


class WireError(FairleadError):
    """What came through the socket is no call: too large, too slow, cut off, or of another version."""

    code = "WIRE"


class Request(Value):
    """One call as it came through the socket. `milliseconds` is the time that the client gives."""

    build: str
    request: str
    agent: str
    native_event: str
    home: str
    milliseconds: int
    cwd: str
    environment: Mapping[str, str]
    payload: bytes


class Intake:
    """Takes frames from a connection until a deadline, never more than the bounds allow."""

    def __init__(self, connection: socket, seconds: float) -> None:
        self._connection = connection
        self._deadline = time.monotonic() + seconds
        self._buffer = b""
        self._at = 0

    def _fill(self) -> bytes:
        if time.monotonic() > self._deadline:
            raise WireError("the call did not arrive in time")
        try:
            chunk = self._connection.recv(_CHUNK)
        except (TimeoutError, BlockingIOError):
            raise WireError("the call did not arrive in time") from None
        if not chunk:
            raise WireError("the call was cut off")
        return chunk

    def _take(self, length: int) -> bytes:
        end = self._at + length
        if end > len(self._buffer):
            chunks = [self._buffer[self._at :]]
            missing = length - len(chunks[0])
            while missing > 0:
                chunks.append(self._fill())
                missing -= len(chunks[-1])
            self._buffer, self._at, end = b"".join(chunks), 0, length
        taken = self._buffer[self._at : end]
        self._at = end
        return taken

    def frame(self, *expected: int) -> tuple[int, bytes]:
        """The next frame, which has to be one of the expected kinds."""
        header = self._take(_HEADER)
        length, kind = int.from_bytes(header[:4], "big"), header[4]
        if kind not in expected:
            raise WireError(f"frame {kind} came where {expected} should be")
        if length > _BOUNDS[kind]:
            raise WireError(f"frame {kind} has {length} bytes, more than {_BOUNDS[kind]}")
        return kind, self._take(length)


def read_request(intake: Intake) -> Request | None:
    """A call; None for a ping. Raises WireError."""
    hello = intake.frame(HELLO)[1]
    version = int.from_bytes(hello[:4], "big")
    if version != WIRE_VERSION:
        raise WireError(f"the client speaks version {version} of the wire, not {WIRE_VERSION}")
    kind, call = intake.frame(CALL, PING)
    if kind == PING:
        return None
    texts = _text(call).split("\0")
    if len(texts) != 6 or not texts[4].isdecimal():
        raise WireError("the call's words make no sense")
    request, agent, native_event, home, milliseconds, _ = texts
    return Request(
        _text(hello[4:]),
        request,
        agent,
        native_event,
        home,
        int(milliseconds),
        _text(intake.frame(CWD)[1]),
        variables(intake.frame(ENVIRONMENT)[1]),
        intake.frame(PAYLOAD)[1],
    )


def variables(block: bytes) -> dict[str, str]:
    """The first of two variables with one name counts, as it does for getenv()."""
    lines = _text(block).split("\0")
    lines.reverse()
    return dict([line.split("=", 1) for line in lines if "=" in line])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def frame(kind: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(4, "big") + bytes((kind,)) + payload


def acknowledgement(milliseconds: int) -> bytes:
    return frame(ACKNOWLEDGED, milliseconds.to_bytes(4, "big"))


def reply_frame(reply: Reply) -> bytes:
    """Exit code, length of stdout, stdout, stderr."""
    numbers = reply.exit_code.to_bytes(4, "big") + len(reply.stdout).to_bytes(4, "big")
    return frame(REPLY, numbers + reply.stdout + reply.stderr)


def hello(build: str = "") -> bytes:
    return frame(HELLO, WIRE_VERSION.to_bytes(4, "big") + build.encode())
