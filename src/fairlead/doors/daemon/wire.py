"""Frames on the socket: `u32 length, u8 kind, payload`, numbers in network order.

A call is HELLO, CALL, CWD, ENVIRONMENT, PAYLOAD; a question for the daemon's health is HELLO, PING. Clients
are installed apart from the package, so a change of any of this needs a new WIRE_VERSION.
"""

from __future__ import annotations

import time
from _socket import MSG_DONTWAIT, SO_RCVTIMEO, SOL_SOCKET
from struct import Struct
from typing import TYPE_CHECKING

from fairlead.doors.hook.hook_call import PAYLOAD_BOUND, HookCall
from fairlead.errors import FairleadError
from fairlead.model.verdict import Reply

if TYPE_CHECKING:
    from socket import SocketType

WIRE_VERSION = 2
HELLO, CALL, CWD, ENVIRONMENT, PAYLOAD, PING = 1, 2, 3, 4, 5, 6
ACKNOWLEDGED, REPLY, GO_COLD, PONG = 16, 17, 18, 19

_BOUNDS = {
    HELLO: 256,
    CALL: 16 * 1024,
    CWD: 64 * 1024,
    ENVIRONMENT: 4 * 1024 * 1024,
    PAYLOAD: PAYLOAD_BOUND + 1,  # one more, so that whoever judges it sees that it is too large
    PING: 0,
}
_HEADER = Struct("!IB")
_AFTER_HEADER = _HEADER.size
_REPLY = Struct("!IBII")
_SECONDS = Struct("@ll")
_CHUNK = 64 * 1024
_DIGITS = 18
LEAST_SECONDS, MOST_SECONDS = 0.1, 600.0
"""What a call is given, whatever its client says."""


class WireError(FairleadError):
    """What came through the socket is no call: too large, too slow, cut off, or of another version."""

    code = "WIRE"


class Intake:
    """Takes frames from a connection until a deadline, never more than the bounds allow."""

    def __init__(self, connection: SocketType, seconds: float) -> None:
        self._connection = connection
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._waits = False
        """Whether the kernel was told how long to wait: nearly always everything is there at once."""
        self._buffer = b""
        self._at = 0

    def _fill(self) -> bytes:
        if time.monotonic() > self._deadline:
            raise WireError("the call did not arrive in time")
        try:
            chunk = self._connection.recv(_CHUNK, 0 if self._waits else MSG_DONTWAIT)
        except (TimeoutError, BlockingIOError):
            if self._waits:
                raise WireError("the call did not arrive in time") from None
            self._connection.setsockopt(SOL_SOCKET, SO_RCVTIMEO, kernel_time(self._seconds))
            self._waits = True
            return self._fill()
        if not chunk:
            raise WireError("the call was cut off")
        return chunk

    def _await(self, length: int) -> None:
        """Until the buffer, which then begins with what was not taken yet, has that many bytes."""
        chunks = [self._buffer[self._at :]]
        missing = length - len(chunks[0])
        while missing > 0:
            chunks.append(self._fill())
            missing -= len(chunks[-1])
        self._buffer, self._at = b"".join(chunks), 0

    def frame(self, *expected: int) -> tuple[int, bytes]:
        """The next frame, which has to be one of the expected kinds."""
        if len(self._buffer) - self._at < _AFTER_HEADER:
            self._await(_AFTER_HEADER)
        length, kind = _HEADER.unpack_from(self._buffer, self._at)
        if kind not in expected:
            raise WireError(f"frame {kind} came where {expected} should be")
        if length > _BOUNDS[kind]:
            raise WireError(f"frame {kind} has {length} bytes, more than {_BOUNDS[kind]}")
        if len(self._buffer) - self._at < _AFTER_HEADER + length:
            self._await(_AFTER_HEADER + length)
        start = self._at + _AFTER_HEADER
        self._at = end = start + length
        return kind, self._buffer[start:end]


def read_request(intake: Intake, caller: int = 0) -> tuple[HookCall, str] | None:
    """A call, and which files its client says it sees; None for a ping. Raises WireError.

    `caller` is the process at the other end."""
    _, hello = intake.frame(HELLO)
    version = int.from_bytes(hello[:4], "big")
    if version != WIRE_VERSION:
        raise WireError(f"the client speaks version {version} of the wire, not {WIRE_VERSION}")
    kind, words = intake.frame(CALL, PING)
    if kind == PING:
        return None
    texts = _text(words).split("\0")
    if len(texts) != 6 or not texts[3].isdecimal() or len(texts[3]) > _DIGITS:
        raise WireError("the call's words make no sense")
    request, agent, native_event, milliseconds, root, _ = texts
    _, cwd = intake.frame(CWD)
    _, block = intake.frame(ENVIRONMENT)
    _, payload = intake.frame(PAYLOAD)
    seconds = min(max(LEAST_SECONDS, int(milliseconds) / 1000), MOST_SECONDS)
    call = HookCall(agent, payload, native_event, _text(cwd), variables(block), request, seconds, caller)
    return call, root


def variables(block: bytes) -> dict[str, str]:
    """The first of two variables with one name counts, as it does for getenv()."""
    lines = _text(block).split("\0")
    lines.reverse()
    return dict([line.split("=", 1) for line in lines if "=" in line])


def kernel_time(seconds: float) -> bytes:
    """As the kernel takes it for the timeouts of a socket."""
    return _SECONDS.pack(int(seconds), int(seconds % 1 * 1e6))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def frame(kind: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(4, "big") + bytes((kind,)) + payload


def acknowledgement(seconds: float) -> bytes:
    return frame(ACKNOWLEDGED, int(seconds * 1000).to_bytes(4, "big"))


def reply_frame(reply: Reply) -> bytes:
    """Exit code, length of stdout, stdout, stderr."""
    out, err = reply.stdout, reply.stderr
    return _REPLY.pack(8 + len(out) + len(err), REPLY, reply.exit_code, len(out)) + out + err


def hello(build: str = "") -> bytes:
    return frame(HELLO, WIRE_VERSION.to_bytes(4, "big") + build.encode())
