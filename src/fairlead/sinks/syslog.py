"""Decisions as syslog messages (RFC 5424), counted by octets (RFC 6587), over TLS, TCP or a Unix socket.

TCP confirms nothing: what lay in the buffers of a connection that broke is sent again, and may come twice.
Commands, prompts and results are not in the messages.
"""

from __future__ import annotations

import os
import re
import select
import socket
import ssl
from collections.abc import Mapping, Sequence
from typing import Self
from urllib.parse import urlsplit

from fairlead.errors import FairleadError, UsageError
from fairlead.secrets.redact import redact_text

_FACILITY = 13  # log audit
_ERROR, _WARNING, _NOTICE, _INFO = 3, 4, 5, 6
_SEVERITIES = {"ask": _NOTICE, "approve": _NOTICE, "block": _WARNING, "halt": _WARNING}
_SD = "fairlead@32473"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SECONDS = 10.0
_SETTLE = 0.05
"""How long a receiver that hung up has to let us know."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")

Record = Mapping[str, object]


class SyslogSink:
    """`target` is `tls://HOST:PORT`, `tcp://HOST:PORT` on this machine, or `unix:PATH`.

    Raises FairleadError when a batch is known not to have arrived. Close it, or use it as a context, when
    done.
    """

    def __init__(self, target: str, *, host: str = "", ca: str = "") -> None:
        self._target = _Target(target, ca)
        self._host = _word(host) or "-"
        self._socket: socket.socket | None = None
        self._closed = False

    def send(self, records: Sequence[Record]) -> None:
        if self._closed:
            raise FairleadError("this sink is closed", hint="make another one")
        data = b"".join(
            framed(message_of(record, self._host)) for record in records if "observes" not in record
        )
        if not data:
            return
        try:
            out = self._open()
            out.sendall(data)
            _expect_open(out)
        except (OSError, ssl.SSLError) as error:
            self._drop()
            said = getattr(error, "strerror", None) or type(error).__name__
            raise FairleadError(
                f"{self._target.shown} cannot be reached: {said}", hint="is the syslog server running?"
            ) from None

    def _open(self) -> socket.socket:
        """The connection that is there, unless its other end has gone."""
        if self._socket is not None:
            try:
                _expect_open(self._socket, seconds=0)
                return self._socket
            except OSError:
                self._drop()
        self._socket = self._target.connected()
        return self._socket

    def _drop(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def close(self) -> None:
        """Twice is no harm."""
        self._closed = True
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Target:
    def __init__(self, text: str, ca: str) -> None:
        self.shown, self._ca = text, ca
        parts = urlsplit(text)
        self._kind = parts.scheme
        self._path = text.removeprefix("unix:").removeprefix("//") if self._kind == "unix" else ""
        self._host, self._port = parts.hostname or "", 0
        if self._kind in ("tcp", "tls"):
            self._port = _port(text, self._kind)
        elif not self._path.startswith("/"):
            raise UsageError(f"{text!r} is no address of syslog", hint="tls://HOST:PORT or unix:/dev/log")
        if self._kind == "tcp" and self._host not in _LOOPBACK:
            raise FairleadError(f"{text} is not encrypted", hint="plain TCP is for this machine only")

    def connected(self) -> socket.socket:
        if self._kind == "unix":
            out = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                out.settimeout(_SECONDS)
                out.connect(self._path)
            except OSError:
                out.close()
                raise
            return out
        out = socket.create_connection((self._host, self._port), timeout=_SECONDS)
        if self._kind == "tcp":
            return out
        try:
            context = ssl.create_default_context(cafile=self._ca or None)
            return context.wrap_socket(out, server_hostname=self._host)
        except OSError:
            out.close()
            raise


def _port(text: str, kind: str) -> int:
    parts = urlsplit(text)
    try:
        port = parts.port or (6514 if kind == "tls" else 601)
    except ValueError:
        port = 0
    if not parts.hostname or not port:
        raise UsageError(f"{text!r} is no address of syslog", hint="write it like tls://logs.example:6514")
    return port


def _expect_open(out: socket.socket, *, seconds: float = _SETTLE) -> None:
    """A syslog server says nothing, so whatever can be read is the end of the connection."""
    poll = select.poll()
    poll.register(out, select.POLLIN | select.POLLHUP)
    if poll.poll(seconds * 1000):
        raise ConnectionResetError(104, "the other end hung up")


def framed(message: bytes) -> bytes:
    return b"%d %s" % (len(message), message)


def message_of(record: Record, host: str) -> bytes:
    """One call as one message, its facts as structured data."""
    verdict, facts = _mapping(record.get("verdict")), _mapping(record.get("facts"))
    tool, would = _mapping(facts.get("tool")), _mapping(verdict.get("would"))
    decision = _plain(verdict.get("decision"))
    severity = _ERROR if verdict.get("failures") else _SEVERITIES.get(decision, _INFO)
    moment = str(record.get("ts"))
    shown = {
        "id": record.get("id"),
        "agent": record.get("agent"),
        "event": record.get("event"),
        "kind": tool.get("kind"),
        "decision": decision,
        "rule": verdict.get("rule"),
        "would": would.get("decision"),
        "wouldRule": would.get("rule"),
        "policy": record.get("policy"),
    }
    data = " ".join(f'{name}="{_escaped(text)}"' for name, value in shown.items() if (text := _plain(value)))
    by = f" by {_plain(verdict.get('rule'))}" if verdict.get("rule") else ""
    when = moment if _TIME.fullmatch(moment) else "-"
    head = f"<{_FACILITY * 8 + severity}>1 {when} {host} fairlead {os.getpid()}"
    return f"{head} {_word(str(record.get('event'))) or '-'} [{_SD} {data}] {decision}{by}".encode()


def _plain(value: object) -> str:
    """Nothing that ends a message or hides in it."""
    text = redact_text(value)[:256] if isinstance(value, str) else ""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("]", "\\]")


def _word(text: str) -> str:
    return re.sub(r"[^!-~]", "", text)[:32]


def _mapping(value: object) -> Record:
    return value if isinstance(value, Mapping) else {}
