"""One connection that carries lines, of one machine or of several, with a key that may write just these.

It speaks the protocol of the broker itself, as little of it as this takes: many lines in one write, and their
acknowledgements read in bulk. A client made for everything costs ten times as much for a line.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import uniform

import nkeys

from fairlead.doors.fleet.subjects import inbox_of

_ANSWER = re.compile(
    rb"MSG [^ \r]+\.(\d+) 1 \d+\r\n([^\r]*)\r\n"
    rb"|HMSG [^ \r]+\.(\d+) 1 \d+ \d+\r\nNATS/1\.0 [^\r]*\r\n\r\n\r\n"
    rb"|(PING)\r\n|(PONG|\+OK|INFO [^\r]*|-ERR [^\r]*)\r\n"
)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
Answered = Callable[[int, bytes], None]
"""The number that was asked under, and what the broker said; nothing when nobody was there."""


class Carrier(asyncio.Protocol):
    """`keep` holds the connection open. `answered` hears the broker's answers, `came` and `went` the rest."""

    def __init__(self, name: str, address: tuple[str, int], seed: Path) -> None:
        self.name, self._address = name, address
        self._key = nkeys.from_seed(seed.read_bytes().strip())
        self._transport: asyncio.Transport | None = None
        self._gone = asyncio.Event()
        self._inbox = f"{inbox_of(name)}.lines".encode()
        self._buffer = b""
        self._introduced = False
        self._number = 0
        self.up = asyncio.Event()
        self.answered: Answered = lambda number, body: None
        self.went: Callable[[], None] = lambda: None

    async def keep(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            with suppress(OSError):
                self._gone.clear()
                await asyncio.get_running_loop().create_connection(lambda: self, *self._address)
                await self._gone.wait()
                pause = _FIRST_PAUSE if self._introduced else pause
            await asyncio.sleep(uniform(pause / 2, pause))
            pause = min(pause * 2, _LONGEST_PAUSE)

    def ask(self, subject: bytes, name: bytes, body: bytes) -> tuple[int, bytes]:
        """The number under which the answer comes, and what `send` is to write for it."""
        self._number += 1
        headers = b"NATS/1.0\r\nNats-Msg-Id: %b\r\n\r\n" % name
        asked = b"HPUB %b %b.%d %d %d\r\n%b%b\r\n" % (
            *(subject, self._inbox, self._number, len(headers), len(headers) + len(body)),
            *(headers, body),
        )
        return self._number, asked

    def send(self, pieces: list[bytes]) -> None:
        if self._transport is not None:
            self._transport.write(b"".join(pieces))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._buffer, self._introduced = transport, b"", False

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        self.up.clear()
        self._gone.set()
        self.went()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data
        if not self._introduced:
            buffer = self._introduce(buffer)
        end = 0
        for match in _ANSWER.finditer(buffer):
            number, body, unheard, ping, _ = match.groups()
            end = match.end()
            if number or unheard:
                self.answered(int(number or unheard), body or b"")
            elif ping and self._transport is not None:
                self._transport.write(b"PONG\r\n")
            elif match[0] == b"PONG\r\n":
                self.up.set()
        self._buffer = buffer[end:]

    def _introduce(self, buffer: bytes) -> bytes:
        greeting, end, rest = buffer.partition(b"\r\n")
        if not end or self._transport is None:
            return buffer
        nonce = json.loads(greeting.removeprefix(b"INFO "))["nonce"]
        signed = base64.urlsafe_b64encode(self._key.sign(nonce.encode())).decode().rstrip("=")
        told = {
            **{"verbose": False, "pedantic": False, "headers": True, "no_responders": True, "lang": "bench"},
            **{"version": "1", "name": self.name, "nkey": self._key.public_key.decode(), "sig": signed},
        }
        inbox = b"SUB %b.* 1\r\nPING\r\n" % self._inbox
        self._transport.write(b"CONNECT %b\r\n%b" % (json.dumps(told).encode(), inbox))
        self._introduced = True
        return rest
