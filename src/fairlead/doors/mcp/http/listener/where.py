"""Where a listener is: a port of this machine, or a socket in a folder of this user."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fairlead.doors.mcp.http.address import is_loopback
from fairlead.errors import FairleadError, UsageError
from fairlead.model.value import Value

_BACKLOG = 128
_USAGE = "127.0.0.1:PORT, or unix:PATH"


class Where(Value):
    host: str = ""
    port: int = 0
    path: str = ""

    @contextmanager
    def bound(self) -> Iterator[socket.socket]:
        """Raises FairleadError."""
        try:
            listening = _unix(self.path) if self.path else _tcp(self.host, self.port)
        except OSError as error:
            place = self.path or f"{self.host}:{self.port}"
            hint = "is the door running already?"
            raise FairleadError(f"{place} cannot be listened at: {error.strerror}", hint=hint) from error
        with listening:
            yield listening
        if self.path:
            with suppress(OSError):
                os.unlink(self.path)

    def shown(self, listening: socket.socket) -> str:
        if self.path:
            return f"unix:{self.path}, http://localhost"
        return f"http://{_with_port(self.host, listening.getsockname()[1])}"

    def hosts(self, listening: socket.socket) -> frozenset[str]:
        """What may stand in `Host`: a page whose name was bent to this machine has another one."""
        if self.path:
            return frozenset({"localhost"})
        port = listening.getsockname()[1]
        return frozenset(_with_port(host, port) for host in (self.host, "localhost"))


def where_of(text: str) -> Where:
    """Raises UsageError."""
    scheme, colon, path = text.partition(":")
    if scheme == "unix" and colon:
        if not path:
            raise UsageError("--listen has no path", hint=_USAGE)
        return Where(path=os.path.abspath(path))
    host, colon, port = text.rpartition(":")
    host = host.strip("[]").lower()
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise UsageError("--listen is no place", hint=_USAGE)
    if not is_loopback(host):
        hint = f"{_USAGE}; for other machines put a server of your own before it"
        raise UsageError(f"--listen {host} could be reached by other machines", hint=hint)
    return Where(host="127.0.0.1" if host == "localhost" else host, port=int(port))


def _with_port(host: str, port: int) -> str:
    bracketed = f"[{host}]" if ":" in host else host
    return bracketed if port == 80 else f"{bracketed}:{port}"


def _tcp(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    listening.listen(_BACKLOG)
    return listening


def _unix(path: str) -> socket.socket:
    """Of this user alone. One that nobody listens at any more is in the way."""
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with probe, suppress(FileNotFoundError):
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            os.unlink(path)
        else:
            raise OSError(None, "somebody listens there")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        listening.bind(path)
    finally:
        os.umask(mask)
    listening.listen(_BACKLOG)
    return listening
